-- Everything in a container that no other active area takes (map.md §2): a fill is a group of active areas, cut by time and by shape.
create table area_fill (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  name text not null,
  contractor_id uuid,
  start_at timestamptz(3) not null,
  end_at timestamptz(3) not null check (end_at > start_at),
  -- What is filled: {feature_id} or {polygon}, and the level.
  container jsonb not null,
  building_id uuid,
  level_index integer,
  template jsonb not null,
  subtract jsonb not null,
  clearance_m double precision not null,
  bay jsonb,
  min_part_m2 double precision not null,
  min_width_m double precision not null,
  generated_at timestamptz(3) not null,
  bounds box not null,
  primary key (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id),
  foreign key (site_id, building_id) references reference_feature (site_id, id)
);
create index area_fill_of_contractor on area_fill (site_id, contractor_id);
create index area_fill_in_building on area_fill (site_id, building_id) where building_id is not null;
select make_record('area_fill');

alter table active_area add column fill_group_id uuid;
alter table active_area add foreign key (site_id, fill_group_id) references area_fill (site_id, id);
create index active_area_of_fill on active_area (site_id, fill_group_id) where fill_group_id is not null;
