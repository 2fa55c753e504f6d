// Floor plans in files for other programs (`map.md` §12): where the sheet lies and where it can be downloaded, not its lines.
import { apply } from '../../../../../shared/calibration/algebra.ts'
import { type Areal, boundsOf, boxesMeet, type Position, planeAt } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { ExportFeature } from '../../../../kernel/exports/domain.ts'
import { type ExportLayer, inBatches } from '../../../../kernel/exports/door.ts'
import type { Laid } from '../../kit/domain/pyramid.ts'
import { outlinesAt } from '../../reference-features/door.ts'
import { type FloorPlanRow, plansDuring } from '../queries.ts'
import { laidOf } from './show.ts'

/** Returns the ground under a sheet. */
function groundUnder({ width, height, matrix, origin }: Laid): Areal {
  const plane = planeAt(origin)
  const corners: [number, number][] = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
    [0, 0],
  ]
  return { type: 'Polygon', coordinates: [corners.map((corner): Position => plane.degrees(apply(matrix, corner)))] }
}

type Home = { geometry: Areal; building_id: Id | null }

/** Finds what plans show, as it was when each of them started. */
function homes(ctx: Ctx, site_id: Id): (plan: FloorPlanRow) => Promise<Home | null> {
  const known = new Map<string, Home | null>()
  return async ({ feature_id, start_at }) => {
    const key = `${feature_id} ${start_at}`
    const found = known.get(key)
    if (found !== undefined) return found
    const [feature] = await outlinesAt(ctx, site_id, start_at, { id: [feature_id] })
    const home =
      feature === undefined
        ? null
        : { geometry: feature.geometry, building_id: feature.kind === 'building' ? feature.id : feature.building_id }
    known.set(key, home)
    return home
  }
}

/** The drawings of levels that are active. One that isn't placed yet has the outline of what it shows. */
export const planLayer: ExportLayer = {
  layer: 'floor_plans',
  async *features(ctx, site_id, { from, to, level_index, building_id, contractor_id, box }) {
    // They belong to no contractor.
    if (contractor_id !== undefined) return
    const homeOf = homes(ctx, site_id)
    const base = `${ctx.house.settings.public_url.replace(/\/$/, '')}/api`
    const featureOf = async (row: FloorPlanRow): Promise<ExportFeature[]> => {
      const home = await homeOf(row)
      if (building_id !== undefined && (home?.building_id == null || !building_id.includes(home.building_id))) return []
      const laid = row.placement === null ? null : laidOf(row, row.placement)
      const geometry = laid === null ? home?.geometry : groundUnder(laid)
      if (geometry === undefined || (box !== undefined && !boxesMeet(box, boundsOf(geometry)))) return []
      const { id, feature_id, level_index, name, drawing_number, revision, suitability, source_kind, status, placement } = row
      return [
        {
          ...{ id, geometry, start_at: row.start_at, end_at: row.end_at },
          properties: {
            ...{
              feature_id,
              building_id: home?.building_id ?? null,
              level_index,
              name,
              drawing_number,
              revision,
              suitability,
              source_kind,
              status,
            },
            ...{ is_placed: laid !== null, is_approximate: placement?.approximate ?? null, rmse_m: placement?.rmse_m ?? null },
            image_url: `${base}/floor-plans/${id}/image`,
            tilejson_url: row.served === null ? null : `${base}/tiles/floor-plan/${id}/tilejson.json`,
          },
        },
      ]
    }
    yield* inBatches<FloorPlanRow, Id>(
      (after, limit) => plansDuring(ctx.db, site_id, [from, to], { level_index, after, limit }),
      row => row.id,
      async rows => {
        const features: ExportFeature[] = []
        for (const row of rows) features.push(...(await featureOf(row)))
        return features
      },
    )
  },
}
