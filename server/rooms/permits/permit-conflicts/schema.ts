import { anything, id, instant, integer, list, object, oneOf, optional, orNull, ref, type Static, shape } from '../../../base/schema.ts'
import { GivenPlace } from '../../../kernel/placed/schema.ts'
import { conflictFields, PermitConflict } from '../permit-lists/schema/conflicts.ts'
import { code } from '../permit-types/schema.ts'

export const BadgeQuery = object({ site_id: id('Site') })

export const ClashBadge = shape('ClashBadge', 'How many other permits a permit conflicts with', {
  permit_id: id('Permit'),
  red: integer('Other permits whose worst conflict with it is red, those that the caller can’t see too', { min: 0, example: 1 }),
  amber: integer('Other permits whose worst conflict with it is amber, those that the caller can’t see too', { min: 0, example: 2 }),
  worst: oneOf(['red', 'amber'], 'Worst conflict'),
})

/** A permit as someone might make it. */
export const ConflictQuestion = shape(
  'ConflictQuestion',
  'A window, a place and types that aren’t saved. Without `permit_id` they are those of a new permit; with it, what is left out is as it is saved',
  {
    site_id: id('Site'),
    permit_id: optional(orNull(id('Permit that would be changed; null for a new one'))),
    parent_id: optional(orNull(id('Parent permit, with which it never conflicts; null for none'))),
    categories: optional(list(code('Permit type'), 'Codes of the permit’s types', { max: 20, unique: true })),
    start_at: optional(orNull(instant('Start of the window; null for none'))),
    end_at: optional(orNull(instant('End of the window; null for none'))),
    place: optional(orNull(ref(GivenPlace, 'Place on the map; null for none'))),
    include: optional(
      list(
        oneOf(['nearby'], 'Part'),
        'Further parts of the response: nearby: what the app needs to find conflicts itself while someone moves the place or the window',
        {
          max: 1,
        },
      ),
    ),
  },
)
export type ConflictQuestionBody = Static<typeof ConflictQuestion>

const Window = object({ start_at: instant('Start'), end_at: instant('End') })

export const ConflictAnswer = shape('ConflictAnswer', 'What would conflict with the permit', {
  ...conflictFields,
  added: list(ref(PermitConflict), 'Conflicts that the change would add; empty for a new permit', { max: 5000 }),
  removed: list(ref(PermitConflict), 'Conflicts that the change would end; empty for a new permit', { max: 5000 }),
  clean_windows: list(
    Window,
    'Up to three windows of the same length without a red conflict, nearest first, within 7 days, on working days at the same time of day; empty if nothing red is in the way, and for a live permit',
    { max: 3 },
  ),
  nearby: optional(
    object(
      {
        site: anything('Time zone, centre, and which contractors oversee which'),
        rules: list(anything('Rule'), 'Active rules that compare permits', { max: 500 }),
        own: anything('The permit as a side of conflicts'),
        permits: list(anything('Permit'), 'What people need to recognise the other permits, as conflicts have it', { max: 20_000 }),
        others: list(anything('Side'), 'The other permits nearby that the caller can see, as sides of conflicts', { max: 20_000 }),
      },
      'What the app needs to find conflicts itself; instants are milliseconds since 1970, and an open end is null',
    ),
  ),
})
