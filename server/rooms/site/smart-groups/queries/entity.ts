// Entities as the subject of conditions (`conflict-and-planning.md` §0.4, fields of `entity`). Rooms with map entities add their records to this
// subject: relations with these columns, in which `weekday` and other fields follow from start and end.
import { EXAMINATION_STATES, PLANT_CATEGORIES } from '../../../../../shared/plant.ts'
import { sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Expression, type Stretch, type Subject, timeFields } from '../../../../kernel/predicates/door.ts'

/** An entity as conditions see it. */
export type EntityRow = Stretch & {
  id: Id
  kind: string
  label: string
  contractor_id: Id | null
  trade: string | null
  headcount: number | null
  plant_category: string | null
  lifting: boolean | null
  lifts_persons: boolean | null
  examination_state: string | null
  area_kind: string | null
  exclusive: boolean | null
  delivery_status: string | null
  building_id: Id | null
  level_index: number | null
  zone_ids: Id[]
  permit_types: string[]
  permit_statuses: string[]
  has_live_permit: boolean
  work_line_id: Id | null
  activity_key: string | null
  schedule_group_id: Id | null
}

const TYPES: Record<keyof EntityRow, string> = {
  id: 'uuid',
  kind: 'text',
  label: 'text',
  start_at: 'timestamptz',
  end_at: 'timestamptz',
  contractor_id: 'uuid',
  trade: 'text',
  headcount: 'integer',
  plant_category: 'text',
  lifting: 'boolean',
  lifts_persons: 'boolean',
  examination_state: 'text',
  area_kind: 'text',
  exclusive: 'boolean',
  delivery_status: 'text',
  building_id: 'uuid',
  level_index: 'integer',
  zone_ids: 'uuid[]',
  permit_types: 'text[]',
  permit_statuses: 'text[]',
  has_live_permit: 'boolean',
  work_line_id: 'uuid',
  activity_key: 'text',
  schedule_group_id: 'uuid',
}

/** The columns of every relation of entities, in their order. */
export const ENTITY_COLUMNS = Object.keys(TYPES)

/** Returns a relation without entities, for as long as no room provides any. */
export const noEntities = (): Expression =>
  sql`(select ${sql.join(Object.entries(TYPES).map(([column, type]) => sql`null::${sql.raw(type)} as ${sql.ref(column)}`))} where false)`

const column = <K extends keyof EntityRow>(path: K) => ({
  path,
  get: (row: EntityRow) => row[path],
  sql: () => sql.ref(`m.${path}`),
  column: true as const,
})

const STATUSES = [
  'draft',
  'requested',
  'endorsed',
  'approved',
  'issued',
  'expired',
  'closed',
  'rejected',
  'withdrawn',
  'corrections_requested',
]

/** What conditions on entities can ask. */
export const entitySubject: Subject<EntityRow> = {
  name: 'entity',
  label: 'things on site',
  fields: [
    { ...column('kind'), type: 'enum', values: ['worker', 'plant', 'delivery', 'active_area', 'permit'], label: 'the kind' },
    { ...column('id'), type: 'id', label: 'the record' },
    { ...column('label'), type: 'text', label: 'the name' },
    { ...column('contractor_id'), type: 'id', refers: 'contractor', label: 'the contractor' },
    {
      path: 'group_ids',
      type: 'set of id',
      refers: 'smart_group',
      operators: ['overlaps', 'contains', 'contains_all', 'disjoint'],
      label: 'the set of groups',
      expanded: true,
    },
    { ...column('trade'), type: 'text', label: 'the trade' },
    { ...column('headcount'), type: 'integer', label: 'the headcount' },
    {
      ...column('plant_category'),
      type: 'enum',
      values: [...PLANT_CATEGORIES],
      label: 'the category of plant',
    },
    { ...column('lifting'), type: 'boolean', label: 'the plant is used for lifting', otherwise: 'the plant isn’t used for lifting' },
    { ...column('lifts_persons'), type: 'boolean', label: 'the plant lifts people', otherwise: 'the plant doesn’t lift people' },
    {
      ...column('examination_state'),
      type: 'enum',
      values: [...EXAMINATION_STATES],
      label: 'the state of the examination',
    },
    {
      ...column('area_kind'),
      type: 'enum',
      values: ['work', 'exclusion', 'lifting', 'laydown', 'route_closed', 'hot_work', 'delivery_bay', 'reserved'],
      label: 'the kind of area',
    },
    { ...column('exclusive'), type: 'boolean', label: 'the area keeps others out', otherwise: 'the area doesn’t keep others out' },
    {
      ...column('delivery_status'),
      type: 'enum',
      values: ['requested', 'booked', 'declined', 'cancelled', 'arrived', 'no_show', 'turned_away', 'receiving', 'received'],
      label: 'the status of the delivery',
    },
    { ...column('building_id'), type: 'id', refers: 'reference_feature', label: 'the building' },
    { ...column('level_index'), type: 'integer', label: 'the level' },
    { ...column('zone_ids'), type: 'set of id', refers: 'reference_feature', label: 'the set of zones' },
    ...timeFields<EntityRow>(row => row, 'm'),
    { ...column('permit_types'), type: 'set of code', refers: 'permit_type', label: 'the set of permit types' },
    { ...column('permit_statuses'), type: 'set of enum', values: STATUSES, label: 'the set of permit statuses' },
    { ...column('has_live_permit'), type: 'boolean', label: 'the record has a live permit', otherwise: 'the record has no live permit' },
    { ...column('work_line_id'), type: 'id', label: 'the work line' },
    { ...column('activity_key'), type: 'code', label: 'the activity' },
    { ...column('schedule_group_id'), type: 'id', label: 'the series' },
  ],
}
