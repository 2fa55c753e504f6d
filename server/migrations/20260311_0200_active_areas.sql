-- Schedules of active areas.
create table active_area_schedule (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  primary key (site_id, id)
);
select make_schedule('active_area_schedule');
select make_record('active_area_schedule');

-- Who has which patch of ground, from when to when (map.md §2). `place` has what was drawn; `geometry` is what is left of it after cuts.
create table active_area (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  area_kind text not null,
  exclusive boolean not null,
  base_m double precision,
  top_m double precision,
  geometry jsonb not null,
  area_m2 double precision not null,
  -- Since when it is as it is; null: since its start.
  version_from timestamptz(3),
  version_number integer not null,
  primary key (site_id, id),
  constraint active_area_top_above_base check (top_m > base_m)
);
select make_placed('active_area');
select make_scheduled('active_area', 'active_area_schedule');
create index active_area_of_kind on active_area (site_id, area_kind, start_at);
select make_record('active_area');

-- How an active area was before each change, for the time in which it was so.
create table active_area_version (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  area_id uuid not null,
  number integer not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  -- The whole row.
  content jsonb not null,
  primary key (site_id, id),
  unique (site_id, area_id, number),
  foreign key (site_id, area_id) references active_area (site_id, id)
);
create index active_area_version_then on active_area_version using gist (site_id, tstzrange(valid_from, valid_to)) where valid_to is distinct from valid_from;
select make_record('active_area_version');
