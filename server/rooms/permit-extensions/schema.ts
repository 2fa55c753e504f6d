import { id, instant, object, optional, orNull, shape, text } from '../../base/schema.ts'

export const NewExtension = shape('NewExtension', 'Ask for a longer window', {
  site_id: optional(id('Site; only checked to match')),
  requested_end_at: instant('New end: later than the present one, and ahead of now'),
  reason: optional(orNull(text('Why'))),
})
export const ApproveExtension = shape('ApproveExtension', 'Approve a longer window', {
  site_id: optional(id('Site; only checked to match')),
  note: optional(orNull(text('Note'))),
  content_hash: optional(orNull(text('content_hash that was on the screen', { max: 64 }))),
})
export const RejectExtension = shape('RejectExtension', 'Reject a longer window', {
  site_id: optional(id('Site; only checked to match')),
  reason: text('Why', { min: 1, example: 'The crane is booked' }),
})
export const MatchQuery = object({ site_id: optional(id('Site; only checked to match')) })
