-- Workers look every few seconds for runs that nobody will end (decision 1059): few of all that are kept have not ended.
create index job_run_unended on job_run (kind, id) where state in ('queued', 'running');
