-- The audit log proves more: every column of an entry lies under its hash, every row's stamps and secrets under its last entry, and events form a
-- chain of their own, to which the entries refer. Entries have a version of their hash; see kernel/audit/domain.ts for what each covers.

alter table audit_entry
  add column v smallint not null default 1,
  -- An update of what the log does not show (stamps, derived columns): in the chain, not in the lists.
  add column quiet boolean not null default false,
  -- Names and reasons lie under a digest with a salt of its own. It is stored only once they are erased.
  add column words_salt text,
  add column words_digest text,
  -- SHA-256 of the salt and the columns of the row that `changes` does not show.
  add column state_digest text,
  -- Last event and its hash, in the last entry of each transaction: event_no;hash
  add column events text;
alter table audit_entry alter column v drop default, alter column quiet drop default;

alter table event
  add column salt text,
  add column digest text,
  add column hash text;
alter table site_head add column event_hash text;

-- The platform signs, too: its erasures and its heads.
alter table signing_key drop constraint signing_key_site_id_fkey;

-- On the log itself one may insert, and erase: changes with their salt, names and reasons with theirs. A nuked site goes as a whole.
create or replace function audit_entry_stands() returns trigger language plpgsql as $$
declare
  allowed audit_entry := old;
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
  end if;
  if tg_op = 'UPDATE' then
    if new.changes is null and new.salt is null then
      allowed.changes := null;
      allowed.salt := null;
    end if;
    if old.words_salt is not null and new.words_salt is null and new.words_digest is not null then
      allowed.words_salt := null;
      allowed.words_digest := new.words_digest;
      allowed.actor_name := new.actor_name;
      allowed.entity_label := new.entity_label;
      allowed.reason := new.reason;
    end if;
    if new is not distinct from allowed then
      return new;
    end if;
  end if;
  raise exception 'the audit trail stands as it is' using errcode = 'WD003';
end $$;

-- The last statement of every writing transaction. Each entry and each event brings the digest of what it says, so that little is hashed while the
-- head is locked: what becomes known only here is the instant, the number and the link.
create or replace function seal(p jsonb, moment timestamptz) returns void language plpgsql as $$
declare
  part jsonb;
  site uuid;
  at_site site_head;
  when_ timestamptz;
  when_text text;
  moment_text text := to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  link text;
  links text[];
  told text;
  told_links text[];
  piece text;
  total integer;
  n integer;
  m integer;
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

    told := at_site.event_hash;
    told_links := '{}';
    m := 0;
    for piece in select e ->> 'digest' from jsonb_array_elements(part -> 'events') e loop
      m := m + 1;
      told := encode(sha256(convert_to(coalesce(told, '') || '{"at":"' || moment_text || '","digest":"' || piece || '","event_no":' || (at_site.event_no + m) || '}', 'UTF8')), 'hex');
      told_links := told_links || told;
    end loop;

    link := at_site.hash;
    links := array[link];
    total := jsonb_array_length(part -> 'entries');
    n := 0;
    for piece in select e ->> 'facts' from jsonb_array_elements(part -> 'entries') e loop
      n := n + 1;
      link := encode(sha256(convert_to(link || '{"at":"' || when_text || '","events":'
        || case when n = total and told is not null then '"' || (at_site.event_no + m) || ';' || told || '"' else 'null' end
        || ',"facts":"' || piece || '","seq":' || (at_site.seq + n) || ',"v":2}', 'UTF8')), 'hex');
      links := links || link;
    end loop;
    if n > 0 then
      insert into audit_entry (site_id, seq, id, at, work_date, actor_kind, actor_id, actor_name, acting_for, action, cause, entity_type, entity_id,
        entity_label, parent_type, parent_id, changes, salt, reason, request_id, batch_id, reverts_entry_id, changes_digest, prev_hash, hash,
        v, quiet, words_salt, state_digest, events)
      select site, at_site.seq + nr, (e ->> 'id')::uuid, when_, (e ->> 'work_date')::date, e ->> 'actor_kind', (e ->> 'actor_id')::uuid, e ->> 'actor_name',
        (e ->> 'acting_for')::uuid, e ->> 'action', e ->> 'cause', e ->> 'entity_type', (e ->> 'entity_id')::uuid, e ->> 'entity_label', e ->> 'parent_type',
        (e ->> 'parent_id')::uuid, e -> 'changes', e ->> 'salt', e ->> 'reason', e ->> 'request_id', (e ->> 'batch_id')::uuid,
        (e ->> 'reverts_entry_id')::uuid, e ->> 'changes_digest', links[nr], links[nr + 1],
        2, (e ->> 'quiet')::boolean, e ->> 'words_salt', e ->> 'state_digest',
        case when nr = total and told is not null then (at_site.event_no + m) || ';' || told end
      from jsonb_array_elements(part -> 'entries') with ordinality as t(e, nr);
    end if;
    insert into event (site_id, event_no, id, kind, schema, at, actor_kind, actor_id, actor_name, actor_role, subject_kind, subject_id, subject_label,
      contractor_ids, place, work_date, payload, request_id, salt, digest, hash)
    select site, at_site.event_no + nr, (e ->> 'id')::uuid, e ->> 'kind', 1, moment, e ->> 'actor_kind', (e ->> 'actor_id')::uuid, e ->> 'actor_name',
      e ->> 'actor_role', e ->> 'subject_kind', (e ->> 'subject_id')::uuid, e ->> 'subject_label',
      array(select c::uuid from jsonb_array_elements_text(e -> 'contractor_ids') c), nullif(e -> 'place', 'null'), (e ->> 'work_date')::date, e -> 'payload', e ->> 'request_id',
      e ->> 'salt', e ->> 'digest', told_links[nr]
    from jsonb_array_elements(part -> 'events') with ordinality as t(e, nr);
    update site_head set
      seq = at_site.seq + n,
      hash = link,
      last_at = case when n > 0 then when_ else at_site.last_at end,
      event_no = at_site.event_no + m,
      event_hash = told,
      revision = at_site.revision + case when jsonb_array_length(part -> 'layers') > 0 then 1 else 0 end,
      layers = at_site.layers || coalesce((select jsonb_object_agg(l, at_site.revision + 1) from jsonb_array_elements_text(part -> 'layers') l), '{}')
    where site_id = site;
  end loop;
