-- What the clash rules find on a site (conflict-and-planning.md §4). All but the stances follows from other tables and the clock: the past is kept as it was found.

-- How far clashes are known on a site, and near what its distances are measured while nobody has drawn it.
create table clash_site (
  site_id uuid not null references site (site_id),
  horizon_to timestamptz(3) not null,
  lon double precision,
  lat double precision,
  -- Until when the clock has been followed.
  followed_to timestamptz(3) not null,
  primary key (site_id)
);

-- The run of clashes of one rule between the same two lineages, on which people decide once. Open ends are null.
create table clash_episode (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null default 1,
  updated_at timestamptz(3) not null,
  origin_id uuid not null,
  lineage_a uuid not null,
  lineage_b uuid not null,
  contractor_a uuid,
  contractor_b uuid,
  status text not null check (status in ('open', 'ended')),
  severity text not null check (severity in ('amber', 'red')),
  peak_severity text not null check (peak_severity in ('amber', 'red')),
  least_distance_m double precision not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3),
  clash_count integer not null,
  opened_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_reason text,
  reopened_count integer not null default 0,
  -- What is shown: the rule and the sides of its next clash, or of the last one.
  rule_id uuid not null,
  a jsonb not null,
  b jsonb not null,
  place jsonb not null,
  -- Start of the clash that is current or next, and the first end after now: when the clock has to look again.
  next_at timestamptz(3),
  look_at timestamptz(3),
  primary key (site_id, id),
  foreign key (site_id, rule_id) references clash_rule (site_id, id)
);
create index clash_episode_of_lineages on clash_episode (site_id, origin_id, lineage_a, lineage_b);
create index clash_episode_open on clash_episode (site_id, next_at, id) where status = 'open';
create index clash_episode_newest on clash_episode (site_id, opened_at desc, id);
create index clash_episode_of_rule on clash_episode (site_id, rule_id, status);
create index clash_episode_by_change on clash_episode (site_id, updated_at);
create index clash_episode_to_look_at on clash_episode (site_id, look_at) where status = 'open';

-- When people are asked to settle an episode, when its owner is late, and whether they have been asked.
create table clash_asked (
  site_id uuid not null references site (site_id),
  episode_id uuid not null,
  task_at timestamptz(3),
  task_raised boolean not null,
  overdue_at timestamptz(3),
  overdue_raised boolean not null,
  primary key (site_id, episode_id),
  foreign key (site_id, episode_id) references clash_episode (site_id, id) on delete cascade
);
create index clash_asked_when on clash_asked (site_id, task_at) where task_at is not null and not task_raised;
create index clash_asked_late on clash_asked (site_id, overdue_at) where overdue_at is not null and not overdue_raised;

-- One rule, one pair of sides, one unbroken time.
create table clash (
  site_id uuid not null references site (site_id),
  id uuid not null,
  episode_id uuid not null,
  rule_id uuid not null,
  rule_version integer not null,
  origin_id uuid not null,
  severity text not null check (severity in ('amber', 'red')),
  from_at timestamptz(3) not null,
  to_at timestamptz(3),
  a_id uuid not null,
  b_id uuid not null,
  a jsonb not null,
  b jsonb not null,
  distance_m double precision not null,
  level_gap integer not null,
  nearest jsonb not null,
  reasons jsonb not null,
  building_ids uuid[] not null,
  level_indexes integer[] not null,
  zone_ids uuid[] not null,
  detected_at timestamptz(3) not null,
  primary key (site_id, id),
  foreign key (site_id, episode_id) references clash_episode (site_id, id) on delete cascade,
  check (to_at >= from_at)
);
create index clash_of_episode on clash (site_id, episode_id, from_at);
create index clash_during on clash using gist (site_id, tstzrange(from_at, to_at));
create index clash_in_order on clash (site_id, from_at, id);
create index clash_of_a on clash (site_id, a_id, to_at);
create index clash_of_b on clash (site_id, b_id, to_at);

-- What happened to an episode.
create table clash_episode_event (
  site_id uuid not null references site (site_id),
  episode_id uuid not null,
  number integer not null,
  kind text not null,
  at timestamptz(3) not null,
  severity text not null,
  distance_m double precision not null,
  reason text,
  primary key (site_id, episode_id, number),
  foreign key (site_id, episode_id) references clash_episode (site_id, id) on delete cascade
);

-- What was linked to each permit when its clashes were computed last: when a link goes, the permit is somewhere else.
create table clash_permit_link (
  site_id uuid not null references site (site_id),
  entity_id uuid not null,
  permit_id uuid not null,
  primary key (site_id, entity_id, permit_id)
);
create index clash_permit_link_of on clash_permit_link (site_id, permit_id);

-- What a person decided about an episode (§4.5). One is in force: that without an end.
create table clash_stance (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  episode_id uuid not null,
  kind text not null check (kind in ('accepted', 'not_a_clash', 'resolving')),
  reason text not null,
  controls text not null,
  owner_user_id uuid references app_user (id),
  owner_contractor_id uuid,
  due_at timestamptz(3),
  covers_until timestamptz(3),
  accepted_severity text not null check (accepted_severity in ('amber', 'red')),
  accepted_distance_m double precision not null,
  contractor_a uuid,
  contractor_b uuid,
  set_at timestamptz(3) not null,
  set_by uuid,
  lapsed_at timestamptz(3),
  lapse_reason text,
  replaced_at timestamptz(3),
  withdrawn_at timestamptz(3),
  primary key (site_id, id),
  foreign key (site_id, episode_id) references clash_episode (site_id, id),
  foreign key (site_id, owner_contractor_id) references contractor (site_id, id),
  check ((lapsed_at is null) = (lapse_reason is null))
);
create unique index clash_stance_in_force on clash_stance (site_id, episode_id) where lapsed_at is null and replaced_at is null and withdrawn_at is null;
create index clash_stance_of on clash_stance (site_id, episode_id, set_at);
select make_record('clash_stance');
