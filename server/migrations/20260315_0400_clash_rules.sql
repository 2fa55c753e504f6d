-- Profiles of clash rules (conflict-and-planning.md §2): sets of rules for a phase of the job, of which exactly one is active.
create table rule_profile (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  name_key text not null,
  description text not null default '',
  is_active boolean not null default false,
  based_on_id uuid,
  activated_at timestamptz(3),
  activated_by uuid,
  deleted_at timestamptz(3),
  primary key (site_id, id),
  check (not (is_active and deleted_at is not null))
);
create unique index rule_profile_name_once on rule_profile (site_id, name_key) where deleted_at is null;
create unique index rule_profile_active_once on rule_profile (site_id) where is_active;
select make_record('rule_profile');

-- When each profile was active, for what was computed then.
create table rule_profile_period (
  site_id uuid not null,
  profile_id uuid not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3),
  activated_by uuid,
  primary key (site_id, profile_id, from_at),
  foreign key (site_id, profile_id) references rule_profile (site_id, id) on delete cascade
);

-- Clash rules (§1). `content`: sides, condition, levels, times and outcome. `origin_id` stays the same through copies. `number`: the version of the content.
-- `system_content`: what the standard revision contained, so that a customised rule is recognised.
create table clash_rule (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  profile_id uuid not null,
  origin_id uuid not null,
  system_key text,
  system_revision integer,
  system_content jsonb,
  name text not null,
  name_key text not null,
  description text not null default '',
  enabled boolean not null,
  content jsonb not null,
  number integer not null default 1,
  deleted_at timestamptz(3),
  primary key (site_id, id),
  foreign key (site_id, profile_id) references rule_profile (site_id, id)
);
create unique index clash_rule_name_once on clash_rule (site_id, profile_id, name_key) where deleted_at is null;
create unique index clash_rule_standard_once on clash_rule (site_id, profile_id, system_key) where deleted_at is null;
select make_record('clash_rule');

-- Each version of a rule, with its time: a clash keeps the version that found it.
create table clash_rule_version (
  site_id uuid not null,
  rule_id uuid not null,
  number integer not null,
  state jsonb not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  changed_by uuid,
  change_note text,
  reverted_from integer,
  primary key (site_id, rule_id, number),
  foreign key (site_id, rule_id) references clash_rule (site_id, id) on delete cascade
);

-- What clashes of a rule mean for the work (§3); without a row the defaults apply.
create table clash_consequence (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  clash_rule_id uuid not null,
  effect text not null check (effect in ('none', 'slows', 'stops')),
  affected text not null check (affected in ('a', 'b', 'both', 'later')),
  task_lead_hours integer check (task_lead_hours between 0 and 720),
  blocker_category text not null,
  loss_share_percent integer not null check (loss_share_percent between 0 and 100),
  instruction text not null default '',
  primary key (site_id, id),
  constraint clash_consequence_once unique (site_id, clash_rule_id),
  foreign key (site_id, clash_rule_id) references clash_rule (site_id, id) on delete cascade
);
select make_record('clash_consequence');
