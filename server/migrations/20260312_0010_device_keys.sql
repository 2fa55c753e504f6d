-- The key with which the app encrypts what it stores on a person's devices, itself encrypted with a secret of the installation. Erasing the person deletes it.
create table device_key (
  user_id uuid primary key references app_user (id) on delete cascade,
  id uuid not null,
  encrypted text not null,
  made_at timestamptz(3) not null
);
