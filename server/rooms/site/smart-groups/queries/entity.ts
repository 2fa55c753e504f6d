// Entities as the subject of conditions (`conflict-and-planning.md` §0.4, fields of `entity`). Rooms with map entities add their records to this
// subject: relations with these columns, in which `weekday` and other fields follow from start and end.
import { type EntityFacts, entityFields } from '../../../../../shared/predicates/entity.ts'
import { sql } from '../../../../base/db.ts'
import { type Expression, type Subject, timeSql } from '../../../../kernel/predicates/door.ts'

/** An entity as conditions see it. */
export type EntityRow = EntityFacts

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

/** What conditions on entities can ask: the fields that the app has in memory, with their SQL. */
export const entitySubject: Subject<EntityRow> = {
  name: 'entity',
  label: 'things on site',
  fields: entityFields<EntityRow>(row => row).map(field =>
    field.expanded
      ? field
      : { ...field, ...(timeSql(field.path, 'm') ?? { sql: () => sql.ref(`m.${field.path}`), column: true as const }) },
  ),
}
