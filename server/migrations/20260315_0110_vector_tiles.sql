-- Finds when something on a layer of the map last started or ended, whatever their number (map.md §11). Starts have an index already, except those of versions.
create index worker_by_end on worker (site_id, end_at) where end_at is not null;
create index plant_by_end on plant (site_id, end_at) where end_at is not null;
create index delivery_by_end on delivery (site_id, end_at) where end_at is not null;
create index active_area_by_end on active_area (site_id, end_at) where end_at is not null;
create index active_area_by_version on active_area (site_id, version_from) where version_from is not null;
create index active_area_version_by_start on active_area_version (site_id, valid_from);
create index reference_feature_version_by_start on reference_feature_version (site_id, valid_from);
create index reference_feature_version_by_end on reference_feature_version (site_id, valid_to) where valid_to is not null;
