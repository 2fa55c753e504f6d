import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { type ExportLayer, inBatches } from '../../../../kernel/exports/door.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import { viewerOn } from '../../kit/actions/facts.ts'
import { NOT_ON_MAP, type PermitOnMap, permitsOnMap } from '../queries/exports.ts'
import { permitsThen } from './replay.ts'

/** Returns permits with the status and the window that they had at an instant, if they were on the map then. */
async function asThen(ctx: Ctx, site_id: Id, at: Instant, rows: readonly PermitOnMap[]): Promise<PermitOnMap[]> {
  const states = await permitsThen(
    ctx,
    site_id,
    at,
    rows.map(row => row.id),
  )
  return rows.flatMap(row => {
    const state = states.get(row.id)
    if (state === undefined || NOT_ON_MAP.includes(state.status)) return []
    const { status, start_at, end_at } = state
    return start_at !== null && end_at !== null && start_at <= at && at < end_at ? [{ ...row, status, start_at, end_at }] : []
  })
}

/**
 * Permits as a layer of files for other programs: where they are drawn, otherwise their zone or building as it is now. At an earlier instant they have the status and
 * the window that they had then.
 */
export const permitLayer: ExportLayer = {
  layer: 'permits',
  async *features(ctx, site_id, wanted) {
    const viewer = await viewerOn(ctx, site_id)
    const past = wanted.to === null && wanted.from < ctx.now ? wanted.from : null
    yield* inBatches<PermitOnMap, string>(
      (after, limit) => permitsOnMap(ctx.db, site_id, viewer, wanted, past, { after, limit }),
      row => row.id,
      async found => {
        const rows = past === null ? found : await asThen(ctx, site_id, past, found)
        const places = rows.flatMap(row => (row.place_geometry === null ? (row.zone_id ?? row.building_id ?? []) : []))
        const shapes = await shapesAt(ctx.db, site_id, ctx.now, [...new Set(places)])
        return rows.flatMap(({ id, place_geometry, start_at, end_at, categories, ...row }) => {
          const geometry = place_geometry ?? shapes.get(row.zone_id ?? row.building_id ?? '')
          return geometry === undefined
            ? []
            : [{ id, geometry, start_at, end_at, properties: { ...row, categories: categories.join(', ') } }]
        })
      },
    )
  },
}
