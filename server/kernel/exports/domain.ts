// Features of the map as files for other programs (RFC 7946): what is asked for, and how one is written. Pure.
import type { Box } from '../../../shared/geometry/box.ts'
import { type Areal, boundsOf, type Metres, type Position } from '../../../shared/geometry/plane.ts'
import { type Instant, wallOf } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'
import { boundsOfShape, type Shape } from '../geofiles/domain/shapes.ts'
import { flaw } from '../geometry/domain/overlay.ts'
import { onGrid } from '../geometry/domain/snapping.ts'

/** The layers that a file can contain, in their order. */
export const EXPORT_LAYERS = [
  'boundary',
  'areas',
  'buildings',
  'zones',
  'active_areas',
  'workers',
  'plant',
  'deliveries',
  'pois',
  'text_labels',
  'floor_plans',
  'overlays',
  'permits',
] as const
export type ExportLayerName = (typeof EXPORT_LAYERS)[number]

/** Layers that a file contains only if someone asks for them. */
export const ON_DEMAND: readonly ExportLayerName[] = ['overlays', 'permits']

/** What of the map is wanted: an instant (`to` is null), or everything that is there at some time of a half-open period. */
export type Wanted = {
  from: Instant
  to: Instant | null
  level_index?: readonly number[]
  building_id?: readonly Id[]
  contractor_id?: readonly Id[]
  box?: Box
  bbox?: string
}

/** A feature of a layer. `start_at`, `end_at`: when it is there; null if it always is, or has no end. */
export type ExportFeature = {
  id: string
  geometry: Shape
  start_at: Instant | null
  end_at: Instant | null
  properties: Record<string, unknown>
}

const DECIMALS = 1e7

/** Returns coordinates with 7 decimals, about a centimetre. */
function shortened(value: unknown): unknown {
  if (typeof value === 'number') return shorter(value)
  return Array.isArray(value) ? value.map(shortened) : value
}

const shorter = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS + 0

/** Shapes with more corners are written as they are: checking them would hold up other requests. */
const CHECKED_CORNERS = 1000

/**
 * Returns a polygon with 7 decimals. Rounding can make one with a thin part cross itself: other programs refuse it, and so do we when the file comes back. It is
 * repaired, by about a centimetre (decision 1088).
 */
function shortenedAreal(shape: Areal): Areal {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  const short = polygons.map(rings => rings.map(ring => ring.map(([lon, lat]): Position => [shorter(lon), shorter(lat)])))
  const written = arealOf(short)
  const corners = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
  if (corners > CHECKED_CORNERS || flaw(written) === null) return written
  const [west, south] = boundsOf(shape).map(degrees => Math.round(degrees * DECIMALS))
  if (west === undefined || south === undefined) return written
  const snapped = onGrid(
    short.map(rings => rings.map(ring => ring.map(([lon, lat]): Metres => [lon * DECIMALS - west, lat * DECIMALS - south]))),
  )
  const back = ([x, y]: Metres): Position => [(x + west) / DECIMALS + 0, (y + south) / DECIMALS + 0]
  const repaired = arealOf(snapped.map(rings => rings.map(ring => [...ring, ...ring.slice(0, 1)].map(back))))
  return snapped.length === 0 || flaw(repaired) !== null ? written : repaired
}

const arealOf = (polygons: Position[][][]): Areal => {
  const [only] = polygons
  return polygons.length === 1 && only !== undefined
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

const geometryOf = (shape: Shape): unknown =>
  shape.type === 'GeometryCollection'
    ? { type: shape.type, geometries: shape.geometries.map(geometryOf) }
    : shape.type === 'Polygon'
      ? shortenedAreal({ type: shape.type, coordinates: shape.coordinates })
      : shape.type === 'MultiPolygon'
        ? shortenedAreal(shape)
        : { type: shape.type, coordinates: shortened(shape.coordinates) }

const isFlat = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Returns an instant as clocks on the site show it. */
const localOf = (zone: string, at: Instant | null): string | null => {
  if (at === null) return null
  const { date, time, seconds } = wallOf(zone, at)
  return `${date}T${time}:${String(seconds).padStart(2, '0')}`
}

/** Writes a feature: flat properties, instants in UTC and as clocks on the site show them. Values that aren’t flat are left out. */
export function writeFeature(layer: ExportLayerName, zone: string, feature: ExportFeature): string {
  const { id, geometry, start_at, end_at, properties } = feature
  return JSON.stringify({
    type: 'Feature',
    id,
    geometry: geometryOf(geometry),
    properties: {
      ...Object.fromEntries(Object.entries(properties).filter(([, value]) => isFlat(value))),
      layer,
      start_at,
      end_at,
      local_start: localOf(zone, start_at),
      local_end: localOf(zone, end_at),
    },
  })
}

/** Returns the smallest box around a box and a feature. */
export function widenedBy(box: Box | null, feature: ExportFeature): Box {
  const own = boundsOfShape(feature.geometry)
  return box === null ? own : [Math.min(box[0], own[0]), Math.min(box[1], own[1]), Math.max(box[2], own[2]), Math.max(box[3], own[3])]
}

/** Writes a box as a member of a collection. */
export const writeBox = (box: Box): string => JSON.stringify(shortened([...box]))
