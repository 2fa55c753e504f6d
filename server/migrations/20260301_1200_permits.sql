-- Permits to work: types, appointments, policy, workflow, the permits themselves, what is signed, attached and extended, and sets of imported ones.

create extension if not exists btree_gin;

create table permit_type (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  code text not null,
  name text not null,
  active boolean not null default true,
  requires_parent boolean not null default false,
  is_extendable boolean not null default false,
  single_stage boolean not null default false,
  requires_powra boolean not null default false,
  pre_checks jsonb not null default '[]',
  expected_attachments jsonb not null default '[]',
  default_duration_hours integer,
  system_key text,
  primary key (site_id, id),
  constraint permit_type_code_once_per_site unique (site_id, code)
);
select make_record('permit_type');

create table permit_appointment (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  user_id uuid not null references app_user (id),
  permit_type_id uuid,
  revoked_at timestamptz(3),
  revoked_by uuid,
  primary key (site_id, id),
  foreign key (site_id, permit_type_id) references permit_type (site_id, id)
);
create unique index appointed_once_for_a_type on permit_appointment (site_id, user_id, permit_type_id) nulls not distinct where revoked_at is null;
select make_record('permit_appointment');

-- At most one row a site; none means both policies off.
create table permit_config (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  coverage_policy_enabled boolean not null default false,
  close_out_gate_enabled boolean not null default false,
  nominee_user_id uuid references app_user (id),
  deputy_nominee_user_id uuid references app_user (id),
  expiring_warning_lead_hours integer not null default 24,
  activation_gap_lead_hours integer not null default 24,
  regime text,
  primary key (site_id, id),
  constraint one_permit_config_a_site unique (site_id),
  constraint leads_are_hours_of_a_month check (expiring_warning_lead_hours between 1 and 720 and activation_gap_lead_hours between 1 and 720)
);
select make_record('permit_config');

-- A workflow that a site (or one type on it) has authored. Published versions stand for good: permits pin them.
create table permit_workflow (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_type_code text,
  name text not null,
  published integer not null default 0,
  draft jsonb not null,
  removed_at timestamptz(3),
  primary key (site_id, id)
);
create unique index one_workflow_for_a_type on permit_workflow (site_id, permit_type_code) nulls not distinct where removed_at is null;
select make_record('permit_workflow');

create table permit_workflow_version (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  workflow_id uuid not null,
  number integer not null,
  name text not null,
  graph jsonb not null,
  primary key (site_id, id),
  constraint workflow_version_numbered unique (site_id, workflow_id, number),
  foreign key (site_id, workflow_id) references permit_workflow (site_id, id)
);
select make_record('permit_workflow_version');

