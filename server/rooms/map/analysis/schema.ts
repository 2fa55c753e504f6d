import {
  flag,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Static,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { CHANGE_KINDS } from '../../../kernel/changes/domain.ts'
import { bbox } from '../../../kernel/placed/schema.ts'

/** The kinds that are asked for if none are named. */
export const USUAL_KINDS = ['worker', 'plant', 'delivery', 'active_area', 'poi', 'text_label', 'alert', 'permit'] as const

/** Lengths of buckets, in minutes. */
export const BUCKET_MINUTES: readonly number[] = [15, 30, 60, 1440]

const counts = (says: string) =>
  object(
    Object.fromEntries(CHANGE_KINDS.map(kind => [kind, optional(integer(`${says}: ${kind.replaceAll('_', ' ')}`, { min: 0 }))])),
    `${says}, by kind; kinds without any are left out`,
  )

/** A question about when a site changes. */
export const ChangesAsked = object({
  site_id: id('Site'),
  from: instant('Start of the period'),
  to: instant('End of the period (exclusive), at most 92 days after the start'),
  kinds: optional(
    list(
      oneOf(CHANGE_KINDS, 'Kind'),
      'Kinds of records; by default workers, plant, deliveries, active areas, points of interest, text labels, alerts and permits',
      {
        min: 1,
        max: CHANGE_KINDS.length,
        unique: true,
      },
    ),
  ),
  contractor_id: optional(id('Contractor; only what belongs to it')),
  building_id: optional(id('Building; only what is in it')),
  level_index: optional(integer('Level; only what is on it', { min: -50, max: 300, example: 0 })),
  zone_id: optional(id('Zone; only what is in it')),
  bbox: optional(bbox),
  group_id: optional(
    id(
      'Smart group; only its members. It must be one that the caller sees, with a condition that doesn’t depend on the current time or day. Kinds that its condition can’t select aren’t counted',
    ),
  ),
  max_points: optional(integer('Maximum number of points; by default 1,000', { min: 10, max: 10_000, example: 1000 })),
  series: optional(
    object({ bucket_minutes: integer(`Length of a bucket in minutes: ${BUCKET_MINUTES.join(', ')}`, { min: 15, max: 1440, example: 60 }) }),
  ),
})

const alive = object(
  {
    headcount: integer('People in gangs', { min: 0 }),
    ...Object.fromEntries(
      CHANGE_KINDS.map(kind => [kind, optional(integer(`Number of this kind: ${kind.replaceAll('_', ' ')}`, { min: 0 }))]),
    ),
  },
  'What is there from that time on, of the kinds that were asked for; permits count while they are live',
)

const point = object({
  at: instant('Time of the change; the earliest of those that were joined'),
  work_date: workDate('Site day of the shift at that time'),
  local_time: text('Site time', { max: 5, example: '07:30' }),
  merged: integer('Number of changes in time that were joined into this point; 1 if it is alone', { min: 1 }),
  started: counts('What starts'),
  ended: counts('What ends'),
  changed: counts('What is changed and goes on'),
  alive,
})

const bucket = object({
  from: instant('Start'),
  to: instant('End (exclusive)'),
  headcount_peak: integer('Greatest number of people', { min: 0 }),
  headcount_mean: number('Mean number of people, weighted by time', { min: 0 }),
  labour_hours: number('Hours that people were there', { min: 0 }),
  plant_peak: integer('Greatest number of machines', { min: 0 }),
  deliveries: integer('Deliveries that come in it', { min: 0 }),
  permits_live_peak: integer('Greatest number of live permits', { min: 0 }),
  no_permit_peak: orNull(
    integer('Greatest number of workers and machines without a permit; null if the site’s coverage policy requires none', { min: 0 }),
  ),
})

const peak = (says: string) => orNull(object({ at: instant('First time of it'), value: integer(says, { min: 1 }) }, says))

/** When a site changes, and how full it was. */
export const ChangePoints = shape('ChangePoints', 'When a site changes', {
  from: instant('Start of the period'),
  to: instant('End of the period (exclusive)'),
  revision: integer('Revision of the map that the response was made from', { min: 0 }),
  thinned: flag('Whether points were joined, because there were too many'),
  total_points: integer('Number of points before some were joined', { min: 1 }),
  points: list(point, 'Points in order; between two of them nothing changes, unless points were joined', { max: 10_000 }),
  series: optional(list(bucket, 'Buckets in order; only if they were asked for', { max: 9000 })),
  peaks: object(
    { headcount: peak('Greatest number of people'), plant: peak('Greatest number of machines') },
    'Peaks of the period; null if nothing was there',
  ),
})

export type ChangesAsked = Static<typeof ChangesAsked>
