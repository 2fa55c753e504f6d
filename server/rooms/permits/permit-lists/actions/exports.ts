import { type ExportLayer, inBatches } from '../../../../kernel/exports/door.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import { viewerOn } from '../../kit/actions/facts.ts'
import { type PermitOnMap, permitsOnMap } from '../queries/exports.ts'

/** Permits as a layer of files for other programs: where they are drawn, otherwise their zone or building as it is now. */
export const permitLayer: ExportLayer = {
  layer: 'permits',
  async *features(ctx, site_id, wanted) {
    const viewer = await viewerOn(ctx, site_id)
    yield* inBatches<PermitOnMap, string>(
      (after, limit) => permitsOnMap(ctx.db, site_id, viewer, wanted, { after, limit }),
      row => row.id,
      async rows => {
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
