-- What people are told: one fact for one person, once an event and kind. The words are fixed when it is made.
create table notification (
  site_id uuid not null references site (site_id),
  id uuid not null,
  user_id uuid not null references app_user (id),
  event_id uuid,
  event_no bigint,
  kind text not null,
  urgency text not null,
  title text not null,
  body text not null,
  subject_kind text not null,
  subject_id uuid not null,
  subject_label text not null,
  link text,
  facts jsonb not null default '{}',
  rule_id uuid,
  rule_version integer,
  because jsonb not null default '[]',
  in_app boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (site_id, id),
  constraint notification_once unique (site_id, event_id, kind, user_id)
);
create index notification_inbox on notification (site_id, user_id, created_at desc, id desc) where in_app;
create index notification_unread on notification (site_id, user_id, urgency) where in_app and read_at is null;
create index notification_read_by_age on notification (read_at) where read_at is not null;
create index notification_by_age on notification (created_at);

-- A mail or a push on its way: it carries one or more sends. It is `sending` under a lease while somebody talks to the relay.
create table notification_message (
  site_id uuid not null references site (site_id),
  id uuid not null,
  user_id uuid not null references app_user (id),
  channel text not null,
  kind text not null,
  urgency text not null,
  state text not null default 'queued',
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  lease_until timestamptz(3),
  attempts integer not null default 0,
  began boolean not null default false,
  lost integer not null default 0,
  ended_at timestamptz(3),
  primary key (site_id, id)
);
create unique index one_message_is_gathered on notification_message (site_id, user_id, channel, kind) where state = 'queued' and attempts = 0;
create index notification_message_by_id on notification_message (id);
create index notification_message_of_kind on notification_message (site_id, user_id, channel, kind, created_at desc);
create index notification_message_due on notification_message (due_at) where state = 'queued';
create index notification_message_leased on notification_message (lease_until) where state = 'sending';
create index notification_message_ended on notification_message (ended_at) where ended_at is not null;

-- The tries of a notification on its channels, one each.
create table notification_send (
  site_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  user_id uuid not null,
  channel text not null,
  state text not null,
  detail text,
  at timestamptz(3) not null,
  due_at timestamptz(3),
  message_id uuid,
  primary key (site_id, id),
  constraint one_send_a_channel unique (site_id, notification_id, channel),
  foreign key (site_id, notification_id) references notification (site_id, id) on delete cascade
);
create index notification_send_of_message on notification_send (site_id, message_id) where message_id is not null;
create index notification_send_held on notification_send (due_at) where state = 'held';

-- What a person wants to hear, and how. The platform's id stands for all sites.
create table notification_preference (
  site_id uuid not null,
  user_id uuid not null references app_user (id),
  kind text not null,
  channel text not null,
  enabled boolean,
  delivery text,
  quiet_hours jsonb,
  digest_at text,
  digest_weekdays integer[],
  updated_at timestamptz(3) not null,
  primary key (site_id, user_id, kind, channel)
);
create index notification_preference_of_person on notification_preference (user_id);
