-- Users, sites, firms, memberships.

create table app_user (
  id uuid primary key,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  issuer text not null,
  subject text not null,
  email text,
  email_verified boolean not null default false,
  name text not null,
  locale text,
  timezone text,
  is_superadmin boolean not null default false,
  superadmin_granted boolean not null default false,
  claims_at timestamptz(3),
  disabled_at timestamptz(3),
  erased_at timestamptz(3),
  constraint user_known_by_issuer_and_subject unique (issuer, subject)
);
create index app_user_by_email on app_user (lower(email));
select make_record('app_user', true);

-- When somebody was last here, to five minutes. Not a record: it says nothing that could be disputed.
create table app_user_seen (
  user_id uuid primary key references app_user (id),
  seen_at timestamptz(3) not null
);

create table site (
  site_id uuid primary key,
  id uuid generated always as (site_id) stored,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  code text not null,
  timezone text not null,
  address_lines text[] not null default '{}',
  locality text,
  postal_code text,
  country_code text,
  location_lon double precision,
  location_lat double precision,
  boundary jsonb,
  boundary_bounds box,
  boundary_area_m2 double precision,
  boundary_updated_at timestamptz(3),
  locale text not null default 'en-GB',
  currency text not null default 'GBP',
  starts_on date,
  planned_finish_on date,
  work_weekdays integer[],
  holidays jsonb not null default '[]',
  extra_work_dates jsonb not null default '[]',
  terrain text not null default 'suburban',
  weather_limits jsonb not null default '[]',
  main_contractor_id uuid,
  oversight_transitive boolean not null default false,
  observation_threshold integer default 15,
  emergency_phone text,
  settings jsonb not null default '{}',
  public_listing boolean not null default false,
  locked_at timestamptz(3),
  locked_by uuid,
  lock_reason text,
  deleted_at timestamptz(3),
  nuked_at timestamptz(3),
  needs_attention jsonb not null default '[]',
  constraint site_code_once unique (code)
);
create index site_by_name on site (lower(name), site_id);
select make_record('site');

-- Numbers that people read (PTW-000123), counted by site.
create table site_counter (
  site_id uuid not null references site (site_id),
  name text not null,
  last bigint not null,
  primary key (site_id, name)
);

create table contractor (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  name_key text not null,
  short_name text not null,
  aliases text[] not null default '{}',
  colour text not null,
  colour_source text not null default 'derived',
  trades text[] not null default '{}',
  registration_number text,
  email text,
  phone text,
  address text,
  logo_sha256 text,
  logo_type text,
  logo_version integer not null default 0,
  status text not null default 'active',
  source text not null default 'manual',
  primary key (site_id, id)
);
create index contractor_by_key on contractor (site_id, name_key, id);
select make_record('contractor');

alter table site add constraint main_contractor_is_of_the_site foreign key (site_id, main_contractor_id) references contractor (site_id, id);

-- Every name that a firm goes by, its aliases included: one name means one firm.
create table contractor_name (
  site_id uuid not null,
  folded text not null,
  key text not null,
  contractor_id uuid not null,
  constraint contractor_name_means_one_firm primary key (site_id, folded),
  foreign key (site_id, contractor_id) references contractor (site_id, id) on delete cascade
);
create index contractor_name_by_key on contractor_name (site_id, key);
create index contractor_name_of on contractor_name (site_id, contractor_id);

create table main_contractor_period (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  contractor_id uuid not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3),
  primary key (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create unique index one_main_contractor_at_a_time on main_contractor_period (site_id) where to_at is null;
create index main_contractor_period_by_time on main_contractor_period (site_id, from_at desc);
select make_record('main_contractor_period');

create table contractor_oversight (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  overseer_id uuid not null,
  subordinate_id uuid not null,
  primary key (site_id, id),
  constraint oversight_once unique (site_id, overseer_id, subordinate_id),
  foreign key (site_id, overseer_id) references contractor (site_id, id),
  foreign key (site_id, subordinate_id) references contractor (site_id, id)
);
create index oversight_up on contractor_oversight (site_id, subordinate_id);
select make_record('contractor_oversight');

create table membership (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  user_id uuid not null references app_user (id),
  role text not null,
  contractor_id uuid,
  status text not null,
  why_pending text,
  requested_contractor_name text,
  invite_id uuid,
  approved_by uuid,
  approved_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by uuid,
  primary key (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create unique index one_membership_a_person on membership (site_id, user_id) where status <> 'ended';
create index membership_of_user on membership (user_id, status);
create index membership_by_contractor on membership (site_id, contractor_id) where status = 'active';
create index membership_waiting on membership (site_id, created_at) where status = 'pending';
select make_record('membership');

-- Addresses that get no mail (the operator's area fills it; invitations ask it).
create table email_suppression (
  email text primary key,
  reason text not null,
  status text,
  diagnostic text,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  count integer not null default 1,
  cleared_at timestamptz(3),
  cleared_by uuid
);
