create table shift (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  contractor_id uuid,
  start_time text not null,
  end_time text not null,
  weekdays integer[],
  breaks jsonb not null default '[]',
  valid_from date not null,
  valid_to date,
  system_key text,
  primary key (site_id, id),
  constraint shift_ends_after_it_begins check (valid_to is null or valid_to >= valid_from),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create index shift_in_force on shift (site_id, contractor_id, valid_from);
select make_record('shift');

