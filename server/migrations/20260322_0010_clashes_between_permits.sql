-- Badges and lists of permits read the stored clashes between permits (conflict-and-planning.md §4.6); on a site with many gangs these are few among all that are kept.
create index clash_between_permits on clash (site_id, to_at) where a ->> 'kind' = 'permit' and b ->> 'kind' = 'permit';
