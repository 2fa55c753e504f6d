-- Area stops (permits-decisions.md §4, 7): work stands still at a place, and each live permit there must be revalidated before its work goes on. Place and
-- time of a stop are those of its alert.
create table area_stop (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  alert_id uuid not null,
  reason text not null,
  primary key (site_id, id),
  constraint one_stop_per_alert unique (site_id, alert_id),
  foreign key (site_id, alert_id) references alert (site_id, id)
);
create index area_stop_in_order on area_stop (site_id, created_at desc, id desc);
select make_record('area_stop');

-- A permit that a stop stopped, and its revalidation.
create table area_stop_permit (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  stop_id uuid not null,
  permit_id uuid not null,
  cause text not null check (cause in ('stop', 'went_live')),
  revalidated_at timestamptz(3),
  signature_id uuid,
  primary key (site_id, id),
  constraint a_stop_stops_a_permit_once unique (site_id, stop_id, permit_id),
  constraint a_revalidation_is_signed check ((revalidated_at is null) = (signature_id is null)),
  foreign key (site_id, stop_id) references area_stop (site_id, id),
  foreign key (site_id, permit_id) references permit (site_id, id),
  foreign key (site_id, signature_id) references permit_signature (site_id, id)
);
create index area_stop_permit_waiting on area_stop_permit (site_id, permit_id) where revalidated_at is null;
create index area_stop_permit_by_permit on area_stop_permit (site_id, permit_id);
select make_record('area_stop_permit');

-- Stopped permits show on boards and wallets with the remembered facts of the site, so a change of these raises the number of the facts.
do $$
declare
  was text := pg_get_functiondef('seal(jsonb, timestamptz)'::regprocedure);
  becomes text := replace(was, '''alert'')', '''alert'', ''area_stop'', ''area_stop_permit'')');
begin
  if becomes = was then raise exception 'seal() does not count facts as expected'; end if;
  execute becomes;
end $$;
