-- Smart groups: saved questions with a name. Members are never stored.

create table smart_group (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  owner_id uuid not null references app_user (id),
  name text not null,
  description text,
  subject text not null,
  predicate jsonb not null,
  visibility text not null,
  colour text,
  icon text,
  sort integer not null default 0,
  primary key (site_id, id),
  constraint smart_group_visibility_is_known check (visibility in ('private', 'shared'))
);
create unique index smart_group_name_once_among_shared on smart_group (site_id, fold_text(name)) where visibility = 'shared';
create unique index smart_group_name_once_among_own on smart_group (site_id, owner_id, fold_text(name)) where visibility = 'private';
create index smart_group_listed on smart_group (site_id, sort, id);
select make_record('smart_group');
