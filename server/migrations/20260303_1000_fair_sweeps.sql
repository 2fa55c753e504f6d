-- Sweeps go from site to site: what is due on one of them is found without looking at any other.
create index permit_ended on permit (site_id, end_at, id) where status = 'issued';
drop index permit_running_out;
create index task_overdue on task (site_id, due_at, id) where status = 'open' and overdue_told_at is null;
