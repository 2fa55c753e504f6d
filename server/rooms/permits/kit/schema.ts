// What requests about a permit have in common.
import { flag, id, number, object, optional, orNull, Point, ref, text } from '../../../base/schema.ts'

export const onSite = { site_id: optional(id('Site; must match the record’s')) }

export const MatchQuery = object(onSite)

/** The note of a step. */
export const note = optional(orNull(text('Note; null for none')))
/** What the app sends so that what is signed is what was shown. */
export const seen = {
  content_hash: optional(
    orNull(
      text(
        '`content_hash` of the permit when the person read it; the step is refused if the permit has changed since; null skips this check',
        { max: 64 },
      ),
    ),
  ),
}

const Presence = object(
  {
    position: optional(orNull(ref(Point, 'Position of the device; null if unknown'))),
    accuracy_m: optional(orNull(number('Accuracy of the position, metres; null if unknown', { min: 0, max: 1e6 }))),
    work_front_code: optional(orNull(text('Code scanned at the work front; null for none', { max: 200 }))),
  },
  'Evidence of presence, never required; null for none',
)
/** What comes with a signature at the work front. */
export const fieldSigned = { note, presence: optional(orNull(Presence)), ...seen }

/** What acknowledges red conflicts (permits.md R5). */
export const acknowledgement = {
  red_conflict_reason: optional(
    orNull(text('Reason why the work can go ahead despite red conflicts, which acknowledges the conflicts; null for none')),
  ),
  acknowledge_red_conflicts: optional(
    flag('Whether the red conflicts are acknowledged; if false, a permit with red conflicts isn’t approved'),
  ),
  conflicts_hash: optional(
    orNull(
      text(
        '`conflicts_hash` of the conflicts that the person was shown; if others are red by now, the approval is refused; null skips this check',
        { max: 64 },
      ),
    ),
  ),
}
