// Areas, buildings and zones in files for other programs (`map.md` §12).
import type { ExportFeature, ExportLayerName, Wanted } from '../../../../kernel/exports/domain.ts'
import { type ExportLayer, inBatches } from '../../../../kernel/exports/door.ts'
import type { FeatureKind } from '../domain/features.ts'
import { levelList } from '../domain/levels.ts'
import { type FeatureRow, featuresDuring, type Narrowed } from '../queries/features.ts'

const narrowedBy = (kind: FeatureKind, { level_index, building_id, contractor_id, box }: Wanted): Narrowed => ({
  kind: [kind],
  ...(level_index === undefined ? {} : { level_index }),
  ...(building_id === undefined ? {} : { building_id }),
  ...(contractor_id === undefined ? {} : { contractor_id }),
  ...(box === undefined ? {} : { box }),
})

function featureOf(row: FeatureRow): ExportFeature {
  const { id, geometry, valid_from, valid_to, levels } = row
  const { kind, code, name, zone_type, contractor_id, building_id, level_from, level_to, parent_area_id, area_m2, number } = row
  return {
    id,
    geometry,
    start_at: valid_from,
    end_at: valid_to,
    properties: {
      ...{ kind, code, name, zone_type, contractor_id, building_id, level_from, level_to, parent_area_id, area_m2 },
      // A list that can be read back in.
      levels: levels.length === 0 ? null : levelList(levels),
      feature_version: number,
    },
  }
}

const layerOf = (layer: ExportLayerName, kind: FeatureKind): ExportLayer => ({
  layer,
  features: (ctx, site_id, wanted) =>
    inBatches<FeatureRow, readonly [string, number]>(
      (after, limit) => featuresDuring(ctx.db, site_id, [wanted.from, wanted.to], narrowedBy(kind, wanted), { limit, after }),
      row => [row.id, row.number],
      rows => rows.map(featureOf),
    ),
})

/** The layers of this room. */
export const exportLayers: readonly ExportLayer[] = [layerOf('areas', 'area'), layerOf('buildings', 'building'), layerOf('zones', 'zone')]
