-- A location that nobody gave is the centre of the boundary, and follows it.
alter table site add column location_derived boolean not null default false;
