-- What everyone on a site must know now, at a place (site-and-people.md §16). `place` is what a person gave; `area` is the ground that it covers, as it was then.
create table alert (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  title text not null,
  message text,
  severity text not null check (severity in ('info', 'warning', 'danger')),
  category text not null,
  effect text not null check (effect in ('none', 'caution', 'stops')),
  activities text[] not null,
  state text not null check (state in ('scheduled', 'active', 'overdue', 'lapsed', 'resolved')),
  start_at timestamptz(3) not null,
  end_at timestamptz(3),
  contractor_ids uuid[] not null,
  source jsonb not null,
  place jsonb,
  radius_m double precision,
  levels integer[] not null,
  area jsonb,
  building_id uuid,
  bounds box,
  resolved_at timestamptz(3),
  resolved_by uuid,
  resolve_note text,
  -- When it was in force, and what it said then: a period that has ended is never rewritten.
  periods jsonb not null,
  -- Follow from the columns above: danger comes first in lists; all periods lie in the span, which has no end while only a person can end the alert.
  danger integer not null,
  span_from timestamptz(3) not null,
  span_to timestamptz(3),
  primary key (site_id, id),
  constraint an_alert_ends_after_it_starts check (end_at is null or end_at > start_at),
  constraint an_alert_that_stops_names_activities check ((effect = 'stops') = (cardinality(activities) > 0)),
  foreign key (site_id, building_id) references reference_feature (site_id, id)
);
create index alert_in_order on alert (site_id, danger desc, start_at desc, id);
create index alert_open on alert (site_id, danger desc, start_at desc, id) where deleted_at is null and state in ('scheduled', 'active', 'overdue');
create index alert_spans on alert using gist (site_id, tstzrange(span_from, span_to)) where deleted_at is null;
create index alert_by_change on alert (site_id, updated_at);
create index alert_by_raiser on alert (site_id, created_by, created_at);
create index alert_to_start on alert (start_at, site_id) where deleted_at is null and state = 'scheduled';
create index alert_to_end on alert (end_at, site_id) where deleted_at is null and state = 'active' and end_at is not null;
create index alert_by_source on alert (site_id, (source ->> 'kind'), (source ->> 'id'), (source ->> 'key')) where deleted_at is null;
select make_record('alert');

-- Alerts that stop work show on permits, whose facts are remembered: a change of one raises the number of the facts.
do $$
declare
  was text := pg_get_functiondef('seal(jsonb, timestamptz)'::regprocedure);
  becomes text := replace(was, '''contractor'')', '''contractor'', ''alert'')');
begin
  if becomes = was then raise exception 'seal() does not count facts as expected'; end if;
  execute becomes;
end $$;
