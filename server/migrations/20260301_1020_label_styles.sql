-- How words look on a site's map and prints: one document a site, each change a version of its own.
create table label_style (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  number integer not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  document jsonb not null,
  primary key (site_id, id),
  constraint label_style_number_once unique (site_id, number),
  constraint label_style_ends_after_it_begins check (valid_to is null or valid_to >= valid_from)
);
create unique index one_label_style_in_force on label_style (site_id) where valid_to is null;
select make_record('label_style');
