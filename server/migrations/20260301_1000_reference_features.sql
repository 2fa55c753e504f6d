-- The fixed frame of a site: areas, buildings with their levels, zones. What a feature is, and what it was when.

create table reference_feature (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  kind text not null,
  name text not null,
  last_number integer not null,
  source_layer_id uuid,
  source_key text,
  primary key (site_id, id)
);
create unique index reference_feature_once_from_a_layer on reference_feature (site_id, source_layer_id, source_key) where source_layer_id is not null;
select make_record('reference_feature');

-- Validity is half-open. shown_from, shown_to and shown_number are those of the whole stretch of equal versions around this one: answers show
-- them, so that joining equal neighbours later changes no answer.
create table reference_feature_version (
  site_id uuid not null,
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  feature_id uuid not null,
  number integer not null,
  kind text not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  shown_from timestamptz(3) not null,
  shown_to timestamptz(3),
  shown_number integer not null,
  code text,
  code_key text collate "C",
  name text not null,
  aliases text[] not null default '{}',
  zone_type text,
  outline jsonb not null,
  geometry jsonb not null,
  bounds box not null,
  area_m2 double precision not null,
  centre_lon double precision not null,
  centre_lat double precision not null,
  levels jsonb not null default '[]',
  building_id uuid,
  level_from integer,
  level_to integer,
  contractor_id uuid,
  cut_id uuid,
  digest text not null,
  primary key (site_id, id),
  constraint reference_feature_version_number_once unique (site_id, feature_id, number),
  constraint reference_feature_ends_after_it_begins check (valid_to is null or valid_to >= valid_from),
  constraint reference_feature_is_one_thing_at_a_time exclude using gist (site_id with =, feature_id with =, tstzrange(valid_from, valid_to) with &&),
  constraint reference_feature_code_once exclude using gist (site_id with =, kind with =, code_key with =, tstzrange(valid_from, valid_to) with &&),
  foreign key (site_id, feature_id) references reference_feature (site_id, id),
  foreign key (site_id, building_id) references reference_feature (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create index reference_feature_in_force on reference_feature_version using gist (site_id, tstzrange(valid_from, valid_to));
create index reference_feature_at_place on reference_feature_version using gist (site_id, bounds);
create index reference_feature_of_building on reference_feature_version (site_id, building_id) where building_id is not null;
create index reference_feature_of_contractor on reference_feature_version (site_id, contractor_id) where contractor_id is not null;
select make_record('reference_feature_version');

-- Which version of an area holds most of which version of a feature, and while both are in force.
create table reference_feature_parent (
  site_id uuid not null,
  version_id uuid not null,
  area_version_id uuid not null,
  area_id uuid not null,
  share double precision not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  primary key (site_id, version_id, area_version_id),
  foreign key (site_id, version_id) references reference_feature_version (site_id, id) on delete cascade,
  foreign key (site_id, area_version_id) references reference_feature_version (site_id, id) on delete cascade
);
create index reference_feature_parent_by_area on reference_feature_parent (site_id, area_version_id);
create index reference_feature_parent_in_force on reference_feature_parent using gist (site_id, tstzrange(valid_from, valid_to));
