-- Sizes to start with when something is drawn (map.md §10): one row for a site, made when its defaults are first saved.
create table geometry_default (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  worker_radius_m double precision not null,
  delivery_radius_m double precision not null,
  slew_clearance_m double precision not null,
  plant_margin_m double precision not null,
  -- Margins of single categories of plant, metres: {"excavator": 2}.
  per_category jsonb not null,
  snap_m double precision not null,
  hole_buffer_m double precision not null,
  min_part_m2 double precision not null,
  min_width_m double precision not null,
  fill_min_part_m2 double precision not null,
  fill_min_width_m double precision not null,
  simplify_m double precision not null,
  primary key (site_id, id),
  constraint one_geometry_default_a_site unique (site_id)
);
select make_record('geometry_default');
