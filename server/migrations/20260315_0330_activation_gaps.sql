-- Work without a live permit that people were notified of, so that they are notified once for each state (messages.md §0.3). `machine_id`: the first
-- position of a machine that was moved, so that each move isn't reported again; for everything else the record itself.
create table permit_gap (
  site_id uuid not null references site (site_id),
  entity_id uuid not null,
  state text not null check (state in ('approaching', 'open')),
  machine_id uuid not null,
  told_at timestamptz(3) not null,
  primary key (site_id, entity_id, state)
);
create index permit_gap_of_machine on permit_gap (site_id, machine_id, state);
