-- Things on the map that repeat (map.md §0.5): a group has a template and a pattern in site time; its occurrences are rows of the area's own table.
create function make_schedule(table_name regclass) returns void language plpgsql as $$
declare
  short text := (select c.relname from pg_class c where c.oid = table_name);
begin
  execute format('alter table %s
    add column deleted_at timestamptz(3),
    add column name text not null,
    add column contractor_id uuid,
    add column template jsonb not null,
    add column pattern jsonb not null,
    add column removed_dates jsonb not null,
    add foreign key (site_id, contractor_id) references contractor (site_id, id)', table_name);
  execute format('create index %I on %s (site_id, contractor_id)', short || '_of_contractor', table_name);
end $$;

-- Gives a table of things on the map the columns of an occurrence. An occurrence is identified by its group and the site day on which it starts.
create function make_scheduled(table_name regclass, schedule regclass) returns void language plpgsql as $$
declare
  short text := (select c.relname from pg_class c where c.oid = table_name);
begin
  execute format('alter table %s
    add column schedule_group_id uuid,
    add column occurrence_date date,
    add column edited boolean not null default false,
    add column copied_from_id uuid,
    add constraint %I check ((schedule_group_id is null) = (occurrence_date is null)),
    add foreign key (site_id, schedule_group_id) references %s (site_id, id)', table_name, short || '_occurs_on_a_day', schedule);
  execute format('create unique index %I on %s (site_id, schedule_group_id, occurrence_date) where schedule_group_id is not null and deleted_at is null',
    short || '_of_group', table_name);
end $$;

-- Schedules of workers.
create table worker_schedule (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  primary key (site_id, id)
);
select make_schedule('worker_schedule');
select make_record('worker_schedule');

-- A person or gang that works at a place for a time (map.md §3).
create table worker (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  trade text not null,
  headcount integer not null check (headcount between 1 and 200),
  supervisor_name text,
  activity text,
  radius_m double precision not null,
  primary key (site_id, id)
);
select make_placed('worker');
select make_scheduled('worker', 'worker_schedule');
alter table worker alter column end_at set not null;
create index worker_twice on worker (site_id, contractor_id, lower(name), start_at) where deleted_at is null;
select make_record('worker');

-- Schedules of plant.
create table plant_schedule (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  primary key (site_id, id)
);
select make_schedule('plant_schedule');
select make_record('plant_schedule');

-- A machine where it stands (map.md §4). A further standing of the same machine refers to the first one, which has what identifies it.
create table plant (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  category text not null,
  make text,
  model text,
  fleet_number text,
  owner_name text,
  length_m double precision,
  width_m double precision,
  bearing_deg double precision not null,
  working_radius_m double precision,
  slew_from_deg double precision,
  slew_to_deg double precision,
  tail_swing_m double precision,
  exclusion_radius_m double precision not null,
  exclusion_given boolean not null,
  height_m double precision,
  capacity_kg double precision,
  operator_name text,
  lifting boolean not null,
  lifts_persons boolean not null,
  last_examined_on date,
  examination_due_on date,
  examination_given boolean not null,
  examination_ref text,
  -- What people were told about the examination that is due: `due` or `expired`; null again when the date moves.
  examination_told text check (examination_told in ('due', 'expired')),
  source_plant_id uuid,
  primary key (site_id, id),
  constraint plant_slews_between_two_bearings check ((slew_from_deg is null) = (slew_to_deg is null)),
  foreign key (site_id, source_plant_id) references plant (site_id, id)
);
select make_placed('plant');
select make_scheduled('plant', 'plant_schedule');
create index plant_standings on plant (site_id, source_plant_id) where source_plant_id is not null;
create index plant_due on plant (site_id, examination_due_on) where examination_due_on is not null and deleted_at is null;
select make_record('plant');

-- A machine is in one place at a time.
alter table plant add constraint plant_in_one_place
  exclude using gist (site_id with =, (coalesce(source_plant_id, id)) with =, tstzrange(start_at, end_at) with &&) where (deleted_at is null);

-- Which work a permit covers: workers, plant and deliveries (map.md §0.8).
create table permit_entity (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  primary key (site_id, id),
  constraint permit_entity_once unique (site_id, permit_id, entity_id),
  foreign key (site_id, permit_id) references permit (site_id, id) on delete cascade
);
create index permit_entity_of on permit_entity (site_id, entity_id);
select make_record('permit_entity');
