-- Keys of person data (safety.md §0.3): the audit log has it encrypted with a key of its record. Without the key nobody can read it again, and the chain still verifies.
create table person_key (
  site_id uuid not null,
  record_id uuid not null,
  -- A record gets another key when person data is written to it after the first one was destroyed.
  no integer not null,
  kind text not null,
  -- In base64, encrypted with SECRETS_KEY if it is set; null once it was destroyed.
  key jsonb,
  -- The SECRETS_KEY and the cipher, so that a start with others finds what it has to encrypt again; empty without one.
  wrapped_by text not null,
  created_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (site_id, record_id, no),
  constraint person_key_is_erased_once check ((key is null) = (erased_at is not null))
);
-- The keys that a job has to destroy some day.
create index person_key_kept on person_key (kind, site_id, record_id) where key is not null;
