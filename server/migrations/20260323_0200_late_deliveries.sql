-- Slots whose vehicles people were notified of as late, so that they are notified once for each slot (logistics-and-documents.md §1).
create table delivery_late (
  site_id uuid not null references site (site_id),
  delivery_id uuid not null,
  slot_start_at timestamptz(3) not null,
  primary key (site_id, delivery_id, slot_start_at),
  foreign key (site_id, delivery_id) references delivery (site_id, id)
);
-- The sweep looks for booked vehicles whose slot began in the last day.
create index delivery_booked on delivery (site_id, start_at) where status = 'booked' and deleted_at is null;
