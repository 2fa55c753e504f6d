-- How far each consumer has come with the events of each site. Its row is held while events are handed on, so that one process does it at a time.
create table event_cursor (
  site_id uuid not null,
  consumer text not null,
  event_no bigint not null default 0,
  primary key (site_id, consumer)
);

-- What a consumer has done with an event, written with its effect: handed on again, nothing happens.
create table event_receipt (
  site_id uuid not null,
  consumer text not null,
  event_id uuid not null,
  handled_at timestamptz(3) not null,
  primary key (site_id, consumer, event_id)
);
create index event_receipt_by_age on event_receipt (handled_at);

-- Events that a consumer failed at, and those of the same subject that wait behind them.
create table event_waiting (
  site_id uuid not null,
  consumer text not null,
  event_no bigint not null,
  subject_id uuid not null,
  attempts integer not null default 0,
  next_at timestamptz(3),
  parked_at timestamptz(3),
  error text,
  primary key (site_id, consumer, event_no)
);
create index event_waiting_of_subject on event_waiting (site_id, consumer, subject_id, event_no);

-- What happened before there was anybody to tell is not told now.
insert into event_cursor (site_id, consumer, event_no) select site_id, 'notices', event_no from site_head;
