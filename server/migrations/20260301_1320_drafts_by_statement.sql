-- Drafts of the trail are made once a statement, not once a row: an import of 20,000 permits is a few statements.
-- A draft lives from its statement to the seal of the same transaction, so that no crash can leave one behind that counted: it needs no log.
alter table audit_draft set unlogged;
alter table audit_draft set (toast_tuple_target = 8160);
alter table audit_draft alter column before type json using before::json, alter column before set storage external;
alter table audit_draft alter column after type json using after::json, alter column after set storage external;

-- Transactions with drafts that were not sealed yet: looked at once at the commit, whatever the number of rows.
create unlogged table audit_open (
  site_id uuid not null,
  txid xid8 not null default pg_current_xact_id(),
  primary key (site_id, txid)
);

create function audit_open_is_sealed() returns trigger language plpgsql as $$
declare
  left_over record;
begin
  select d.table_name, d.record_id into left_over from audit_draft d where d.site_id = new.site_id and d.txid = new.txid limit 1;
  if found then
    raise exception 'unsealed change of % %', left_over.table_name, left_over.record_id using errcode = 'WD002';
  end if;
  return null;
end $$;
create constraint trigger audit_open_must_be_sealed after insert on audit_open
  deferrable initially deferred for each row execute function audit_open_is_sealed();
drop trigger audit_draft_must_be_sealed on audit_draft;
drop function audit_draft_is_sealed();

-- Makes a table a record. Each has functions of its own, so that their statements are planned once; what belongs to no site is drafted on the platform.
create or replace function make_record(table_name regclass, platform boolean default false) returns void language plpgsql as $make$
declare
  short text := (select c.relname from pg_class c where c.oid = table_name);
  new_site text := case when platform then '''00000000-0000-0000-0000-000000000000''::uuid' else 'n.site_id' end;
  old_site text := case when platform then '''00000000-0000-0000-0000-000000000000''::uuid' else 'o.site_id' end;
  head text := 'begin if current_setting(''walkdown.erasing'', true) = ''on'' then return null; end if; ';
  tail text := ' on conflict do nothing; return null; end';
begin
  execute format('create trigger record_stamp before insert or update on %s for each row execute function record_stamp()', table_name);

  execute format('create function %I() returns trigger language plpgsql as %L', short || '_drafts_insert', head || format(
    'insert into audit_draft (site_id, record_id, version, op, table_name, after) select %s, n.id, n.version, ''I'', %L, row_to_json(n) from new_rows n;
     insert into audit_open (site_id) select distinct %s from new_rows n', new_site, short, new_site) || tail);
  execute format('create trigger record_draft after insert on %s referencing new table as new_rows for each statement execute function %I()', table_name, short || '_drafts_insert');

  execute format('create function %I() returns trigger language plpgsql set enable_nestloop = off as %L', short || '_drafts_update', head || format(
    'insert into audit_draft (site_id, record_id, version, op, table_name, before, after) select %s, n.id, n.version, ''U'', %L, row_to_json(o), row_to_json(n)
     from new_rows n join old_rows o on o.id = n.id;
     insert into audit_open (site_id) select distinct %s from new_rows n', new_site, short, new_site) || tail);
  execute format('create trigger record_draft_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function %I()', table_name, short || '_drafts_update');

  execute format('create function %I() returns trigger language plpgsql as %L', short || '_drafts_delete', head || format(
    'insert into audit_draft (site_id, record_id, version, op, table_name, before) select %s, o.id, o.version, ''D'', %L, row_to_json(o) from old_rows o;
     insert into audit_open (site_id) select distinct %s from old_rows o', old_site, short, old_site) || tail);
  execute format('create trigger record_draft_delete after delete on %s referencing old table as old_rows for each statement execute function %I()', table_name, short || '_drafts_delete');
end $make$;

do $$
declare
  one record;
begin
  for one in select t.tgrelid::regclass as name, t.tgnargs > 0 as platform from pg_trigger t where t.tgname = 'record_draft' and not t.tgisinternal loop
    execute format('drop trigger record_draft on %s', one.name);
    execute format('drop trigger record_stamp on %s', one.name);
    perform make_record(one.name, one.platform);
  end loop;
end $$;
drop function record_draft();

-- Words by which permits are searched stand beside them: a step that changes no word does not touch their index. No foreign key: the triggers
-- that write them are the one way in, and its check would be made for each row of an import.
drop index permit_words;
create table permit_words (
  site_id uuid not null,
  permit_id uuid not null,
  words text not null,
  primary key (site_id, permit_id)
);
insert into permit_words select p.site_id, p.id, coalesce(p.permit_number, '') || ' ' || coalesce(p.title, '') || ' ' || coalesce(p.description, '') || ' ' || coalesce(p.location, '') from permit p;
create index permit_words_like on permit_words using gin (site_id, words gin_trgm_ops);

-- A set operation and a hash, never a loop: of what a statement changed there are no statistics.
create function write_permit_words() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into permit_words
    select n.site_id, n.id, coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, '') from new_rows n;
  elsif tg_op = 'DELETE' then
    delete from permit_words w using old_rows o where w.site_id = o.site_id and w.permit_id = o.id;
  elsif exists (select id, permit_number, title, description, location from new_rows except select id, permit_number, title, description, location from old_rows) then
    update permit_words w
    set words = coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, '')
    from new_rows n join old_rows o on o.id = n.id
    where w.site_id = n.site_id and w.permit_id = n.id
      and (n.permit_number, n.title, n.description, n.location) is distinct from (o.permit_number, o.title, o.description, o.location);
  end if;
  return null;
end $$;
create trigger permit_words_insert after insert on permit referencing new table as new_rows for each statement execute function write_permit_words();
create trigger permit_words_update after update on permit referencing old table as old_rows new table as new_rows for each statement execute function write_permit_words();
create trigger permit_words_delete after delete on permit referencing old table as old_rows for each statement execute function write_permit_words();

-- Most permits stand in no building and no zone while only words say where: those need no place in these.
drop index permit_in_building;
drop index permit_in_zone;
create index permit_in_building on permit (site_id, building_id, level_index) where building_id is not null;
create index permit_in_zone on permit (site_id, zone_id) where zone_id is not null;
