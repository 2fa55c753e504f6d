-- Deliveries and collections on the map: when a vehicle is where on the site, and the slot that it has booked (logistics-and-documents.md §1).
create table delivery (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  number text not null,
  name text not null,
  status text not null,
  direction text not null,
  supplier_name text,
  haulier_name text,
  supplier_reference text,
  vehicle_kind text,
  vehicle_reg text,
  driver_name text,
  driver_phone text,
  vehicle_length_m double precision,
  gross_weight_kg double precision,
  abnormal_load boolean not null,
  dangerous_goods text,
  gate_poi_id uuid,
  bay_id uuid,
  unload_method text,
  unload_plant_id uuid,
  radius_m double precision not null,
  unbooked boolean not null,
  -- What was last booked; kept when the vehicle arrives.
  slot_start_at timestamptz(3),
  slot_end_at timestamptz(3),
  arrived_at timestamptz(3),
  left_at timestamptz(3),
  decided_by uuid,
  decision_note text,
  turned_away_reason text,
  turned_away_note text,
  primary key (site_id, id),
  constraint delivery_number_once unique (site_id, number),
  constraint delivery_leaves_after_it_arrives check (left_at is null or (arrived_at is not null and left_at >= arrived_at)),
  constraint delivery_slot_ends_after_it_starts check (slot_end_at > slot_start_at),
  foreign key (site_id, gate_poi_id) references poi (site_id, id),
  foreign key (site_id, bay_id) references active_area (site_id, id),
  foreign key (site_id, unload_plant_id) references plant (site_id, id)
);
select make_placed('delivery');
-- What takes up a bay or an unloading machine during a time; what is over doesn't matter.
create index delivery_in_bay on delivery using gist (site_id, bay_id, tstzrange(start_at, end_at)) where bay_id is not null and deleted_at is null;
create index delivery_by_plant on delivery using gist (site_id, unload_plant_id, tstzrange(start_at, end_at)) where unload_plant_id is not null and deleted_at is null;
create index delivery_of_status on delivery (site_id, status, end_at) where deleted_at is null;
-- Names, telephone numbers and registrations that are blanked later.
create index delivery_with_people on delivery (start_at) where vehicle_reg is not null or driver_name is not null or driver_phone is not null;
select make_record('delivery');
