-- Filters of the board that few of the permits of a site fulfil. Without these, a page of them reads every permit of the site.
create index permit_by_end on permit (site_id, end_at);
create index permit_handed_back on permit (site_id, start_at desc nulls first, id desc) where handed_back_at is not null and status in ('issued', 'expired');
create index permit_awaiting_countersign on permit (site_id, start_at desc nulls first, id desc) where status = 'approved' and issue_signed_at is not null;
