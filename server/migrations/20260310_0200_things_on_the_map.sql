-- What everything on the map has that stands somewhere for a time (map.md §0.1): a table is made with its own columns, and gets these.
-- `place` is what a person gave: names, and a point or a polygon. The columns next to it are what follows from it at the start.
create function make_placed(table_name regclass) returns void language plpgsql as $$
declare
  short text := (select c.relname from pg_class c where c.oid = table_name);
begin
  execute format('alter table %s
    add column deleted_at timestamptz(3),
    add column contractor_id uuid,
    add column start_at timestamptz(3) not null,
    add column end_at timestamptz(3),
    add column place jsonb not null,
    add column place_source text not null,
    add column building_id uuid,
    add column level_index integer,
    add column zone_id uuid,
    add column lon double precision not null,
    add column lat double precision not null,
    add column bounds box not null,
    add column colour text,
    add column notes text,
    add constraint %I check (end_at is null or end_at > start_at),
    add foreign key (site_id, contractor_id) references contractor (site_id, id),
    add foreign key (site_id, building_id) references reference_feature (site_id, id),
    add foreign key (site_id, zone_id) references reference_feature (site_id, id)', table_name, short || '_ends_after_it_starts');
  -- Those that are there at an instant: the number of those that have ended doesn''t matter.
  execute format('create index %I on %s using gist (site_id, tstzrange(start_at, end_at)) where deleted_at is null', short || '_alive', table_name);
  execute format('create index %I on %s (site_id, start_at, id)', short || '_by_start', table_name);
  execute format('create index %I on %s (site_id, updated_at)', short || '_by_change', table_name);
  execute format('create index %I on %s (site_id, contractor_id, start_at)', short || '_of_contractor', table_name);
  execute format('create index %I on %s (site_id, building_id) where building_id is not null', short || '_in_building', table_name);
  execute format('create index %I on %s (site_id, zone_id) where zone_id is not null', short || '_in_zone', table_name);
end $$;

-- What a newcomer must find: assembly points, first aid, gates (map.md §5).
create table poi (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  poi_kind text not null,
  phone text,
  what3words text,
  primary key (site_id, id)
);
select make_placed('poi');
create index poi_by_kind on poi (site_id, poi_kind, name, id);
select make_record('poi');

-- Words on the map that are no feature (map.md §6).
create table text_label (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  text text not null,
  rotation_deg double precision not null,
  size_px double precision not null,
  style_key text not null,
  anchor text not null,
  min_zoom integer not null,
  max_zoom integer not null,
  primary key (site_id, id)
);
select make_placed('text_label');
select make_record('text_label');
