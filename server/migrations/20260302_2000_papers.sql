-- Papers: documents that were issued and are kept as they were, the keys that sign what their QR says, and what stood when a permit was issued.

-- A document that a step of its subject asked for. `facts` are those of the step, taken in its transaction; they go once the paper is made of them, their
-- hash stays: as long as the record says the same, the kept paper is the paper.
create table paper (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  subject_kind text not null,
  subject_id uuid not null,
  occasion text not null,
  facts jsonb,
  facts_hash text not null,
  as_at timestamptz(3) not null,
  made_at timestamptz(3),
  sha256 text,
  size bigint,
  pages integer,
  primary key (site_id, id),
  constraint what_is_made_has_bytes check ((made_at is null) = (sha256 is null) and (made_at is null) = (size is null))
);
create index paper_of_subject on paper (site_id, subject_id, as_at desc, id desc);
create index paper_unmade on paper (site_id, id) where made_at is null;
select make_record('paper');

-- A made paper stands: nothing of it changes any more.
create function paper_stands() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.made_at is null
    and (new.subject_kind, new.subject_id, new.occasion, new.as_at, new.facts_hash) is not distinct from (old.subject_kind, old.subject_id, old.occasion, old.as_at, old.facts_hash)
  then
    return new;
  end if;
  raise exception 'a paper stands as it was made' using errcode = 'WD004';
end $$;
create trigger a_paper_stands before update or delete on paper for each row execute function paper_stands();

-- Keys by which a site signs what its papers say. The private half is sealed by a key that lies outside of the database; the public half stays
-- for ever, for papers live longer than keys.
create table signing_key (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  kid text not null,
  public_key text not null,
  sealed text not null,
  sealed_by text not null,
  signs_from timestamptz(3) not null,
  signs_until timestamptz(3) not null,
  revoked_at timestamptz(3),
  revoke_reason text,
  primary key (site_id, id),
  constraint signing_key_once_per_site unique (site_id, kid)
);
select make_record('signing_key');

-- Advice that stood when the issuer and the receiver signed: printed on the permit from then on.
alter table permit add column issue_warnings jsonb not null default '[]';
