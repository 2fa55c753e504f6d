-- Permits that a person requested or received, in the order of the board: without the order, a page of them reads every permit of the site.
drop index permit_by_requestor;
drop index permit_by_receiver;
create index permit_by_requestor on permit (site_id, requestor_id, start_at desc nulls first, id desc) where requestor_id is not null;
create index permit_by_receiver on permit (site_id, receiver_id, start_at desc nulls first, id desc) where receiver_id is not null;
-- Permits whose window is longer than a week or has no end: the only ones in a period that started more than a week before it.
create index permit_long on permit (site_id, start_at desc nulls first, id desc) where end_at is null or end_at - start_at > interval '7 days';
-- Permits with the same types in the order of the board. An inverted index has no order, and doesn't know how many permits have a type before it has read them all.
create index permit_by_types on permit (site_id, categories, start_at desc nulls first, id desc);
