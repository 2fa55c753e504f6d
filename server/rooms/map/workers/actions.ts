import { fieldsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { notFound, Refused, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { list, optional, text } from '../../../base/schema.ts'
import type { StoredPlace } from '../../../kernel/placed/door.ts'
import type { Warned } from '../kit/actions/occurrences.ts'
import { scheduled } from '../kit/actions/scheduled.ts'
import { defaultsOf } from '../kit/defaults.ts'
import { labourHours, lengthFaults } from './domain.ts'
import { bookedTwice, facts } from './queries.ts'
import { computed, fields } from './schema.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'worker.place': StoredPlace
  }
}

const writing = { own: 'map_entity_edit', any: 'map_entity_edit_any' }

/** Adds to workers that were written where else the gang is at the same time: gangs split, so this is a warning. All are of one gang. */
const warned: Warned = async (ctx, site_id, shown) => {
  const all = shown.map(fieldsIn)
  const gang = { site_id, contractor_id: textOrNull(all[0]?.contractor_id), name: textIn(all[0]?.name ?? '') }
  const bookings = all.map(({ id, start_at, end_at }) => ({ id: textIn(id), start_at: textIn(start_at), end_at: textIn(end_at) }))
  const twice = bookings.length === 0 ? new Map<Id, Id[]>() : await bookedTwice(ctx.db, gang, bookings)
  return all.map(one => ({ ...one, double_booked: twice.get(textIn(one.id)) ?? [] }))
}

/** Returns a worker as it is shown after a write. */
async function written(ctx: Ctx, site_id: Id, shown: Record<string, unknown>): Promise<Record<string, unknown>> {
  const [one = shown] = await warned(ctx, site_id, [shown])
  return one
}

const made = scheduled({
  kind: 'worker',
  schedule: 'worker_schedule',
  path: '/workers/',
  without_show: true,
  noun: 'worker or gang',
  shape: 'Worker',
  says: 'A person or gang that works at a place for a time',
  fields,
  defaults: { headcount: 1 },
  computed,
  layer: 'tokens',
  drawn: 'either',
  own: ['supervisor_name'],
  covered: true,
  warned,
  facts,
  list: {
    order: ['start_at'],
    search: ['name', 'trade', 'activity'],
    filters: {
      trade: {
        schema: optional(
          list(text('Trade', { min: 1, max: 100, example: 'Steel fixer' }), 'Trades, whatever their case', { min: 1, max: 100 }),
        ),
        where: (column, trades) => sql`lower(${column}) in (select lower(one) from unnest(${trades}::text[]) one)`,
      },
    },
  },
  access: { view: 'map_view', create: writing, change: writing, remove: writing },
  hooks: {
    faults: (_ctx, next) => lengthFaults(next),
    // The size is copied: a changed default moves nothing that is on the map.
    derive: async (ctx, next) => (next.radius_m === null ? { radius_m: (await defaultsOf(ctx, next.site_id)).worker_radius_m } : {}),
    shown: (_ctx, rows) => rows.map(row => ({ planned_labour_hours: labourHours(row) })),
  },
})

/** Workers and gangs, with their schedules. */
export const workers: typeof made = {
  ...made,
  area: {
    ...made.area,
    create: async (ctx, site_id, body) => written(ctx, site_id, await made.area.create(ctx, site_id, body)),
    change: async (ctx, row, body) => written(ctx, row.site_id, await made.area.change(ctx, row, body)),
  },
}

/** Deletes several at once: all or nothing; the refusal contains the id of the first that can’t be deleted. */
export async function removeSeveral(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<void> {
  await made.lockFirst(ctx, site_id, ids)
  const rows = (await made.area.lock(ctx, site_id, ids)).filter(row => row.deleted_at === null)
  const found = new Map(rows.map(row => [row.id, row]))
  const missing = ids.find(id => !found.has(id))
  if (missing !== undefined) refuse({ ...notFound(), context: { id: missing } })
  for (const row of rows) {
    try {
      await made.area.mayRemove(ctx, row)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refuse({ ...error.refusal, detail: `${row.name}: ${error.refusal.detail}`, context: { ...error.refusal.context, id: row.id } })
    }
  }
  await made.removeSeveral(ctx, rows)
}
