-- Photos of what a gang, a machine or a delivery did on a day (map.md §13). The file itself is a row of `evidence`, so that other records can adopt it.
create table token_photo (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  token_kind text not null check (token_kind in ('worker', 'plant', 'delivery')),
  token_id uuid not null,
  schedule_group_id uuid,
  work_date date not null,
  photo_kind text not null check (photo_kind in ('progress', 'start', 'finish', 'condition', 'delivery')),
  caption text check (length(caption) <= 500),
  in_diary boolean not null,
  contractor_id uuid,
  -- As in its evidence: the list is in the order of the time, and the same bytes are stored once for a day.
  sha256 text not null,
  taken_at timestamptz(3),
  distance_m double precision,
  primary key (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create unique index token_photo_once on token_photo (site_id, token_id, work_date, sha256);
create index token_photo_in_order on token_photo (site_id, work_date, taken_at, id);
create index token_photo_of_group on token_photo (site_id, schedule_group_id, work_date, taken_at, id) where schedule_group_id is not null;
create index token_photo_of_contractor on token_photo (site_id, contractor_id, work_date, taken_at, id);
select make_record('token_photo');

-- Which files of a kind of record others show.
create index evidence_of_source on evidence (site_id, source_kind, source_record_id) where source_id is not null;
