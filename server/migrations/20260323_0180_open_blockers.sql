-- Reviews of permits show the open blockers of a site (`permits-decisions.md` §2): few of all that there ever were.
create index blocker_open on blocker (site_id, started_at, id) where status = 'open' and deleted_at is null;
