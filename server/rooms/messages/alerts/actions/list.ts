import { itemsIn, textIn } from '../../../../../shared/narrow.ts'
import { sql } from '../../../../base/db.ts'
import { id, instant, list, oneOf, optional } from '../../../../base/schema.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { boxed, readBox } from '../../../../kernel/geometry/door.ts'
import { filters } from '../../../../kernel/listing/door.ts'
import { bbox, levels } from '../../../../kernel/placed/schema.ts'
import type { GivenResource } from '../../../../kernel/resource/door.ts'
import { CATEGORIES, EFFECTS, SEVERITIES } from '../domain.ts'
import { inForce } from '../queries.ts'

/** The list of alerts: order, filters, and which of them the caller sees. */
export const listed: GivenResource<'alert'>['list'] = {
  order: ['-danger', '-start_at', 'id'],
  search: ['title', 'message'],
  async sees(ctx) {
    const kept = sql`t.deleted_at is null`
    if (ctx.actor.can('alert_manage')) return kept
    const scope = await myScope(ctx)
    return sql`${kept} and (cardinality(t.contractor_ids) = 0 or t.contractor_ids && ${[...scope]}::uuid[] or t.created_by = ${ctx.actor.id})`
  },
  filters: {
    severity: filters.oneOf(SEVERITIES, 'Severities'),
    category: filters.oneOf(CATEGORIES, 'Categories'),
    effect: filters.oneOf(EFFECTS, 'Effects'),
    building_id: filters.among('Buildings'),
    level_index: {
      schema: optional(levels),
      column: 'levels',
      where: (column, chosen) => sql`(cardinality(${column}) = 0 or ${column} && ${chosen}::integer[])`,
    },
    contractor_id: {
      schema: optional(list(id('Contractor'), 'Contractors: returns what is for them or for everyone', { max: 200 })),
      column: 'contractor_ids',
      where: (of, ids) => sql`(cardinality(${of}) = 0 or ${of} && ${ids}::uuid[])`,
    },
    bbox: {
      schema: optional(bbox),
      column: 'bounds',
      where: (column, box) => sql`(${column} is null or ${column} && ${boxed(readBox(textIn(box)))})`,
    },
    at: {
      schema: optional(instant('Point in time: returns what was active then, or will be')),
      column: 'id',
      where: (_id, at) => inForce(textIn(at), textIn(at)),
    },
    from: {
      schema: optional(instant('Start of a period: returns what was active during it, or will be; requires to')),
      column: 'id',
      where: (_id, period) => {
        const [from, to] = itemsIn(period)
        return inForce(textIn(from), textIn(to))
      },
    },
    to: { schema: optional(instant('End of the period (exclusive); requires from')), column: 'id', where: () => sql`true` },
    include: {
      schema: optional(
        list(oneOf(['affected'], 'Part'), 'Further parts: `affected` counts what is in the place of each alert now', { max: 1 }),
      ),
      column: 'id',
      where: () => sql`true`,
    },
  },
}
