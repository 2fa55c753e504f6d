-- What each site was given when it was created or after an upgrade (site-and-people.md §1): it gets what it never had, and nothing that people deleted comes back.
create table site_seed (
  site_id uuid not null references site (site_id),
  area text not null,
  key text not null,
  primary key (site_id, area, key)
);

-- Every site began with the day shift, which can be deleted; the rest can be told from what is there, deleted or not.
insert into site_seed select site_id, 'shifts', 'day' from site;
insert into site_seed select distinct site_id, 'label-styles', 'styles' from label_style;
insert into site_seed select site_id, 'permits', system_key from permit_type where system_key is not null on conflict do nothing;
insert into site_seed select distinct site_id, 'rule-profiles', 'standard' from rule_profile;
