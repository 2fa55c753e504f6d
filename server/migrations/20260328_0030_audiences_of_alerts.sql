-- The alerts of a site that are for some contractors: they keep a contractor from being deleted, as every other reference does (decision 1126).
create index alert_with_audience on alert (site_id) where cardinality(contractor_ids) > 0;