end $$;

-- Each chain that is there already gets an entry that fixes what its hashes did not cover: a digest of each thousand entries, and which entries were
-- erased until now. From this entry on every entry has the new hash; an old one after it is found.
do $$
declare
  one site_head;
  actor text := '"actor_id":null,"actor_kind":"job"';
  entry_id uuid;
  request uuid;
  batch uuid;
  salt text;
  words_salt text;
  when_ timestamptz(3);
  day date;
  told jsonb;
  told_text text;
  changes_digest text;
  words_digest text;
  facts text;
  link text;
begin
  for one in select * from site_head where seq > 0 order by site_id loop
    entry_id := gen_random_uuid();
    request := gen_random_uuid();
    batch := gen_random_uuid();
    salt := replace(gen_random_uuid()::text, '-', '');
    words_salt := replace(gen_random_uuid()::text, '-', '');
    when_ := greatest(date_trunc('milliseconds', now()), one.last_at);
    day := (when_ at time zone 'UTC')::date;
    -- Canonical JSON (RFC 8785), written by hand: its parts are numbers and hex digits.
    select '[{"after":{"digests":[' || (
        select string_agg('"' || digest || '"', ',' order by block) from (
          select (e.seq - 1) / 1000 as block, encode(sha256(convert_to(string_agg(jsonb_build_array(e.seq, e.id, e.work_date, e.actor_kind, e.actor_name,
            e.acting_for, e.cause, e.entity_label, e.parent_type, e.parent_id, e.reason, e.batch_id, e.reverts_entry_id)::text, E'\n' order by e.seq), 'UTF8')), 'hex') as digest
          from audit_entry e where e.site_id = one.site_id group by 1) blocks)
      || '],"size":1000,"through":' || one.seq || '},"before":null,"path":"entries"},{"after":['
      || coalesce((select string_agg(e.seq::text, ',' order by e.seq) from audit_entry e where e.site_id = one.site_id and e.changes is null), '')
      || '],"before":null,"path":"erased"}'
      -- The keys of the installation, which had no entry until now: only their digests.
      || case when one.site_id <> '00000000-0000-0000-0000-000000000000' then '' else ',{"after":{'
        || coalesce((select string_agg('"' || k.name || '":"' || encode(sha256(convert_to(k.value::text || ' ' || to_char(k.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8')), 'hex') || '"', ',' order by k.name collate "C") from platform_secret k), '')
        || '},"before":null,"path":"secrets"}' end
      || ']' into told_text;
    told := told_text::jsonb;
    changes_digest := encode(sha256(convert_to(salt || told_text, 'UTF8')), 'hex');
    words_digest := encode(sha256(convert_to(words_salt || '{"actor_name":"walkdown migrate","entity_label":"Audit log","reason":null}', 'UTF8')), 'hex');
    facts := encode(sha256(convert_to('{"acting_for":null,"action":"update",' || actor || ',"batch_id":"' || batch || '","cause":"audit.upgrade","changes_digest":"' || changes_digest
      || '","entity_id":"' || one.site_id || '","entity_type":"audit_log","id":"' || entry_id || '","parent_id":null,"parent_type":null,"quiet":false,"request_id":"' || request
      || '","reverts_entry_id":null,"site_id":"' || one.site_id || '","state_digest":null,"words_digest":"' || words_digest || '","work_date":"' || day || '"}', 'UTF8')), 'hex');
    link := encode(sha256(convert_to(one.hash || '{"at":"' || to_char(when_ at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","events":null,"facts":"' || facts
      || '","seq":' || (one.seq + 1) || ',"v":2}', 'UTF8')), 'hex');
    insert into audit_entry (site_id, seq, id, at, work_date, actor_kind, actor_name, action, cause, entity_type, entity_id, entity_label, changes, salt,
      request_id, batch_id, changes_digest, prev_hash, hash, v, quiet, words_salt)
    values (one.site_id, one.seq + 1, entry_id, when_, day, 'job', 'walkdown migrate', 'update', 'audit.upgrade', 'audit_log', one.site_id, 'Audit log', told, salt,
      request::text, batch, changes_digest, one.hash, link, 2, false, words_salt);
    update site_head set seq = one.seq + 1, hash = link, last_at = when_ where site_id = one.site_id;
  end loop;
end $$;
