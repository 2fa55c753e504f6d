-- Weather of sites (site-and-people.md §13). What a provider last said about a cell of 0.01°, for all sites in it.
create table weather_cell (
  cell text primary key,
  answer jsonb,
  fetched_at timestamptz(3),
  read_at timestamptz(3) not null,
  failures integer not null default 0,
  retry_at timestamptz(3)
);
-- Calls of providers by day (UTC), for the budget.
create table weather_call (
  day date primary key,
  calls integer not null
);
-- A past hour of a site: written once for each source, and never again.
create table weather_hour (
  site_id uuid not null references site (site_id),
  at timestamptz(3) not null,
  source text not null check (source in ('recorded', 'reanalysis')),
  issued_at timestamptz(3) not null,
  fetched_at timestamptz(3) not null,
  measures jsonb not null,
  primary key (site_id, at, source)
);
-- The forecast as it was at 06:00 of a site day: what was known when the crane was ordered.
create table weather_kept (
  site_id uuid not null references site (site_id),
  work_date date not null,
  issued_at timestamptz(3) not null,
  hours jsonb not null,
  primary key (site_id, work_date)
);
-- What people were notified of, so that they are notified once: a limit that is forecast, or one that was passed.
create table weather_notice (
  site_id uuid not null references site (site_id),
  limit_key text not null,
  work_date date not null,
  kind text not null check (kind in ('forecast', 'passed')),
  state text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (site_id, limit_key, work_date, kind)
);
