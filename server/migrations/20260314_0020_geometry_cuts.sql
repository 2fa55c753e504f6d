-- Holes and notches that were cut out of features (map.md §10): what was cut, by what, and whether it is applied.
create table geometry_cut (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  feature_id uuid not null,
  feature_kind text not null,
  source text not null,
  cutter_id uuid,
  cutter_kind text,
  buffer_m double precision not null,
  polygon jsonb not null,
  state text not null,
  result text not null,
  allow_split boolean not null,
  -- Sizes of the site when the cut was made: smaller and narrower parts are left out.
  min_part_m2 double precision not null,
  min_width_m double precision not null,
  area_before_m2 double precision not null,
  area_after_m2 double precision not null,
  -- When its last step takes effect, and the version of the feature that this step made.
  at timestamptz(3) not null,
  feature_version integer not null,
  primary key (site_id, id)
);
create index geometry_cut_of_feature on geometry_cut (site_id, feature_id);
create index geometry_cut_by_cutter on geometry_cut (site_id, cutter_id) where cutter_id is not null;
select make_record('geometry_cut');

-- The steps of cuts: which were applied when, with which shape. Every step is also a change of its cut, and a version of the feature.
create table geometry_cut_step (
  site_id uuid not null,
  cut_id uuid not null,
  number integer not null,
  step text not null,
  at timestamptz(3) not null,
  written_at timestamptz(3) not null,
  written_by uuid,
  polygon jsonb,
  area_before_m2 double precision not null,
  area_after_m2 double precision not null,
  feature_version integer not null,
  primary key (site_id, cut_id, number),
  foreign key (site_id, cut_id) references geometry_cut (site_id, id)
);
