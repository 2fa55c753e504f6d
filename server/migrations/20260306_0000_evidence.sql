-- Evidence: files attached to any record that can hold some (`flow-of-work.md` §0.5). One table for all kinds, so that a record can adopt a file of another
-- without copying it, and a file that is cited is found with one query.
create table evidence (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  owner_kind text not null,
  owner_id uuid not null,
  role text not null check (role in ('before', 'after', 'during', 'context', 'document')),
  caption text check (length(caption) <= 500),
  filename text not null,
  sha256 text not null,
  media_type text not null,
  size bigint not null,
  width integer,
  height integer,
  taken_at timestamptz(3),
  taken_point jsonb,
  pin jsonb,
  -- The first owner of an adopted file; null for a file of the record's own.
  source_kind text,
  source_record_id uuid,
  source_id uuid,
  primary key (site_id, id),
  foreign key (site_id, sha256) references stored_file (site_id, sha256),
  foreign key (site_id, source_id) references evidence (site_id, id),
  check (num_nulls(source_kind, source_record_id, source_id) in (0, 3))
);
create unique index evidence_once on evidence (site_id, owner_id, owner_kind, sha256);
create index evidence_cited on evidence (site_id, source_id) where source_id is not null;
select make_record('evidence');
