-- What each process that serves open apps says of itself; nothing depends on it.
create unlogged table live_process (
  id uuid primary key,
  at timestamptz(3) not null,
  state jsonb not null
);
