-- Papers: documents that were issued and are kept as they were, the keys that sign what their QR says, and what stood when a permit was issued.

-- A document that a step of its subject asked for, between the step and its printing. `facts` are those of the step, taken in its transaction.
create table paper_order (
  site_id uuid not null,
  id uuid not null,
  subject_kind text not null,
  subject_id uuid not null,
  occasion text not null,
  as_at timestamptz(3) not null,
  facts jsonb not null,
  facts_hash text not null,
  primary key (site_id, id)
);
create index paper_order_of_subject on paper_order (site_id, subject_id);

-- A document as it was made. As long as the record still says what `facts_hash` is of, this paper is the paper.
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
  as_at timestamptz(3) not null,
  facts_hash text not null,
  made_at timestamptz(3) not null,
  sha256 text not null,
  size bigint not null,
  pages integer not null,
  primary key (site_id, id)
);
create index paper_of_subject on paper (site_id, subject_id, as_at desc, id desc);
select make_record('paper');

create function paper_stands() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
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
