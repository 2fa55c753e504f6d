-- Text as the lists search in it (`q`): whatever its case, and whatever its accents: “Müller” is found by “muller”, and “Muller” by “müller”. Letters that Unicode
-- doesn't take apart are written out. `searchable` of the service does the same, and a test compares the two for every letter (decision 1111).
create or replace function text_without_accents(words text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return replace(replace(replace(replace(translate(
    fold_text(regexp_replace(normalize(words, NFKD) collate "C", '[\u0300-\u036f]', '', 'g')),
    'øđłħŧı', 'odlhti'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th');
end $$;

-- Not strict, so that PostgreSQL writes it into the statement: text of ASCII alone, which is most of it, then needs no call.
create or replace function search_text(words text) returns text language sql immutable parallel safe
  return case when octet_length(words) = char_length(words) then btrim(lower(words collate "C"), E' \t\n\u000b\f\r') else text_without_accents(words) end;

-- The words of permits are stored as they are searched. Those of ASCII alone are so already.
update permit_words set words = search_text(words) where not plain;

create or replace function write_permit_words() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into permit_words
    select n.site_id, n.id, search_text(coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, '')) from new_rows n;
  elsif tg_op = 'DELETE' then
    delete from permit_words w using old_rows o where w.site_id = o.site_id and w.permit_id = o.id;
  elsif exists (select id, permit_number, title, description, location from new_rows except select id, permit_number, title, description, location from old_rows) then
    update permit_words w
    set words = search_text(coalesce(n.permit_number, '') || ' ' || coalesce(n.title, '') || ' ' || coalesce(n.description, '') || ' ' || coalesce(n.location, ''))
    from new_rows n join old_rows o on o.id = n.id
    where w.site_id = n.site_id and w.permit_id = n.id
      and (n.permit_number, n.title, n.description, n.location) is distinct from (o.permit_number, o.title, o.description, o.location);
  end if;
  return null;
end $$;
