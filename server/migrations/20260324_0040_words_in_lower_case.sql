-- Words to search by are in lower case, so that a search compares bytes (`like`). `ilike` lowers the words of every permit again in each search, which takes three times
-- as long (decision 1056).
drop index permit_words_like;
update permit_words set words = lower(words) where words <> lower(words);
create index permit_words_like on permit_words using gin (site_id, words gin_trgm_ops);

create or replace function write_permit_words() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into permit_words
    select n.site_id, n.id, lower(coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, '')) from new_rows n;
  elsif tg_op = 'DELETE' then
    delete from permit_words w using old_rows o where w.site_id = o.site_id and w.permit_id = o.id;
  elsif exists (select id, permit_number, title, description, location from new_rows except select id, permit_number, title, description, location from old_rows) then
    update permit_words w
    set words = lower(coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, ''))
    from new_rows n join old_rows o on o.id = n.id
    where w.site_id = n.site_id and w.permit_id = n.id
      and (n.permit_number, n.title, n.description, n.location) is distinct from (o.permit_number, o.title, o.description, o.location);
  end if;
  return null;
end $$;
