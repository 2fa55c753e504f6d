-- Rules that turn events into notifications: those of a site, and the switches that it set on shipped ones.
create table notification_rule (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  name_key text,
  source text not null,
  event_kind text not null,
  "when" jsonb not null,
  kind text not null,
  audience jsonb not null,
  channels text[] not null,
  title text not null,
  body text not null,
  urgency text not null,
  include_actor boolean not null,
  enabled boolean not null,
  based_on_id uuid,
  number integer not null default 1,
  deleted_at timestamptz(3),
  primary key (site_id, id)
);
create unique index notification_rule_name_once on notification_rule (site_id, name_key) where deleted_at is null;
select make_record('notification_rule');

-- Each state of a rule, by time for people and by the number of the event for the relay: an event is judged by the rule as it stood then.
create table notification_rule_version (
  site_id uuid not null,
  rule_id uuid not null,
  number integer not null,
  event_kind text not null,
  content jsonb not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  from_event_no bigint not null,
  to_event_no bigint,
  changed_by uuid,
  changes jsonb not null default '[]',
  primary key (site_id, rule_id, number),
  foreign key (site_id, rule_id) references notification_rule (site_id, id) on delete cascade
);
create index notification_rule_version_at on notification_rule_version (site_id, event_kind, from_event_no);

-- How often a rule fired in an hour, and how many it reached; a rule that would reach too many rests until the next.
create table notification_rule_hour (
  site_id uuid not null,
  rule_id uuid not null,
  hour timestamptz(3) not null,
  fired integer not null default 0,
  reached integer not null default 0,
  paused boolean not null default false,
  primary key (site_id, rule_id, hour)
);
create index notification_rule_hour_by_age on notification_rule_hour (hour);
