// Entities as the subject of conditions (`conflict-and-planning.md` §0.4, fields of `entity`). Rooms with map entities add their records to this
// subject: relations with these columns, in which `weekday` and other fields follow from start and end.
import { type EntityFacts, entityFields } from '../../../../../shared/predicates/entity.ts'
import { sql } from '../../../../base/db.ts'
import { type Subject, timeSql } from '../../../../kernel/predicates/door.ts'

/** An entity as conditions see it. */
export type EntityRow = EntityFacts

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
