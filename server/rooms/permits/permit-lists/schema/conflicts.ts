import { flag, id, instant, integer, list, number, object, oneOf, orNull, Point, ref, shape, text } from '../../../../base/schema.ts'
import { CHECKED } from '../../kit/domain/conflicts.ts'
import { STATUSES } from '../../kit/domain/facts.ts'
import { code } from '../../permit-types/schema.ts'

const severity = oneOf(['red', 'amber'], 'Severity')
const distance = (says: string) => number(`${says}, in metres`, { min: 0, example: 6 })

/** Another permit that a permit conflicts with. */
export const PermitConflict = shape('PermitConflict', 'Another permit that conflicts with this one, by its worst conflict', {
  hidden: flag('Whether the caller can’t see the other permit: then only its types, the severity and a rounded distance are given'),
  permit_id: orNull(id('Other permit; null if it is hidden')),
  permit: orNull(
    object(
      {
        id: id('Permit'),
        permit_number: orNull(text('Number; null before the first submission', { max: 60, example: 'PTW-000123' })),
        title: orNull(text('Title; null if there is none', { max: 200 })),
        status: oneOf(STATUSES, 'Status'),
        categories: list(code('Permit type'), 'Codes of its types', { max: 20 }),
        contractor: orNull(
          object(
            { id: id('Contractor'), name: text('Name', { max: 200, example: 'Acme Steel' }) },
            'Contractor; null for the main contractor',
          ),
        ),
        start_at: orNull(instant('Start of its window; null if none is set')),
        end_at: orNull(instant('End of its window; null if none is set')),
        location: orNull(text('Location in words; null if there is none', { max: 500 })),
      },
      'What people need to recognise the other permit; null if it is hidden',
    ),
  ),
  severity,
  categories: list(code('Permit type'), 'Codes of the other permit’s types', { max: 20 }),
  distance_m: distance('How close the two permits come; of a hidden permit rounded up to 5 m'),
  level_gap: orNull(integer('How many levels are between them; 0 if a level isn’t known; null if it is hidden', { min: 0 })),
  from_at: orNull(instant('Start of the time in which they conflict; null if it is hidden')),
  to_at: orNull(instant('End of the time in which they conflict; null if it has no end yet or is hidden')),
  nearest: orNull(
    object(
      { own: ref(Point), other: ref(Point) },
      'The two points that are closest, of this permit and of the other; null if it is hidden',
    ),
  ),
  reasons: list(
    object({
      severity,
      own_type: orNull(code('Type of this permit; null if the rule doesn’t compare types')),
      other_type: orNull(code('Type of the other permit; null if the rule doesn’t compare types')),
      distance_m: distance('How close they come; of a hidden permit rounded up to 5 m'),
      within_m: orNull(distance('Distance at which these two types conflict; null if no distance decides')),
    }),
    'Which types conflict, worst first',
    { max: 400 },
  ),
})

/** What a permit says about its conflicts. */
export const conflictFields = {
  conflicts: list(ref(PermitConflict), 'Other permits that conflict with it now or later: red first, then the nearest, then the soonest', {
    max: 5000,
  }),
  conflicts_checked: oneOf(
    CHECKED,
    'How far its conflicts are known: no_place: it can’t be checked, because nobody has said where the work is; no_rule: no clash rule that is switched on compares permits; over: it no longer counts, or has no window yet',
  ),
  conflicts_hash: text(
    'Fingerprint of its red conflicts; send it with an approval, so that it counts only for the conflicts that were shown',
    {
      max: 64,
    },
  ),
}
