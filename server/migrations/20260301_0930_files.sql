-- Files that a site holds, by SHA-256. The bytes lie in the storage once, however many sites hold them.
create table stored_file (
  site_id uuid not null,
  sha256 text not null,
  size bigint not null,
  media_type text not null,
  width integer,
  height integer,
  facts jsonb not null default '{}',
  kept_at timestamptz(3) not null,
  primary key (site_id, sha256)
);
create index stored_file_by_hash on stored_file (sha256);
