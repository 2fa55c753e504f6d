-- What a notification asks for has been done, or there is nothing left to do: it no longer counts as unread (decision 989).
alter table notification add column settled_at timestamptz(3);
alter table notification add column settled_event_id uuid;
create index notification_unread_about on notification (site_id, subject_id) where read_at is null;
create index notification_settled_by on notification (site_id, settled_event_id) where settled_event_id is not null;

-- Those whose step was taken before this version. From here on, the notifier does it as the step happens.
with moot (kind, event_kinds) as (values
  ('permit_awaiting_endorsement', array['permit.endorsed', 'permit.corrections_requested', 'permit.rejected', 'permit.withdrawn']),
  ('permit_awaiting_approval', array['permit.approved', 'permit.issue_signed', 'permit.corrections_requested', 'permit.rejected', 'permit.withdrawn']),
  ('permit_awaiting_approval_single', array['permit.approved', 'permit.corrections_requested', 'permit.rejected', 'permit.withdrawn']),
  ('permit_awaiting_countersign', array['permit.issued', 'permit.handed_back', 'permit.expired', 'permit.corrections_requested', 'permit.rejected', 'permit.withdrawn']),
  ('permit_extension_requested', array['permit.extension_approved', 'permit.extension_rejected', 'permit.extension_requested', 'permit.extension_lapsed', 'permit.closed']),
  ('permit_expired_unclosed', array['permit.closed', 'permit.extension_approved']),
  ('permit_expiring_soon', array['permit.expired', 'permit.closed', 'permit.extension_approved']),
  ('permit_corrections_requested', array['permit.submitted', 'permit.withdrawn']),
  ('permit_handed_back', array['permit.closed']),
  ('permit_stopped', array['permit.revalidated', 'permit.handed_back', 'permit.expired', 'permit.closed']),
  ('alert_danger', array['alert.resolved']),
  ('red_clash_ahead', array['clash.ended', 'clash.eased', 'clash.stance_set']),
  ('membership_requested', array['membership.activated', 'membership.ended'])),
done as (
  select n.site_id, n.id, e.id as event_id, e.at from notification n join moot m on m.kind = n.kind
  cross join lateral (
    select e.id, e.at from event e
    where e.site_id = n.site_id and e.subject_id = n.subject_id and e.event_no > n.event_no and e.kind = any(m.event_kinds)
    order by e.event_no limit 1) e
  where n.read_at is null)
update notification n set read_at = d.at, settled_at = d.at, settled_event_id = d.event_id, updated_at = now()
from done d where n.site_id = d.site_id and n.id = d.id;
