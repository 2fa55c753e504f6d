import { flag, id, instant, list, object, optional, orNull, recordId, text } from '../../base/schema.ts'

/** A permit as what it covers shows it. */
export const linkedPermit = object({
  id: id('Permit'),
  permit_number: orNull(text('Permit number; null for a draft', { max: 40, example: 'PTW-000123' })),
  title: orNull(text('Title; null for none', { max: 200, example: 'Weld handrails, stair 3' })),
  status: text('Status', { max: 60, example: 'issued' }),
  categories: list(text('Permit type', { max: 60, example: 'HW' }), 'Permit types', { max: 50 }),
  start_at: orNull(instant('Start of the permit window')),
  end_at: orNull(instant('End of the permit window')),
})

/** The computed fields of what permits can cover. */
export const coverageFields = {
  permits: list(linkedPermit, 'Permits that cover it, as far as the caller can see them', { max: 500 }),
  no_permit: flag('Whether the site’s coverage policy requires a permit, and none is linked. Only while it is there; it prevents nothing'),
  live_permit: flag('Whether one of its permits is live, and its window contains this point in time'),
}

/** The field of a body that links what it creates to a permit. */
export const permitOfNew = { permit_id: recordId('permit', 'Permit that covers it') }

/** The filters of lists. */
export const permitFilter = optional(list(id('Permit'), 'Permits: returns only what they cover', { max: 100 }))
export const noPermitFilter = optional(flag('Whether it is there now and has no permit, although the coverage policy requires one'))
