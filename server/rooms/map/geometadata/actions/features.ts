import { boundsOf, type Geometry, position, widened } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { numberIn, PAGE, positionIn, slice, writeCursor } from '../../../../base/paging.ts'
import type { Static } from '../../../../base/schema.ts'
import { measureFrom } from '../../../../kernel/geofiles/domain/distance.ts'
import { simplified } from '../../../../kernel/geofiles/domain/simplify.ts'
import { readBox, readNear } from '../../../../kernel/geometry/door.ts'
import { isUnproven, type LayerRole, type QualityLevel, type Utility } from '../domain.ts'
import { type FeatureFound, featuresAround, featuresIn, hasLayers, type NearbyRow } from '../queries.ts'
import type { FeaturesQuery } from '../schema.ts'
import type { Layer } from './layers.ts'

type Query = Static<typeof FeaturesQuery>

/** Most features that are compared with a position. */
const MOST = 20_000

/** Returns a page of the features of a layer, as GeoJSON. */
export async function showFeatures(ctx: Ctx, layer: Layer, query: Query): Promise<{ body: unknown; next: string | null }> {
  if (query.near === undefined && query.within_m !== undefined) refuse(invalidField('within_m', 'can only be sent together with near.'))
  const limit = query.limit ?? PAGE
  const boxes = query.bbox === undefined ? [] : [readBox(query.bbox)]
  const near: Geometry | null = query.near === undefined ? null : { type: 'Point', coordinates: position(readNear(query.near)) }
  const shown = (found: FeatureFound, more: Record<string, unknown> = {}) => ({
    type: 'Feature',
    id: `${layer.id}/${found.number}`,
    geometry: query.simplify_m === undefined ? found.geometry : simplified(found.geometry, query.simplify_m),
    properties: { ...found.properties, ...more },
  })
  const page = (features: unknown[], next: string | null) => ({ body: { type: 'FeatureCollection', features }, next })
  if (near === null) {
    const after = numberIn(query.cursor)
    const rows = await featuresIn(ctx.db, layer.site_id, layer.id, {
      limit: limit + 1,
      boxes,
      ...(after === undefined ? {} : { after }),
    })
    const kept = rows.slice(0, limit)
    const end = kept.at(-1)
    return page(
      kept.map(row => shown(row)),
      rows.length > limit && end !== undefined ? writeCursor([end.number]) : null,
    )
  }
  const within_m = query.within_m ?? 50
  const around = widened(boundsOf(near), within_m + 1)
  const rows = await featuresIn(ctx.db, layer.site_id, layer.id, { limit: MOST + 1, boxes: [...boxes, around] })
  if (rows.length > MOST) refuse(invalidField('within_m', `must be smaller, because more than ${MOST} features are around this position.`))
  const distance = measureFrom(near, within_m + 1)
  const found = rows
    .map(row => ({ row, distance_m: thousandths(distance(row.geometry)) }))
    .filter(({ distance_m }) => distance_m <= within_m)
    .sort((a, b) => a.distance_m - b.distance_m || a.row.number - b.row.number)
  const { rows: nearest, next } = slice(
    found.map(one => ({ ...one, key: String(one.row.number) })),
    positionIn(query.cursor),
    limit,
  )
  return page(
    nearest.map(({ row: feature, distance_m }) => shown(feature, { distance_m })),
    next,
  )
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000

/** A feature near a place, as other rooms see it. */
export type Nearby = {
  layer_id: Id
  layer_name: string
  feature_id: string
  label: string
  role: LayerRole
  utility: Utility | null
  quality_level: QualityLevel | null
  /** Found only from records or a site visit: it must be exposed before anyone digs. */
  unproven: boolean
  distance_m: number
  /** How far its position can be off because of its grid. */
  accuracy_m: number | null
}

/**
 * Returns what layers of these roles have within a distance of a geometry, the nearest first. A layer whose positions can be off by metres is searched that much
 * further. What is hidden on the map counts, too.
 */
export async function nearby(ctx: Ctx, site_id: Id, geometry: Geometry, roles: readonly LayerRole[], within_m: number): Promise<Nearby[]> {
  if (!(await hasLayers(ctx.db, site_id, roles))) return []
  const around = widened(boundsOf(geometry), within_m + WORST_M)
  const rows = await featuresAround(ctx.db, site_id, roles, around, MOST)
  const distance = measureFrom(geometry, within_m + WORST_M)
  return rows
    .map(row => ({ row, distance_m: thousandths(distance(row.geometry)) }))
    .filter(({ row, distance_m }) => distance_m <= within_m + (row.accuracy_m ?? 0))
    .sort((a, b) => a.distance_m - b.distance_m || (a.row.layer_id < b.row.layer_id ? -1 : 1) || a.row.number - b.row.number)
    .map(({ row, distance_m }) => {
      const { layer_id, layer_name, number, role, utility, quality_level, accuracy_m } = row
      const feature_id = `${layer_id}/${number}`
      return {
        ...{ layer_id, layer_name, feature_id, label: labelOf(row), role, utility, quality_level },
        ...{ unproven: isUnproven(quality_level), distance_m, accuracy_m },
      }
    })
}

/** The worst accuracy of a grid that we convert, and a metre for the box. */
const WORST_M = 6

function labelOf({ style, properties, layer_name }: NearbyRow): string {
  const own = style.label_property === null ? null : properties[style.label_property]
  const label = own ?? properties.name ?? properties.Name
  return typeof label === 'string' || typeof label === 'number' ? String(label).slice(0, 200) || layer_name : layer_name
}
