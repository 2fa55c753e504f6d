import {
  flag,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  ref,
  type Static,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { Place } from '../../../kernel/placed/schema.ts'
import { onSite } from '../kit/schema.ts'
import { FamilyMember } from '../permits/schema.ts'

/** What permits can cover. */
const TYPES = ['worker', 'plant', 'delivery'] as const

const entity = {
  entity_type: oneOf(TYPES, 'Kind of record'),
  entity_id: id('Worker, plant or delivery'),
  label: text('Name', { max: 200, example: 'Steel fixers' }),
  contractor_id: orNull(id('Contractor; null for the main contractor’s own')),
  start_at: instant('Start'),
  end_at: orNull(instant('End (exclusive); null if it has no end')),
  schedule_group_id: orNull(id('Schedule; null if it doesn’t repeat')),
  occurrence_date: orNull(workDate('Site day of the occurrence; null if it doesn’t repeat')),
  place: ref(Place, 'Place'),
  outside_permit_window: flag('Whether a part of its time is outside the permit’s window'),
}

export const LinkedEntity = shape('LinkedEntity', 'Something on the map that a permit covers', entity)

export const LinkedGroup = shape('LinkedEntityGroup', 'What a permit covers of one kind: a schedule, or everything that doesn’t repeat', {
  entity_type: entity.entity_type,
  schedule_group_id: orNull(id('Schedule; null for what doesn’t repeat')),
  label: text('Name of the schedule, or of the first of them', { max: 200, example: 'Steel fixers' }),
  count: integer('Number of linked records', { min: 1, example: 5 }),
  first_at: instant('Earliest start'),
  last_at: orNull(instant('Latest end; null if one of them has no end')),
  entities: list(ref(LinkedEntity), 'The records, by start', { max: 20_000 }),
})

export const ChangeLinks = shape('ChangePermitLinks', 'What to link to a permit, or to unlink: records, whole schedules, or both', {
  ...onSite,
  entity_type: oneOf(TYPES, 'Kind of record'),
  entity_ids: optional(list(id('Record'), 'Records', { max: 500, unique: true })),
  schedule_group_ids: optional(list(id('Schedule'), 'Schedules', { max: 50, unique: true })),
})

export const InlinePermit = shape(
  'InlinePermit',
  'A draft for work that is on the map. Contractor, window and place that are left out are those of the work',
  {
    site_id: id('Site'),
    ...FamilyMember.properties,
    entities: list(
      object({ entity_type: oneOf(TYPES, 'Kind of record'), entity_id: id('Worker, plant or delivery') }),
      'The work that the permit covers',
      { min: 1, max: 500, unique: true },
    ),
  },
)

export const LinksChanged = shape('PermitLinksChanged', 'What a link or unlink has done', {
  entities: list(ref(LinkedEntity), 'Everything that the permit covers now', { max: 20_000 }),
  changed: list(id('Record'), 'Records that were linked or unlinked now', { max: 20_000 }),
  outside_permit_window: list(
    id('Record'),
    'Occurrences of schedules that were not linked, because a part of their time is outside the permit’s window',
    {
      max: 20_000,
    },
  ),
})

export type InlinePermit = Static<typeof InlinePermit>
