-- The second factor of an account: the secret of its authenticator app, encrypted, since when, and the hashes of the recovery codes that are left.
alter table account
  add column factor_secret text,
  add column factor_since timestamptz(3),
  add column recovery_hashes text[],
  add constraint account_factor_complete check ((factor_secret is null) = (factor_since is null) and (factor_secret is null) = (recovery_hashes is null));

-- The last step of thirty seconds of which a code was used, so that each code works once. Not in the account: a sign-in changes no record.
create table account_code_step (
  account_id uuid primary key references account (id) on delete cascade,
  step bigint not null
);
