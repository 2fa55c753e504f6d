// Outlines from what a surveyor has: metres from a point, the device's position, or a file.
import { areaOf } from '../../../../shared/geometry/plane.ts'
import { isRecord } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import { type Ground, isGround, type Spot } from './model.ts'
import { joined } from './sketching.ts'
import { isWithin, type Shape, shapeOf } from './within.ts'

/** Metres in one degree of latitude: accurate to a few centimetres over a site. */
export const METRES = 111_320
/** The share of those metres that a degree of longitude has at a latitude. */
export const flat = (lat: number): number => Math.cos((lat * Math.PI) / 180)

/** Returns a position this many metres east and north of another. */
export const offset = ([lon, lat]: Spot, east: number, north: number): Spot => [lon + east / (METRES * flat(lat)), lat + north / METRES]

/** Reads a typed latitude and longitude; returns null when the text isn't one. */
export function spotIn(text: string): Spot | null {
  const [lat, lon, ...more] = text
    .trim()
    .split(/[\s,;]+/)
    .map(Number)
  const fits = lat !== undefined && lon !== undefined && more.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  return fits && text.trim() !== '' ? [lon, lat] : null
}

/** Reads corners typed as metres east and north of a point. Returns an area, a string that says which line isn't a corner, or null when there are too few. */
export function groundOfMetres(start: Spot, text: string): Ground | string | null {
  const corners: Spot[] = []
  for (const line of text.split('\n').filter(one => one.trim() !== '')) {
    const [east, north, ...more] = line
      .trim()
      .split(/[\s,;]+/)
      .map(Number)
    if (east === undefined || north === undefined || more.length > 0 || Number.isNaN(east + north) || Math.hypot(east, north) > 20_000)
      return line.trim()
    corners.push(offset(start, east, north))
  }
  return ringed(corners)
}

/** Returns the area within corners; null when there are too few. */
export function ringed(corners: readonly Spot[]): Ground | null {
  const [first] = corners
  return first === undefined || corners.length < 3 ? null : joined([[[...corners, first].map(([lon, lat]) => [lon, lat])]])
}

/** Returns the areas of a GeoJSON object and of everything inside it; throws for one whose coordinates aren't those of an area. */
const polygonsIn = (value: unknown): number[][][][] => {
  if (!isRecord(value)) return []
  if (value.type === 'Polygon' || value.type === 'MultiPolygon') {
    if (!isGround(value)) throw new Error('These coordinates aren’t an area.')
    return value.type === 'Polygon' ? [value.coordinates] : value.coordinates
  }
  return [value.geometry, value.features, value.geometries].flat().flatMap(polygonsIn)
}

const TAG = (name: string) => new RegExp(`<(?:\\w+:)?${name}[\\s>][\\s\\S]*?</(?:\\w+:)?${name}>`, 'gi')

