-- A job that ends its process each time would otherwise be started for ever (decision 1077).
alter table job_run add column interruptions integer not null default 0;
