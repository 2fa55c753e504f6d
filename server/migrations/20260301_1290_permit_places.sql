-- A permit stands in a building or a zone of its site's frame.
alter table permit
  add constraint permit_stands_in_a_building foreign key (site_id, building_id) references reference_feature (site_id, id),
  add constraint permit_stands_in_a_zone foreign key (site_id, zone_id) references reference_feature (site_id, id),
  add constraint permit_level_is_of_a_building check (level_index is null or building_id is not null);
create index permit_in_building on permit (site_id, building_id, level_index);
create index permit_in_zone on permit (site_id, zone_id);
create index permit_still_unplaced on permit (site_id, permit_number) where source = 'imported' and building_id is null and zone_id is null;