/** Returns the rings of each polygon, the outer one first. */
const polygonsOfKml = (text: string): number[][][][] =>
  [...text.matchAll(TAG('Polygon'))].map(([polygon]) => {
    const inside = [...polygon.matchAll(TAG('innerBoundaryIs'))].map(([hole]) => hole).join('')
    return [polygon.match(TAG('outerBoundaryIs'))?.[0] ?? '', ...(inside.match(TAG('LinearRing')) ?? [])].map(ring =>
      (/<(?:\w+:)?coordinates[^>]*>([\s\S]*?)<\//i.exec(ring)?.[1] ?? '')
        .trim()
        .split(/\s+/)
        .map(one => one.split(',').slice(0, 2).map(Number))
        .filter(one => one.length === 2 && one.every(Number.isFinite)),
    )
  })

/** A ring is closed, so that its first corner is there twice. */
const LEAST_OF_RING = 4

type Rings = number[][][]

/** Returns the polygons that aren’t inside another: a plan of a site has its buildings in its boundary, and an area can’t have one part inside another. */
function outermost(polygons: readonly Rings[]): Rings[] {
  const [kept, outer]: [Shape[], Set<Rings>] = [[], new Set()]
  const all = polygons.map(rings => ({ rings, shape: shapeOf({ type: 'Polygon', coordinates: rings.slice(0, 1) }) }))
  const largest_first = all.map(one => ({ ...one, size: areaOf(one.shape.areal) })).sort((a, b) => b.size - a.size)
  for (const { rings, shape } of largest_first) {
    if (kept.some(larger => isWithin(shape, larger))) continue
    kept.push(shape)
    outer.add(rings)
  }
  return polygons.filter(rings => outer.has(rings))
}

/** An area read from a file, with the numbers of holes, of polygons without an area, and of those inside another that were left out. */
export type Read = { ground: Ground; holes: number; flats: number; inside: number }

/** Returns the polygons of a GeoJSON or KML file as one area without holes, because drawing doesn't support them; null when it contains no polygon or can't be read. */
export function groundOfFile(text: string): Read | null {
  try {
    const kml = /^\s*(?:\uFEFF)?\s*</.test(text)
    const found = kml ? polygonsOfKml(text) : polygonsIn(JSON.parse(text.replace(/^\uFEFF/, '')))
    const sound = found.every(rings => Array.isArray(rings) && rings.every(ring => Array.isArray(ring) && ring.every(Array.isArray)))
    if (!sound) return null
    const solid = found.filter(([outer]) => outer !== undefined && outer.length >= LEAST_OF_RING)
    const outer = outermost(solid)
    const ground = joined(outer.map(rings => rings.slice(0, 1)))
    const holes = outer.reduce((sum, rings) => sum + rings.length - 1, 0)
    return ground === null ? null : { ground, holes, flats: found.length - solid.length, inside: solid.length - outer.length }
  } catch {
    return null
  }
}

const STEPS = [1, 2, 5]
const LEAST_PX = 70
const WORLD_PX = 512
const AROUND_M = 40_075_017

/** Returns the metres that a pixel of the map covers. */
export const metresAPixel = (lat: number, zoom: number): number => (AROUND_M * flat(lat)) / (WORLD_PX * 2 ** zoom)

/** Returns the spacing of the grid lines in metres, so that the grid is legible at this zoom. */
export function gridStep(lat: number, zoom: number): number {
  const least = metresAPixel(lat, zoom) * LEAST_PX
  const ten = 10 ** Math.floor(Math.log10(least))
  return Math.max(1, ten * ([...STEPS, 10].find(step => step * ten >= least) ?? 10))
}

const MOST_LINES = 80

/** Returns the lines of a grid in metres over a box, counted from a point; every tenth is heavy. */
export function gridOver([west, south, east, north]: readonly [number, number, number, number], origin: Spot, step: number) {
  const [dLon, dLat] = [step / (METRES * flat(origin[1])), step / METRES]
  const along = (from: number, to: number, start: number, by: number) => {
    const first = Math.ceil((from - start) / by)
    const count = Math.floor((to - start) / by) - first + 1
    return count > MOST_LINES || !Number.isFinite(count) ? [] : Array.from({ length: Math.max(0, count) }, (_, i) => first + i)
  }
  const line = (coordinates: number[][], n: number) => ({
    type: 'Feature' as const,
    properties: { heavy: n % 10 === 0 },
    geometry: { type: 'LineString' as const, coordinates },
  })
  return {
    type: 'FeatureCollection' as const,
    features: [
      ...along(west, east, origin[0], dLon).map(n =>
        line(
          [
            [origin[0] + n * dLon, south],
            [origin[0] + n * dLon, north],
          ],
          n,
        ),
      ),
      ...along(south, north, origin[1], dLat).map(n =>
        line(
          [
            [west, origin[1] + n * dLat],
            [east, origin[1] + n * dLat],
          ],
          n,
        ),
      ),
    ],
  }
}

/** Formats a length for the map. */
export const lengthOf = (metres: number): string => (metres >= 1000 ? `${metres / 1000} km` : `${metres} m`)

/** Returns the address of a site on one line, as a search finds it. */
export const addressOf = (site: Pick<Schemas['Site'], 'address_lines' | 'postal_code' | 'locality'> | undefined): string =>
  [...(site?.address_lines ?? []), site?.postal_code, site?.locality].filter(one => one != null && one !== '').join(', ')
