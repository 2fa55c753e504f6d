-- Each process looks twice a minute for tasks that began to count (1042): it reads these, and not every open task of the site.
create index task_begins on task (site_id, attention_at) where status = 'open';
