-- What this installation and its apps met, for the people on call: scrubbed before it comes here, kept for some days.
create table diag_line (
  id uuid primary key,
  at timestamptz(3) not null,
  source text not null,
  level text not null,
  kind text not null,
  name text not null,
  message text not null,
  stack text,
  route text,
  value double precision,
  request_id text,
  user_id uuid,
  site_id uuid,
  app_version text,
  platform text,
  device_at timestamptz(3),
  network text
);
create index diag_line_newest on diag_line (at desc, id desc);
create index diag_line_of_request on diag_line (request_id) where request_id is not null;
create index diag_line_of_person on diag_line (user_id, at desc) where user_id is not null;

-- Reports of the mail relay that were counted: each once, however often it is delivered.
create table email_report (
  event_id text primary key,
  email text not null,
  type text not null,
  class text,
  status text,
  at timestamptz(3) not null,
  message_id text,
  diagnostic text
);
create index email_report_of_address on email_report (email, at desc);
