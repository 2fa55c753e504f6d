-- With how many permits each permit conflicted when people were last told, so that they hear of each change once (messages.md §0.3).
create table permit_conflicts_told (
  site_id uuid not null references site (site_id),
  permit_id uuid not null,
  red integer not null,
  amber integer not null,
  primary key (site_id, permit_id),
  foreign key (site_id, permit_id) references permit (site_id, id) on delete cascade
);
-- What is known already is no news after this upgrade.
insert into permit_conflicts_told (site_id, permit_id, red, amber)
select w.site_id, w.permit_id, count(*) filter (where w.is_red), count(*) filter (where not w.is_red)
from (
  select c.site_id, o.permit_id, o.other_id, bool_or(c.severity = 'red') as is_red
  from clash c cross join lateral (values (c.a_id, c.b_id), (c.b_id, c.a_id)) o (permit_id, other_id)
  where c.a ->> 'kind' = 'permit' and c.b ->> 'kind' = 'permit' and (c.to_at > now() or c.to_at is null)
  group by c.site_id, o.permit_id, o.other_id) w
join permit p on p.site_id = w.site_id and p.id = w.permit_id
group by w.site_id, w.permit_id;
