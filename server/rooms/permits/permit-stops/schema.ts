import {
  flag,
  flags,
  geometry,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { GivenPlace, Place } from '../../../kernel/placed/schema.ts'
import { fieldSigned, onSite } from '../kit/schema.ts'
import { status } from '../permit-lists/schema/permit.ts'

const levels = list(
  integer('Level', { min: -50, max: 300, example: 3 }),
  'Levels of the building that it covers; an empty list for every level',
  { max: 50, unique: true },
)
const radius = orNull(number('Radius around the point, metres; default 25. Only with a point', { min: 1, max: 2000, example: 25 }))
const reason = text('Reason, as people on site read it', { min: 1, max: 500, example: 'Smell of gas at the south stair' })

const where = {
  place: ref(GivenPlace, 'Where work stops: a polygon, a zone, a building, or a point with a radius'),
  radius_m: optional(radius),
  levels: optional(levels),
}

/** An area in which work may stop, to see first what that would stop. */
export const StopPreviewBody = shape('PreviewAreaStop', 'An area in which work could be stopped', { site_id: id('Site'), ...where })
/** A new area stop. */
export const NewAreaStop = shape('NewAreaStop', 'A new area stop', { site_id: id('Site'), ...where, reason })
export type NewAreaStop = Static<typeof NewAreaStop>

/** The end of an area stop. */
export const LiftStop = shape('LiftAreaStop', 'The end of an area stop', {
  ...onSite,
  note: text('What the caller saw at the place', { min: 1, max: 2000, example: 'Leak repaired, meter reads zero' }),
})

/** A signature that lets work go on under a stopped permit. */
export const Revalidation = shape('RevalidatePermit', 'A revalidation of a stopped permit', {
  ...onSite,
  ...fieldSigned,
  stop_ids: optional(
    orNull(
      list(id('Area stop'), 'Stops that the person read; refused if the permit has been stopped again since. Null skips this check', {
        max: 1000,
      }),
    ),
  ),
})

const number_ = orNull(text('Permit number; null if it has none', { max: 100, example: 'PTW-000123' }))
const title = orNull(text('Title; null if there is none', { max: 200, example: 'Weld handrails, stair 3' }))

const LivePermit = object({
  id: id('Permit'),
  permit_number: number_,
  title,
  location: orNull(text('Location in words; null if there is none', { max: 500, example: 'Block A, level 3' })),
  categories: list(text('Permit type', { max: 20, example: 'HW' }), 'Codes of the permit’s types', { max: 20 }),
})
const unchecked = list(
  LivePermit,
  'Live permits that the caller can see and whose place is unknown, so that nobody can say whether they are in the area. Check them on site',
  { max: 5000 },
)

/** What a stop would stop. */
export const StopPreview = shape('AreaStopPreview', 'What an area stop would stop', {
  area: geometry('Ground that it would cover'),
  permits: list(LivePermit, 'Live permits in the area that the caller can see', { max: 5000 }),
  unchecked,
})

/** An area stop. */
export const AreaStop = shape('AreaStop', 'An area in which work was stopped', {
  id: id('Area stop'),
  site_id: id('Site'),
  version: integer('Version'),
  created_at: instant('Time of the stop'),
  created_by: orNull(id('Person who stopped the work; null if no person did')),
  created_by_name: orNull(text('Name of that person', { max: 200, example: 'Cora Coordinator' })),
  reason,
  alert_id: id('Alert of the stop, over the same place'),
  state: oneOf(['active', 'lifted'], 'State: a lifted stop stops no further permits'),
  place: orNull(ref(Place, 'Place; null for the whole site')),
  radius_m: radius,
  levels,
  area: orNull(geometry('Ground that it covers; null for the whole site')),
  lifted_at: orNull(instant('Time when it was lifted; null while it is active')),
  lifted_by: orNull(id('Person who lifted it; null while it is active')),
  lifted_by_name: orNull(text('Name of that person; null while it is active', { max: 200, example: 'Hal Safety' })),
  lift_note: orNull(text('What that person saw at the place; null while it is active', { max: 2000 })),
  permits: list(
    object({
      ...LivePermit.properties,
      status,
      cause: oneOf(['stop', 'went_live'], 'Whether the permit was live when the area was stopped, or went live in it later'),
      stopped_at: instant('Time since which it is stopped'),
      waiting: flag('Whether it still has to be revalidated: it is live, not handed back and not revalidated'),
      revalidated_at: orNull(instant('Time of the revalidation; null if there is none')),
      revalidated_by_name: orNull(text('Name of the person who revalidated it; null if nobody has', { max: 200, example: 'Ivy Issuer' })),
      signature_id: orNull(id('Signature of the revalidation; null if there is none')),
    }),
    'Permits that it stopped and that the caller can see, those that still have to be revalidated first, then by number',
    { max: 5000 },
  ),
  waiting: integer('Permits among them that still have to be revalidated', { min: 0 }),
  unchecked,
  permissions: flags(['lift'], { lift: 'lift the stop' }),
})

/** The query of the list of area stops. */
export const StopFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Area stop'), 'Ids', { max: 200 })),
  state: optional(
    list(
      oneOf(['active', 'lifted'], 'State'),
      'States; default active stops, and lifted ones with permits that still have to be revalidated',
      {
        max: 2,
      },
    ),
  ),
  limit: optional(integer('Most stops in the response', { min: 1, max: 1000 })),
  cursor: paging.cursor,
})
