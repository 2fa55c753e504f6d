-- The drawing of a level, placed on its building (map.md §8).
create table floor_plan (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  feature_id uuid not null,
  level_index integer not null,
  name text not null,
  source_kind text not null check (source_kind in ('image', 'pdf', 'dxf')),
  drawing_number text,
  revision text,
  suitability text,
  start_at timestamptz(3) not null,
  end_at timestamptz(3),
  status text not null check (status in ('processing', 'needs_placement', 'ready', 'failed')),
  status_reason text,
  visible boolean not null,
  opacity double precision not null check (opacity >= 0 and opacity <= 1),
  min_zoom integer not null check (min_zoom between 0 and 24),
  capture_visible boolean not null,
  filename text not null,
  sha256 text not null,
  size bigint not null,
  media_type text not null,
  page integer,
  -- Size of the picture; of a DXF drawing, that of its rendering, which is another file.
  width_px integer,
  height_px integer,
  picture_sha256 text,
  -- How a DXF drawing is read: units, layers, extents, and how it lies in its rendering.
  sheet jsonb,
  placement jsonb,
  -- How often it was placed; its tiles say by which placement they were drawn.
  placed_times integer not null default 0,
  content_version integer not null default 0,
  served jsonb,
  vector jsonb not null,
  -- The plan that it ended, and when that one would have ended, in case that this one fails.
  ended_id uuid,
  ended_end_at timestamptz(3),
  job_id uuid,
  primary key (site_id, id),
  foreign key (site_id, feature_id) references reference_feature (site_id, id),
  foreign key (site_id, sha256) references stored_file (site_id, sha256),
  check (end_at is null or end_at > start_at),
  constraint floor_plan_one_in_force exclude using gist (
    site_id with =, feature_id with =, level_index with =, tstzrange(start_at, end_at) with &&
  ) where (deleted_at is null and status <> 'failed') deferrable initially deferred
);
create index floor_plan_of_feature on floor_plan (site_id, feature_id, level_index, start_at) where deleted_at is null;
select make_record('floor_plan');

-- A DXF file that was inspected, until it is imported or expires.
create table dxf_import (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  filename text not null,
  sha256 text not null,
  size bigint not null,
  report jsonb not null,
  expires_at timestamptz(3) not null,
  floor_plan_id uuid,
  primary key (site_id, id),
  foreign key (site_id, sha256) references stored_file (site_id, sha256),
  foreign key (site_id, floor_plan_id) references floor_plan (site_id, id)
);
create index dxf_import_newest on dxf_import (site_id, created_at desc);
select make_record('dxf_import');
