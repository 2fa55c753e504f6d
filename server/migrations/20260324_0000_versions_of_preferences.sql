-- A person's setting has a version, so that a change from another device isn't overwritten unseen (conventions.md §1, Concurrency).
alter table notification_preference add column version integer not null default 1;
