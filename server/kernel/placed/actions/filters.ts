// The filters of what is on the map (`map.md` §0.3).
import { textIn } from '../../../../shared/narrow.ts'
import { sql } from '../../../base/db.ts'
import { invalidField, refuse } from '../../../base/errors.ts'
import { flag, optional, instant as timeOf } from '../../../base/schema.ts'
import { boxed, readBox } from '../../geometry/door.ts'
import { type Filter, filters } from '../../listing/door.ts'
import { belongsTo } from '../../site/door.ts'
import { bbox, levels } from '../schema.ts'

/** The filters by time, of lists. */
export const byTime: Record<string, Filter> = {
  from: {
    schema: optional(timeOf('Start of the period: returns what ends after it')),
    column: 'end_at',
    where: (column, at) => sql`(${column} is null or ${column} > ${at}::timestamptz)`,
  },
  to: {
    schema: optional(timeOf('End of the period (exclusive): returns what starts before it')),
    column: 'start_at',
    where: (column, at) => sql`${column} < ${at}::timestamptz`,
  },
  include_deleted: {
    schema: optional(flag('Whether to return deleted records too; only for coordinators')),
    column: 'deleted_at',
    where: (column, all) => (all === true ? sql`true` : sql`${column} is null`),
  },
}

/** Refuses a period that ends before it starts: what is there for a long time would be found in it. */
export function refuseBackwards({ from, to }: Record<string, unknown>): void {
  if (typeof from === 'string' && typeof to === 'string' && to <= from) refuse(invalidField('to', 'must be later than from.'))
}

/** The filters by place and contractor, of lists and of what was there at an instant. */
export const byPlace: Record<string, Filter> = {
  contractor_id: {
    ...filters.among('Contractors; what has none belongs to the main contractor of the time at which it starts'),
    where: (_column, ids) => belongsTo(ids),
  },
  building_id: filters.among('Buildings'),
  level_index: { schema: optional(levels), where: (column, chosen) => sql`${column} = any(${chosen}::integer[])` },
  zone_id: filters.among('Zones'),
  bbox: { schema: optional(bbox), column: 'bounds', where: (column, box) => sql`${column} && ${boxed(readBox(textIn(box)))}` },
}

/** For more records than this the caller has to give a box. */
export const WHOLE = 20_000

/** Says why a list at a point in time needs a box, or a smaller one. */
export const tooMany = (bbox: unknown): string =>
  `${bbox === undefined ? 'is required' : 'must be smaller'}, because there are more than ${WHOLE} at this point in time.`
