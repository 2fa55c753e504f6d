import { id, instant, object, optional, orNull, shape, text } from '../../../base/schema.ts'
import { acknowledgement } from '../kit/schema.ts'

export const NewExtension = shape('NewExtension', 'A new extension request', {
  site_id: optional(id('Site; must match the record’s')),
  requested_end_at: instant(
    'New end: in the future and later than the current end, by at most the longest default duration of the permit’s types (the length of its window if they have none)',
  ),
  reason: optional(orNull(text('Reason for the extension; null for none'))),
})
export const ApproveExtension = shape('ApproveExtension', 'Approval of an extension request', {
  site_id: optional(id('Site; must match the record’s')),
  note: optional(orNull(text('Note; null for none'))),
  ...acknowledgement,
  content_hash: optional(
    orNull(
      text(
        '`content_hash` of the permit when the person read it; the approval is refused if the permit has changed since; null skips this check',
        { max: 64 },
      ),
    ),
  ),
})
export const RejectExtension = shape('RejectExtension', 'Rejection of an extension request', {
  site_id: optional(id('Site; must match the record’s')),
  reason: text('Reason for the rejection', { min: 1, example: 'The crane is booked' }),
})
export const MatchQuery = object({ site_id: optional(id('Site; must match the record’s')) })
