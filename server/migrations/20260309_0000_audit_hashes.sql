-- The hash of an entry has a version (shared/proof/algorithms.ts): 2 is SHA-256, 3 is the first half of SHA-512. Events have the same hashes as schema 1
-- and 2. A version that isn't known is refused.
create function audit_digest(v integer, said text) returns text language plpgsql immutable as $$
begin
  if v = 2 then return encode(sha256(convert_to(said, 'UTF8')), 'hex'); end if;
  if v = 3 then return left(encode(sha512(convert_to(said, 'UTF8')), 'hex'), 64); end if;
  raise exception 'The audit log has no hash version %.', v;
end $$;

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
  v integer;
  m integer;
begin
  for part in select value from jsonb_array_elements(p) loop
    site := (part ->> 'site')::uuid;
    v := coalesce((part ->> 'v')::integer, 2);
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
      told := audit_digest(v, coalesce(told, '') || '{"at":"' || moment_text || '","digest":"' || piece || '","event_no":' || (at_site.event_no + m) || '}');
      told_links := told_links || told;
    end loop;

    link := at_site.hash;
    links := array[link];
    total := jsonb_array_length(part -> 'entries');
    n := 0;
    for piece in select e ->> 'facts' from jsonb_array_elements(part -> 'entries') e loop
      n := n + 1;
      link := audit_digest(v, link || '{"at":"' || when_text || '","events":'
        || case when n = total and told is not null then '"' || (at_site.event_no + m) || ';' || told || '"' else 'null' end
        || ',"facts":"' || piece || '","seq":' || (at_site.seq + n) || ',"v":' || v || '}');
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
        v, (e ->> 'quiet')::boolean, e ->> 'words_salt', e ->> 'state_digest',
        case when nr = total and told is not null then (at_site.event_no + m) || ';' || told end
      from jsonb_array_elements(part -> 'entries') with ordinality as t(e, nr);
    end if;
    insert into event (site_id, event_no, id, kind, schema, at, actor_kind, actor_id, actor_name, actor_role, subject_kind, subject_id, subject_label,
      contractor_ids, place, work_date, payload, request_id, salt, digest, hash)
    select site, at_site.event_no + nr, (e ->> 'id')::uuid, e ->> 'kind', v - 1, moment, e ->> 'actor_kind', (e ->> 'actor_id')::uuid, e ->> 'actor_name',
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
      facts_no = at_site.facts_no + case when exists (
        select 1 from jsonb_array_elements(part -> 'entries') e
        where e ->> 'entity_type' in ('site', 'contractor_oversight', 'permit_type', 'permit_config', 'permit_appointment')) then 1 else 0 end,
      layers = at_site.layers || coalesce((select jsonb_object_agg(l, at_site.revision + 1) from jsonb_array_elements_text(part -> 'layers') l), '{}')
    where site_id = site;
  end loop;
end $$;
