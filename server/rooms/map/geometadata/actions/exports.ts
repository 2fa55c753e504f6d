import type { ExportFeature } from '../../../../kernel/exports/domain.ts'
import { type ExportLayer, inBatches } from '../../../../kernel/exports/door.ts'
import { type OverlayRow, overlaysOn } from '../queries.ts'

function featureOf({
  layer_id,
  number,
  geometry,
  properties,
  layer_name,
  role,
  utility,
  quality_level,
  accuracy_m,
}: OverlayRow): ExportFeature {
  // What the layer says about itself comes before a property of the same name.
  const own = { layer_id, layer_name, role, utility, quality_level, accuracy_m }
  return { id: `${layer_id}/${number}`, geometry, start_at: null, end_at: null, properties: { ...properties, ...own } }
}

/** Layers of surveys in files for other programs; those that became areas, buildings and zones are in the file as such. They are always there. */
export const overlayLayer: ExportLayer = {
  layer: 'overlays',
  async *features(ctx, site_id, { level_index, building_id, contractor_id, box }) {
    // They are on no level and belong to no one.
    if (level_index !== undefined || building_id !== undefined || contractor_id !== undefined) return
    yield* inBatches<OverlayRow, readonly [string, number]>(
      (after, limit) => overlaysOn(ctx.db, site_id, { after, limit, ...(box === undefined ? {} : { box }) }),
      row => [row.layer_id, row.number],
      rows => rows.map(featureOf),
    )
  },
}
