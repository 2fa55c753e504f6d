-- Invitations of both kinds: by mail to one person, by link or poster to many.
create table invite (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  kind text not null,
  role text not null,
  contractor_id uuid,
  contractor_choice boolean not null default false,
  email text,
  email_key text,
  name text,
  message text,
  label text,
  expires_at timestamptz(3) not null,
  max_uses integer not null,
  uses integer not null default 0,
  approval text not null,
  approval_forced_by text,
  sends integer not null default 0,
  last_sent_at timestamptz(3),
  resent_at timestamptz(3)[] not null default '{}',
  bounced_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (site_id, id),
  constraint invite_not_used_beyond_its_uses check (uses between 0 and max_uses),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create index invite_newest on invite (site_id, created_at desc, id desc);
create index invite_to_address on invite (site_id, email_key) where email_key is not null;
create index invite_by_contractor on invite (site_id, contractor_id) where contractor_id is not null;
select make_record('invite');

-- Who came by an invitation. Without a membership: a place that is kept for somebody who has an account and has yet to sign in.
create table invite_use (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  invite_id uuid not null,
  user_id uuid not null references app_user (id),
  membership_id uuid,
  accepted_at timestamptz(3),
  primary key (site_id, id),
  constraint invite_used_once_a_person unique (site_id, invite_id, user_id),
  foreign key (site_id, invite_id) references invite (site_id, id),
  foreign key (site_id, membership_id) references membership (site_id, id)
);
select make_record('invite_use');

-- Finds the site of a token before anything is known of its holder. Only the hash; the invitation says whether it still holds.
create table invite_token (
  token_hash text primary key,
  site_id uuid not null,
  invite_id uuid not null
);
create index invite_token_of on invite_token (site_id, invite_id);
