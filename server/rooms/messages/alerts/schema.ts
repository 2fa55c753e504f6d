import {
  anything,
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
  recordId,
  ref,
  shape,
  text,
} from '../../../base/schema.ts'
import { GivenPlace, Place } from '../../../kernel/placed/schema.ts'
import { ACTIVITIES, ACTIVITY_KINDS, CATEGORIES, EFFECTS, SEVERITIES, SOURCE_KINDS } from './domain.ts'

const effect = oneOf(EFFECTS, 'Effect on work: `none`, `caution`, or `stops`, which needs alert_stop and at least a warning')
const activities = list(oneOf(ACTIVITIES, 'Activity'), 'Activities that it stops; `all` alone for every one. Only with `stops`', {
  max: ACTIVITIES.length,
  unique: true,
})
const radius = orNull(number('Radius around the point, metres; default 25. Only with a point', { min: 1, max: 2000, example: 25 }))
const levels = list(
  integer('Level', { min: -50, max: 300, example: 3 }),
  'Levels of the building that it covers; an empty list for every level',
  { max: 50, unique: true },
)

/** The fields of an alert, by the name of their column. */
export const fields = {
  title: text('Title', { min: 1, max: 120, example: 'Haul road closed' }),
  message: orNull(text('What everyone must know', { max: 2000, example: 'Broken-down lorry at gate B. Use gate A.' })),
  severity: oneOf(SEVERITIES, 'Severity', { example: 'warning' }),
  category: oneOf(CATEGORIES, 'Category', { example: 'access' }),
  effect,
  activities,
  place: orNull(ref(GivenPlace, 'Where it is; null for the whole site')),
  radius_m: radius,
  levels,
  start_at: instant('Start; default now, at most 24 hours back and 30 days ahead'),
  end_at: orNull(instant('End; null if it stays until someone resolves it. Danger, and an alert that stops work, stay active after it')),
  contractor_ids: list(
    recordId('contractor', 'Contractor'),
    'Contractors that it is for; an empty list for everyone. Coordinators and the person who raised it always see it',
    { max: 100, unique: true },
  ),
}

const period = object({
  from: instant('Start'),
  to: orNull(instant('End; null while it is active')),
  effect,
  activities,
  place: orNull(ref(Place, 'Where it was; null for the whole site')),
  radius_m: radius,
  levels,
})

/** How many people, machines and permits are in the place of an alert now. */
const Affected = shape('AlertAffected', 'What is in the place of an alert now', {
  workers: integer('Gangs and people on the map', { min: 0 }),
  headcount: integer('People in them', { min: 0 }),
  plant: integer('Machines', { min: 0 }),
  permits: integer('Live permits', { min: 0 }),
})

/** The computed fields of an alert. */
export const computed = {
  place: orNull(ref(Place, 'Where it is; null for the whole site')),
  source: object(
    {
      kind: oneOf(SOURCE_KINDS, 'What raised it: `manual` is a person'),
      id: optional(orNull(id('Record that raised it'))),
      key: optional(orNull(text('What else identifies it, such as the hour of a forecast', { max: 200, example: '2026-03-16T14:00' }))),
    },
    'Source',
  ),
  area: orNull(geometry('Ground that it covers; null for the whole site')),
  resolved_at: orNull(instant('Time when it was resolved; null if it isn’t')),
  resolved_by: orNull(id('Person who resolved it; null if it isn’t resolved, or was resolved by the service')),
  resolve_note: orNull(text('Note of the person who resolved it', { max: 2000 })),
  periods: list(period, 'When it was active, oldest first, and what it said then', { max: 1000 }),
  affected: optional(ref(Affected, 'Only with include=affected')),
}

/** The query of one alert. */
export const ShowQuery = object({
  include: optional(list(oneOf(['affected'], 'Part'), 'Further parts: `affected` counts what is in its place now', { max: 1 })),
})

/** Something that happened to an alert. */
export const Activity = shape('AlertActivity', 'Something that happened to an alert', {
  at: instant('Time'),
  kind: oneOf(ACTIVITY_KINDS, 'What happened'),
  actor: orNull(
    object(
      { id: orNull(id('Person; null for the service')), name: text('Name', { max: 200, example: 'Cora Coordinator' }) },
      'Who did it; null for notifications',
    ),
  ),
  changes: optional(
    list(
      object({
        path: text('Field', { max: 200, example: 'end_at' }),
        before: anything('Value before'),
        after: anything('Value after'),
      }),
      'Fields that were changed',
      { max: 100 },
    ),
  ),
  note: optional(orNull(text('Note or reason', { max: 2000, example: 'Wind has dropped' }))),
  recipients: optional(integer('People who were notified', { min: 0 })),
})
