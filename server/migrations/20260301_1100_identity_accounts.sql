-- People of the built-in identity provider. Known to the rest of the house by issuer and subject alone, as those of any provider are.
create table account (
  id uuid primary key,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  email text not null,
  email_key text not null,
  name text not null,
  locale text,
  password_hash text,
  password_changed_at timestamptz(3),
  must_change_password boolean not null default false,
  email_confirmed_at timestamptz(3),
  disabled_at timestamptz(3),
  constraint account_address_once unique (email_key)
);
select make_record('account', true);

-- What is given out by mail to prove an address: only the hash, for one purpose, for a short while.
create table account_token (
  token_hash text primary key,
  account_id uuid not null references account (id) on delete cascade,
  purpose text not null,
  made_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index account_token_of on account_token (account_id, purpose);
create index account_token_by_end on account_token (expires_at);

-- Sessions, codes, refresh tokens and grants of the provider. Ids are secrets of their holders, so only their hashes stand here.
create table oidc_item (
  kind text not null,
  id_hash text not null,
  uid_hash text,
  grant_hash text,
  account_id text,
  payload jsonb not null,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (kind, id_hash)
);
create index oidc_item_by_uid on oidc_item (uid_hash) where uid_hash is not null;
create index oidc_item_of_grant on oidc_item (grant_hash) where grant_hash is not null;
create index oidc_item_of_account on oidc_item (account_id) where account_id is not null;
create index oidc_item_by_end on oidc_item (expires_at);

create index rate_count_by_window on rate_count (window_start);
