-- The ground under every record: numbering of a site, the record directory, and the history that nobody can forget to write.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- One row a site (and one, all zeros, for the platform): the last numbers of its audit, its events and its map. Only seal() writes it.
create table site_head (
  site_id uuid primary key,
  seq bigint not null default 0,
  hash text not null,
  last_at timestamptz(3),
  event_no bigint not null default 0,
  revision bigint not null default 0,
  layers jsonb not null default '{}'
);

-- Where a record lives. A path with a bare id finds its site here; no table is searched by id alone.
create table record_directory (
  id uuid primary key,
  site_id uuid not null,
  kind text not null
);

-- What a transaction has changed and not sealed yet. Empty between transactions.
create unlogged table audit_draft (
  site_id uuid not null,
  txid xid8 not null default pg_current_xact_id(),
  record_id uuid not null,
  version integer not null,
  op "char" not null,
  table_name text not null,
  before jsonb,
  after jsonb,
  primary key (site_id, txid, record_id, version, op)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table audit_entry (
  site_id uuid not null,
  seq bigint not null,
  id uuid not null,
  at timestamptz(3) not null,
  work_date date not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  acting_for uuid,
  action text not null,
  cause text not null,
  entity_type text not null,
  entity_id uuid not null,
  entity_label text not null,
  parent_type text,
  parent_id uuid,
  changes jsonb,
  salt text,
  reason text,
  request_id text not null,
  batch_id uuid not null,
  reverts_entry_id uuid,
  changes_digest text not null,
  prev_hash text not null,
  hash text not null,
  primary key (site_id, seq),
  constraint audit_entry_id_once unique (site_id, id)
);
create index audit_entry_of_record on audit_entry (site_id, entity_id, seq desc);
create index audit_entry_of_batch on audit_entry (site_id, batch_id, seq);
create index audit_entry_by_actor on audit_entry (site_id, actor_id, seq desc);
create index audit_entry_by_type on audit_entry (site_id, entity_type, seq desc);
create index audit_entry_by_request on audit_entry (site_id, request_id);
create index audit_entry_by_time on audit_entry (site_id, at);
create index audit_entry_reverts on audit_entry (site_id, reverts_entry_id) where reverts_entry_id is not null;

-- Events, numbered in commit order by site: the outbox, and the record of what happened.
create table event (
  site_id uuid not null,
  event_no bigint not null,
  id uuid not null,
  kind text not null,
  schema integer not null default 1,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text,
  subject_kind text not null,
  subject_id uuid not null,
  subject_label text not null,
  contractor_ids uuid[] not null default '{}',
  place jsonb,
  work_date date not null,
  payload jsonb not null,
  request_id text not null,
  primary key (site_id, event_no)
);
create index event_of_subject on event (site_id, subject_id, event_no);
create index event_by_kind on event (site_id, kind, event_no);

-- Before each row: who and when, and the version one higher. No actor, no write.
create function record_stamp() returns trigger language plpgsql as $$
declare
  actor uuid := nullif(current_setting('walkdown.actor_id', true), '')::uuid;
  moment timestamptz := nullif(current_setting('walkdown.now', true), '')::timestamptz;
begin
  if coalesce(current_setting('walkdown.actor_kind', true), '') = '' or moment is null then
    raise exception 'no actor, no write: % on %', tg_op, tg_table_name using errcode = 'WD001';
  end if;
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := moment;
    new.created_by := actor;
  else
    new.version := old.version + 1;
    new.created_at := old.created_at;
    new.created_by := old.created_by;
  end if;
  new.updated_at := moment;
  new.updated_by := actor;
  return new;
end $$;

-- After each row: as it was and as it is. Argument 'platform' for tables that belong to no site.
create function record_draft() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    insert into audit_draft (site_id, record_id, version, op, table_name, before)
    values (case when tg_nargs > 0 then '00000000-0000-0000-0000-000000000000'::uuid else (to_jsonb(old) ->> 'site_id')::uuid end, old.id, old.version, 'D', tg_table_name, to_jsonb(old));
  elsif tg_op = 'INSERT' then
    insert into audit_draft (site_id, record_id, version, op, table_name, after)
    values (case when tg_nargs > 0 then '00000000-0000-0000-0000-000000000000'::uuid else (to_jsonb(new) ->> 'site_id')::uuid end, new.id, new.version, 'I', tg_table_name, to_jsonb(new));
  else
    insert into audit_draft (site_id, record_id, version, op, table_name, before, after)
    values (case when tg_nargs > 0 then '00000000-0000-0000-0000-000000000000'::uuid else (to_jsonb(new) ->> 'site_id')::uuid end, new.id, new.version, 'U', tg_table_name, to_jsonb(old), to_jsonb(new));
  end if;
  return null;
end $$;

-- A commit whose drafts were not sealed is refused: what came in by a side door cannot change a record without an entry.
create function audit_draft_is_sealed() returns trigger language plpgsql as $$
begin
  if exists (select 1 from audit_draft d where d.site_id = new.site_id and d.txid = new.txid and d.record_id = new.record_id and d.version = new.version and d.op = new.op) then
    raise exception 'unsealed change of % %', new.table_name, new.record_id using errcode = 'WD002';
  end if;
  return null;
end $$;
create constraint trigger audit_draft_must_be_sealed after insert on audit_draft
  deferrable initially deferred for each row execute function audit_draft_is_sealed();

-- On the trail itself one may insert, and clear changes and salt; an erased site (nuke) goes as a whole.
create function audit_entry_stands() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
  end if;
  if tg_op = 'UPDATE' and new.changes is null and new.salt is null then
    new.changes := old.changes;
    new.salt := old.salt;
    if new is not distinct from old then
      new.changes := null;
      new.salt := null;
      return new;
    end if;
  end if;
  raise exception 'the audit trail stands as it is' using errcode = 'WD003';
end $$;
create trigger audit_entry_stands before update or delete on audit_entry for each row execute function audit_entry_stands();

-- Makes a table a record: call once for each, after creating it.
create function make_record(table_name regclass, platform boolean default false) returns void language plpgsql as $$
begin
  execute format('create trigger record_stamp before insert or update on %s for each row execute function record_stamp()', table_name);
  execute format('create trigger record_draft after insert or update or delete on %s for each row execute function record_draft(%s)', table_name, case when platform then '''platform''' else '' end);
end $$;

-- The last statement of every writing transaction: counts the site's numbers on, chains its entries, inserts them and its events.
-- p is a list by site, in order of id: {site, entries[], events[], created[], layers[]}; see kernel/audit. Each entry carries its canonical
-- JSON (RFC 8785) in two halves, `head` before the instant and `tail` after it, because only here the instant and seq are known.
create function seal(p jsonb, moment timestamptz) returns void language plpgsql as $$
declare
  part jsonb;
  site uuid;
  at_site site_head;
  when_ timestamptz;
  when_text text;
  link text;
  links text[];
  piece record;
  n integer;
begin
  for part in select value from jsonb_array_elements(p) loop
    site := (part ->> 'site')::uuid;
    insert into record_directory (id, site_id, kind)
      select (c ->> 'id')::uuid, site, c ->> 'kind' from jsonb_array_elements(part -> 'created') c
      on conflict (id) do nothing;
    insert into site_head (site_id, hash) values (site, part ->> 'genesis') on conflict (site_id) do nothing;
    select * into at_site from site_head where site_id = site for update;
    when_ := greatest(moment, coalesce(at_site.last_at, moment));
    when_text := to_char(when_ at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    link := at_site.hash;
    links := array[link];
    n := 0;
    for piece in select e ->> 'head' as head, e ->> 'tail' as tail from jsonb_array_elements(part -> 'entries') e loop
      n := n + 1;
      link := encode(sha256(convert_to(link || piece.head || when_text || piece.tail || (at_site.seq + n) || '}', 'UTF8')), 'hex');
      links := links || link;
    end loop;
    if n > 0 then
      insert into audit_entry (site_id, seq, id, at, work_date, actor_kind, actor_id, actor_name, acting_for, action, cause, entity_type, entity_id,
        entity_label, parent_type, parent_id, changes, salt, reason, request_id, batch_id, reverts_entry_id, changes_digest, prev_hash, hash)
      select site, at_site.seq + nr, (e ->> 'id')::uuid, when_, (e ->> 'work_date')::date, e ->> 'actor_kind', (e ->> 'actor_id')::uuid, e ->> 'actor_name',
        (e ->> 'acting_for')::uuid, e ->> 'action', e ->> 'cause', e ->> 'entity_type', (e ->> 'entity_id')::uuid, e ->> 'entity_label', e ->> 'parent_type',
        (e ->> 'parent_id')::uuid, e -> 'changes', e ->> 'salt', e ->> 'reason', e ->> 'request_id', (e ->> 'batch_id')::uuid,
        (e ->> 'reverts_entry_id')::uuid, e ->> 'changes_digest', links[nr], links[nr + 1]
      from jsonb_array_elements(part -> 'entries') with ordinality as t(e, nr);
    end if;
    insert into event (site_id, event_no, id, kind, schema, at, actor_kind, actor_id, actor_name, actor_role, subject_kind, subject_id, subject_label,
      contractor_ids, place, work_date, payload, request_id)
    select site, at_site.event_no + nr, (e ->> 'id')::uuid, e ->> 'kind', 1, moment, e ->> 'actor_kind', (e ->> 'actor_id')::uuid, e ->> 'actor_name',
      e ->> 'actor_role', e ->> 'subject_kind', (e ->> 'subject_id')::uuid, e ->> 'subject_label',
      array(select c::uuid from jsonb_array_elements_text(e -> 'contractor_ids') c), nullif(e -> 'place', 'null'), (e ->> 'work_date')::date, e -> 'payload', e ->> 'request_id'
    from jsonb_array_elements(part -> 'events') with ordinality as t(e, nr);
    update site_head set
      seq = at_site.seq + n,
      hash = link,
      last_at = case when n > 0 then when_ else at_site.last_at end,
      event_no = at_site.event_no + jsonb_array_length(part -> 'events'),
      revision = at_site.revision + case when jsonb_array_length(part -> 'layers') > 0 then 1 else 0 end,
      layers = at_site.layers || coalesce((select jsonb_object_agg(l, at_site.revision + 1) from jsonb_array_elements_text(part -> 'layers') l), '{}')
    where site_id = site;
  end loop;
end $$;

-- The first answer to a POST under its key, for 24 hours.
create table idempotency_key (
  site_id uuid not null,
  owner text not null,
  key text not null,
  fingerprint text not null,
  made_at timestamptz(3) not null,
  status integer,
  headers jsonb,
  payload text,
  primary key (site_id, owner, key)
);
create index idempotency_key_by_age on idempotency_key (made_at);

-- Calls counted across all nodes, for the limits that the specification names.
create table rate_count (
  bucket text not null,
  window_start timestamptz(3) not null,
  calls integer not null,
  primary key (bucket, window_start)
);

-- Keys and secrets of the installation, made once: signing keys of the built-in provider, cookie keys.
create table platform_secret (
  name text primary key,
  value jsonb not null,
  made_at timestamptz(3) not null
);