create table permit (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_number text,
  status text not null,
  source text not null,
  requestor_id uuid references app_user (id),
  receiver_id uuid references app_user (id),
  contractor_id uuid,
  categories text[] not null default '{}',
  parent_id uuid,
  title text,
  description text,
  controls text,
  location text,
  zone_text text,
  level_text text,
  building_id uuid,
  level_index integer,
  zone_id uuid,
  place_geometry jsonb,
  place_bounds box,
  start_at timestamptz(3),
  end_at timestamptz(3),
  hazards text[] not null default '{}',
  ppe text[] not null default '{}',
  limitations text,
  pre_checks jsonb not null default '[]',
  rams_document_ids uuid[] not null default '{}',
  rams jsonb not null default '[]',
  stage1_controls jsonb,
  stage2_controls jsonb,
  approval_note text,
  reissued_from_id uuid,
  workflow_definition_id uuid not null,
  workflow_version integer not null,
  pinned_single_stage boolean,
  pinned_requires_parent boolean,
  submitted_at timestamptz(3),
  endorsed_at timestamptz(3),
  approved_at timestamptz(3),
  issuer_id uuid,
  issue_signed_at timestamptz(3),
  issued_at timestamptz(3),
  expired_at timestamptz(3),
  handed_back_at timestamptz(3),
  handed_back_complete boolean,
  fire_watch_until timestamptz(3),
  closed_at timestamptz(3),
  expiring_warned_at timestamptz(3),
  set_id uuid,
  touched_at timestamptz(3),
  primary key (site_id, id),
  constraint permit_number_once_per_site unique (site_id, permit_number),
  constraint window_runs_forward check (start_at is null or end_at is null or start_at < end_at),
  constraint submitted_permits_have_a_window check (status in ('draft', 'withdrawn') or (start_at is not null and end_at is not null and cardinality(categories) > 0)),
  constraint what_was_submitted_has_a_number check ((submitted_at is null and source = 'requested') or permit_number is not null),
  constraint an_issue_signature_is_for_the_approved_or_live check (issue_signed_at is null or status not in ('draft', 'requested', 'endorsed', 'corrections_requested', 'rejected', 'withdrawn')),
  constraint nothing_of_the_flow_is_live_unsigned check (source = 'imported' or status not in ('issued', 'expired') or issue_signed_at is not null),
  constraint permit_status_is_known check (status in ('draft', 'requested', 'endorsed', 'approved', 'issued', 'expired', 'closed', 'rejected', 'withdrawn', 'corrections_requested')),
  foreign key (site_id, contractor_id) references contractor (site_id, id),
  foreign key (site_id, parent_id) references permit (site_id, id)
);
create index permit_board on permit (site_id, start_at desc nulls first, id desc);
create index permit_by_status on permit (site_id, status, start_at desc nulls first, id desc);
create index permit_by_contractor on permit (site_id, contractor_id, start_at desc nulls first, id desc);
create index permit_by_requestor on permit (site_id, requestor_id) where requestor_id is not null;
create index permit_by_receiver on permit (site_id, receiver_id) where receiver_id is not null;
create index permit_children on permit (site_id, parent_id) where parent_id is not null;
create index permit_of_set on permit (site_id, set_id) where set_id is not null;
create index permit_by_place on permit using gist (site_id, place_bounds) where place_bounds is not null;
create index permit_by_category on permit using gin (site_id, categories);
create index permit_words on permit using gin (site_id, (coalesce(permit_number, '') || ' ' || coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || coalesce(location, '')) gin_trgm_ops);
create index permit_updated on permit (site_id, updated_at, id);
create index permit_expired_of_firm on permit (site_id, contractor_id) where status = 'expired' and source = 'requested';
-- What the sweeps look for, on every site.
create index permit_running_out on permit (end_at) where status = 'issued';
create index permit_not_warned on permit (site_id, end_at) where status = 'issued' and expiring_warned_at is null;
select make_record('permit');

create table permit_signature (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_id uuid not null,
  number integer not null,
  kind text not null,
  signer_id uuid not null references app_user (id),
  signer_name text not null,
  signer_role text,
  signed_at timestamptz(3) not null,
  note text,
  statement text not null,
  presence jsonb,
  content jsonb not null,
  content_hash text not null,
  prev_hash text not null,
  hash text not null,
  voided_at timestamptz(3),
  void_reason text,
  primary key (site_id, id),
  constraint signatures_follow_each_other unique (site_id, permit_id, number),
  foreign key (site_id, permit_id) references permit (site_id, id)
);
create unique index one_standing_issue_signature on permit_signature (site_id, permit_id) where kind = 'issue' and voided_at is null;
select make_record('permit_signature');

-- A signature stands as it was made; it may be voided, once.
create function permit_signature_stands() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.voided_at is null and new.voided_at is not null
    and (new.permit_id, new.number, new.kind, new.signer_id, new.signer_name, new.signed_at, new.statement, new.content, new.content_hash, new.prev_hash, new.hash)
      is not distinct from (old.permit_id, old.number, old.kind, old.signer_id, old.signer_name, old.signed_at, old.statement, old.content, old.content_hash, old.prev_hash, old.hash)
  then
    return new;
  end if;
  raise exception 'a signature stands as it was made' using errcode = 'WD004';
end $$;
create trigger a_permit_signature_stands before update or delete on permit_signature for each row execute function permit_signature_stands();

create table permit_attachment (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_id uuid not null,
  slot text,
  filename text not null,
  sha256 text not null,
  media_type text not null,
  size bigint not null,
  width integer,
  height integer,
  primary key (site_id, id),
  foreign key (site_id, permit_id) references permit (site_id, id)
);
create index permit_attachment_of on permit_attachment (site_id, permit_id);
select make_record('permit_attachment');

create table permit_extension (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  permit_id uuid not null,
  requested_by uuid not null references app_user (id),
  requested_at timestamptz(3) not null,
  requested_end_at timestamptz(3) not null,
  previous_end_at timestamptz(3) not null,
  reason text,
  status text not null,
  decided_by uuid references app_user (id),
  decided_at timestamptz(3),
  decision_reason text,
  signature_id uuid,
  primary key (site_id, id),
  foreign key (site_id, permit_id) references permit (site_id, id)
);
create unique index one_open_extension on permit_extension (site_id, permit_id) where status = 'requested';
create index permit_extension_of on permit_extension (site_id, permit_id, requested_at);
select make_record('permit_extension');
