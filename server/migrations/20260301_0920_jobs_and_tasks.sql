-- Work that outlives a request, as people see it. The queue itself is pg-boss's, in its own schema.
create table job_run (
  site_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  progress double precision not null default 0,
  message text,
  queued_at timestamptz(3) not null,
  run_after timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  input jsonb not null default '{}',
  error_code text,
  error_detail text,
  requested_by uuid,
  request_id text,
  result jsonb,
  primary key (site_id, id)
);
create index job_run_newest on job_run (queued_at desc, id);
create index job_run_of_site on job_run (site_id, queued_at desc, id);
create index job_run_of_person on job_run (requested_by, queued_at desc) where requested_by is not null;
create index job_run_by_id on job_run (id);

-- When a schedule last ran, so that a run missed while the service was down is made up for once.
create table schedule_run (
  kind text primary key,
  last_due_at timestamptz(3) not null,
  last_run_at timestamptz(3),
  last_state text
);

-- Things that one band or person must do. Derived from the records that raise them, in the transaction of the step.
create table task (
  site_id uuid not null references site (site_id),
  id uuid not null,
  kind text not null,
  subject_kind text not null,
  subject_id uuid not null,
  subject_label text not null,
  addressee_key text not null,
  bands text[] not null default '{}',
  user_ids uuid[] not null default '{}',
  contractor_id uuid,
  status text not null default 'open',
  urgency text not null default 'attention',
  link text not null,
  raised_at timestamptz(3) not null,
  attention_at timestamptz(3) not null,
  due_at timestamptz(3),
  overdue_told_at timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by uuid,
  resolution text,
  note text,
  primary key (site_id, id)
);
create unique index one_open_task on task (site_id, subject_id, kind, addressee_key) where status = 'open';
create index task_open on task (site_id, due_at, id) where status = 'open';
create index task_of_subject on task (site_id, subject_id);

create table task_acknowledgement (
  site_id uuid not null,
  task_id uuid not null,
  user_id uuid not null references app_user (id),
  at timestamptz(3) not null,
  taking boolean not null default false,
  primary key (site_id, task_id, user_id),
  foreign key (site_id, task_id) references task (site_id, id) on delete cascade
);
create index task_acknowledged_by on task_acknowledgement (site_id, user_id);
