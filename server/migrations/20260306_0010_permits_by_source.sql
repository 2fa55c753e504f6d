-- Imported permits on a site with a million others, and the other way round: without this, a page of them reads every permit of the site.
create index permit_by_source on permit (site_id, source, start_at desc nulls first, id desc);
