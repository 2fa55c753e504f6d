-- Each upload of a register is a set; uploading again points the permits that match to the newest one.
create table permit_set (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  filename text not null,
  sha256 text not null,
  format_id text not null,
  rows_read integer not null,
  rows_new integer not null,
  rows_updated integer not null,
  rows_unchanged integer not null,
  rows_refused integer not null,
  archived_at timestamptz(3),
  primary key (site_id, id)
);
create index permit_set_newest on permit_set (site_id, created_at desc, id desc);
select make_record('permit_set');

alter table permit add constraint permit_of_a_set foreign key (site_id, set_id) references permit_set (site_id, id);
create index permit_reissued_from on permit (site_id, reissued_from_id) where reissued_from_id is not null;
