-- The picture under everything on the map: a layout drawing or an aerial picture (map.md §7).
create table site_map (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  captured_on date,
  status text not null check (status in ('processing', 'needs_calibration', 'tiling', 'ready', 'failed')),
  -- Why it failed, for people.
  status_reason text,
  filename text not null,
  sha256 text not null,
  size bigint not null,
  media_type text not null,
  page integer,
  width_px integer not null,
  height_px integer not null,
  -- How often its tiles have been replaced; 0 until there are any.
  content_version integer not null default 0,
  -- The calibration that is shown: the newest one.
  calibration_id uuid,
  -- The tile set that is served, with what it was drawn by.
  served jsonb,
  job_id uuid,
  primary key (site_id, id),
  foreign key (site_id, sha256) references stored_file (site_id, sha256)
);
create index site_map_newest on site_map (site_id, created_at desc, id desc);
select make_record('site_map');

-- Every calibration is kept. `number` counts those of a site map.
create table site_map_calibration (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  site_map_id uuid not null,
  number integer not null check (number >= 1),
  model text not null check (model in ('similarity', 'affine', 'projective', 'embedded')),
  points jsonb not null,
  matrix jsonb not null,
  origin_lon double precision not null,
  origin_lat double precision not null,
  rmse_m double precision not null,
  max_residual_m double precision not null,
  redundancy integer not null,
  suspect integer,
  quality text not null check (quality in ('good', 'fair', 'poor', 'unchecked')),
  ground_resolution_m double precision not null,
  rotation_deg double precision not null,
  scale_ratio double precision not null,
  primary key (site_id, id),
  unique (site_id, site_map_id, number),
  foreign key (site_id, site_map_id) references site_map (site_id, id)
);
select make_record('site_map_calibration');

-- Which site map was active when: half-open, never overlapping. Without a map, nobody wanted one.
create table site_map_activation (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  site_map_id uuid,
  from_at timestamptz(3) not null,
  to_at timestamptz(3),
  primary key (site_id, id),
  foreign key (site_id, site_map_id) references site_map (site_id, id),
  check (to_at is null or to_at > from_at),
  constraint site_map_activation_one_at_a_time exclude using gist (site_id with =, tstzrange(from_at, to_at) with &&) deferrable initially deferred
);
create index site_map_activation_by_start on site_map_activation (site_id, from_at desc);
select make_record('site_map_activation');
