-- Blockers (flow-of-work.md §1): what stops or slows work that people are here to do, who can clear it, and whose work it stops.
create table blocker (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  number text not null,
  title text not null,
  description text not null,
  category text not null,
  -- The record that it was declared from, and everything that was pointed at then.
  source_kind text not null,
  source_id uuid not null,
  pointers jsonb not null,
  -- Who can clear it; null until someone says so.
  responsible_kind text check (responsible_kind in ('contractor', 'nobody')),
  responsible_contractor_id uuid,
  building_id uuid,
  level_index integer,
  zone_id uuid,
  started_at timestamptz(3) not null,
  status text not null check (status in ('open', 'resolved')),
  cleared_at timestamptz(3),
  cleared_how text,
  primary key (site_id, id),
  constraint one_blocker_per_number unique (site_id, number),
  foreign key (site_id, responsible_contractor_id) references contractor (site_id, id),
  constraint a_contractor_is_named check ((responsible_kind is not distinct from 'contractor') = (responsible_contractor_id is not null)),
  constraint a_resolved_blocker_is_cleared check ((status = 'resolved') = (cleared_at is not null) and (cleared_at is null) = (cleared_how is null))
);
create index blocker_of_source on blocker (site_id, source_id, source_kind) where deleted_at is null;
create index blocker_of_responsible on blocker (site_id, responsible_contractor_id) where responsible_contractor_id is not null;
select make_record('blocker');

-- One contractor's work that a blocker stops, from when to when.
create table blocker_entry (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  blocker_id uuid not null,
  contractor_id uuid not null,
  -- Gangs and machines, by what stays the same when they repeat or move.
  tokens jsonb not null,
  effect text not null check (effect in ('none', 'slows', 'stops')),
  loss_share_percent integer not null check (loss_share_percent between 0 and 100),
  from_at timestamptz(3) not null,
  to_at timestamptz(3),
  restart_reason text,
  origin text not null check (origin in ('declared', 'claimed', 'added')),
  primary key (site_id, id),
  foreign key (site_id, blocker_id) references blocker (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id),
  constraint an_entry_ends_after_it_begins check (to_at >= from_at)
);
create index blocker_entry_of on blocker_entry (site_id, blocker_id, id);
create index blocker_entry_of_contractor on blocker_entry (site_id, contractor_id, blocker_id);
select make_record('blocker_entry');
