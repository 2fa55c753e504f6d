-- Web Push: the devices of people, the keys that they were subscribed under, and what is on its way to a device.
-- A person's own matters, of no site (`site-and-people.md` §0.3).

create table push_subscription (
  endpoint_hash text primary key,
  id uuid not null,
  user_id uuid not null references app_user (id),
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  vapid_key_id text not null,
  device_label text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  last_success_at timestamptz(3),
  failures integer not null default 0
);
create index push_subscription_of on push_subscription (user_id, created_at desc);
create index push_subscription_by_end on push_subscription (expires_at) where expires_at is not null;

-- A message for a device, from its first try until its time to live is over: what was delivered is not sent again.
create table push_send (
  endpoint_hash text not null references push_subscription (endpoint_hash) on delete cascade,
  message_id uuid not null,
  first_at timestamptz(3) not null,
  gone_at timestamptz(3) not null,
  tries integer not null,
  state text not null,
  not_before timestamptz(3),
  primary key (endpoint_hash, message_id),
  constraint push_send_state_is_known check (state in ('sent', 'failed', 'waiting'))
);
create index push_send_by_end on push_send (gone_at);

-- VAPID keys by their id: the newest is given to the app, an older one serves the devices that were subscribed under it.
create table push_key (
  id text primary key,
  public_key text not null,
  private_key text not null,
  made_at timestamptz(3) not null
);
