-- Layers that others surveyed: buried services, constraints, topography, and sets of areas, buildings or zones (map.md §9).
create table geodata_layer (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  name text not null,
  role text not null,
  source text,
  surveyed_on date,
  crs text,
  accuracy_m double precision,
  style jsonb not null,
  visible boolean not null,
  sort integer not null,
  status text not null,
  feature_count integer not null,
  bounds jsonb,
  property_schema jsonb not null,
  content_version integer not null,
  -- Digest of the features: the audit log has it, and equal content keeps its version.
  content_digest text,
  utility text,
  quality_level text,
  reference_kind text,
  map jsonb,
  primary key (site_id, id)
);
create index geodata_layer_in_order on geodata_layer (site_id, sort, name, id) where deleted_at is null;
select make_record('geodata_layer');

-- The features of a layer: what is read in a file and replaced with it. `number` is the position in the file.
create table geodata_feature (
  site_id uuid not null,
  layer_id uuid not null,
  number integer not null,
  geometry jsonb not null,
  properties jsonb not null,
  bounds box not null,
  primary key (site_id, layer_id, number),
  foreign key (site_id, layer_id) references geodata_layer (site_id, id)
);
create index geodata_feature_at_place on geodata_feature using gist (site_id, layer_id, bounds);
