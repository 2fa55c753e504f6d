// What conditions can ask about a thing on site (`conflict-and-planning.md` §0.4, fields of `entity`): the same fields in memory, in SQL (which the server adds),
// and for each of the two sides of a pair.
import { PERMIT_STATUSES } from '../permit-statuses.ts'
import { EXAMINATION_STATES, PLANT_CATEGORIES } from '../plant.ts'
import type { FieldInMemory } from './language.ts'
import { type Stretch, timeFields } from './times.ts'

/** The kinds of things that conditions compare. */
export const SIDE_KINDS = ['worker', 'plant', 'delivery', 'active_area', 'permit'] as const
export type SideKind = (typeof SIDE_KINDS)[number]

/** A thing on site as conditions see it. */
export type EntityFacts = Stretch & {
  id: string
  kind: string
  label: string
  contractor_id: string | null
  trade: string | null
  headcount: number | null
  plant_category: string | null
  lifting: boolean | null
  lifts_persons: boolean | null
  examination_state: string | null
  area_kind: string | null
  exclusive: boolean | null
  delivery_status: string | null
  building_id: string | null
  level_index: number | null
  zone_ids: string[]
  permit_types: string[]
  permit_statuses: string[]
  has_live_permit: boolean
  work_line_id: string | null
  activity_key: string | null
  schedule_group_id: string | null
}

/** What is known about a thing of which nothing is known. */
export const NO_FACTS: Omit<EntityFacts, 'id' | 'kind' | 'label'> = {
  start_at: null,
  end_at: null,
  contractor_id: null,
  trade: null,
  headcount: null,
  plant_category: null,
  lifting: null,
  lifts_persons: null,
  examination_state: null,
  area_kind: null,
  exclusive: null,
  delivery_status: null,
  building_id: null,
  level_index: null,
  zone_ids: [],
  permit_types: [],
  permit_statuses: [],
  has_live_permit: false,
  work_line_id: null,
  activity_key: null,
  schedule_group_id: null,
}

/** The names of everything that conditions read of a thing: the columns of every relation of things, in their order. */
export const ENTITY_COLUMNS = Object.keys({ id: null, kind: null, label: null, ...NO_FACTS } satisfies Record<keyof EntityFacts, unknown>)

type Described = Omit<FieldInMemory<never>, 'path' | 'get'>

const START: Partial<Record<keyof EntityFacts, Described>> & { group_ids: Described } = {
  kind: { type: 'enum', values: [...SIDE_KINDS], label: 'the kind' },
  id: { type: 'id', label: 'the record' },
  label: { type: 'text', label: 'the name' },
  contractor_id: { type: 'id', refers: 'contractor', label: 'the contractor' },
  group_ids: {
    type: 'set of id',
    refers: 'smart_group',
    groups: 'entity',
    operators: ['overlaps', 'contains', 'contains_all', 'disjoint'],
    label: 'the set of groups',
    expanded: true,
  },
  trade: { type: 'text', label: 'the trade' },
  headcount: { type: 'integer', label: 'the headcount' },
  plant_category: { type: 'enum', values: [...PLANT_CATEGORIES], label: 'the category of plant' },
  lifting: { type: 'boolean', label: 'the plant is used for lifting', otherwise: 'the plant isn’t used for lifting' },
  lifts_persons: { type: 'boolean', label: 'the plant lifts people', otherwise: 'the plant doesn’t lift people' },
  examination_state: { type: 'enum', values: [...EXAMINATION_STATES], label: 'the state of the examination' },
  area_kind: {
    type: 'enum',
    values: ['work', 'exclusion', 'lifting', 'laydown', 'route_closed', 'hot_work', 'delivery_bay', 'reserved'],
    label: 'the kind of area',
  },
  exclusive: { type: 'boolean', label: 'the area keeps others out', otherwise: 'the area doesn’t keep others out' },
  delivery_status: {
    type: 'enum',
    values: ['requested', 'booked', 'declined', 'cancelled', 'arrived', 'no_show', 'turned_away', 'receiving', 'received'],
    label: 'the status of the delivery',
  },
  building_id: { type: 'id', refers: 'reference_feature', label: 'the building' },
  level_index: { type: 'integer', label: 'the level' },
  zone_ids: { type: 'set of id', refers: 'reference_feature', label: 'the set of zones' },
}

const REST: Partial<Record<keyof EntityFacts, Described>> = {
  permit_types: { type: 'set of code', refers: 'permit_type', label: 'the set of permit types' },
  permit_statuses: { type: 'set of enum', values: [...PERMIT_STATUSES], label: 'the set of permit statuses' },
  has_live_permit: { type: 'boolean', label: 'the record has a live permit', otherwise: 'the record has no live permit' },
  work_line_id: { type: 'id', label: 'the work line' },
  activity_key: { type: 'code', label: 'the activity' },
  schedule_group_id: { type: 'id', label: 'the series' },
}

/** Makes the fields of a thing on site. `prefix`: what is before each path, such as `a.`; `of`: where a row has the thing. */
export function entityFields<Row>(of: (row: Row) => EntityFacts, prefix = ''): FieldInMemory<Row>[] {
  const made = (described: Partial<Record<string, Described>>): FieldInMemory<Row>[] =>
    Object.entries(described).flatMap(([name, field]) => {
      if (field === undefined) return []
      const path = `${prefix}${name}`
      if (field.expanded) return [{ ...field, path }]
      const read: (facts: Record<string, unknown>) => unknown = facts => facts[name]
      return [{ ...field, path, get: (row: Row) => read(of(row)) }]
    })
  return [...made(START), ...timeFields(of, prefix), ...made(REST)]
}
