-- Which contractor resolves a clash: a contractor that a decision refers to can't be deleted, and a list of contractors says so of each of them.
create index clash_stance_by_contractor on clash_stance (site_id, owner_contractor_id) where owner_contractor_id is not null;
-- Which person does: a person who leaves the site has a successor (decision 1109).
create index clash_stance_by_person on clash_stance (site_id, owner_user_id)
  where owner_user_id is not null and lapsed_at is null and replaced_at is null and withdrawn_at is null;
