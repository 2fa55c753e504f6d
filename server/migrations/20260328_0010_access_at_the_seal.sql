-- The seal reads the access of the person once more, when it has the lock that every write of the site takes last (decision 1110): whoever was removed from the site
-- or got another role while their write waited has that write refused, and the edge decides about it again. Each statement of a function sees what was committed
-- before it, so this one sees a removal that was sealed first.
do $$
declare
  was text := pg_get_functiondef('seal(jsonb, timestamptz)'::regprocedure);
  becomes text := replace(was, 'select * into at_site from site_head where site_id = site for update;', $new$select * into at_site from site_head where site_id = site for update;
    if part ? 'person' and not exists (
      select 1 from app_user u
        left join membership m on m.site_id = (part #>> '{person,site_id}')::uuid and m.user_id = u.id and m.status = 'active'
      where u.id = (part #>> '{person,id}')::uuid and u.disabled_at is null and u.is_superadmin = (part #>> '{person,is_superadmin}')::boolean
        and m.role is not distinct from part #>> '{person,role}' and m.contractor_id is not distinct from (part #>> '{person,contractor_id}')::uuid) then
      raise exception 'The access of the person has changed.' using errcode = 'WD005';
    end if;$new$);
begin
  if becomes = was then raise exception 'seal() does not lock the head as expected'; end if;
  execute becomes;
end $$;
