-- An entry is found by its bare id (POST /audit/revert/{entry_id}); ids are unique by themselves.
alter table audit_entry drop constraint audit_entry_id_once;
create index audit_entry_by_id on audit_entry (id);

-- How far each chain was checked: the nightly run goes on from there, and from the first entry once a week.
create table chain_check (
  site_id uuid primary key,
  seq bigint not null,
  hash text not null,
  checked_at timestamptz(3) not null,
  whole_at timestamptz(3),
  -- The first bad entry, while the chain is broken: said once.
  broken_seq bigint
);
