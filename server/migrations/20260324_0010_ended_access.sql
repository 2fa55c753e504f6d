-- An open live connection ends together with the session or the account that it was opened with. The processes are notified when that commits, whoever
-- ended it and wherever: a page, another process or the terminal. They then look for themselves (731, 1041).
create function notify_of_access() returns trigger language plpgsql as $$
begin
  notify walkdown_events, 'access';
  return null;
end $$;
create function notify_of_ended_sessions() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ended where kind = 'Grant') then
    notify walkdown_events, 'access';
  end if;
  return null;
end $$;
create trigger oidc_item_ended after delete on oidc_item referencing old table as ended for each statement execute function notify_of_ended_sessions();
create trigger app_user_access_changed after update on app_user for each row
  when (old.disabled_at is distinct from new.disabled_at or old.is_superadmin is distinct from new.is_superadmin) execute function notify_of_access();
create trigger app_user_access_ended after delete on app_user for each row execute function notify_of_access();
