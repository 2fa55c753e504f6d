// Reads a geometry from a request body, checks it, and converts it to the one form that is stored (`map.md` §0.2, rules 1 and 6).
import {
  type Areal,
  areaOf,
  boundsOf,
  type LineString,
  lonLat,
  type Metres,
  metresBetween,
  middleOf,
  type Point,
  type Position,
  planeAt,
  ringArea,
} from '../../../../shared/geometry/plane.ts'
import { isRecord } from '../../../../shared/narrow.ts'
import type { FieldFault } from '../../../base/errors.ts'
import { flaw } from './overlay.ts'

/** Limits of a polygon. */
export const LIMITS = { ring_vertices: 5000, vertices: 20_000, holes: 200, least_m2: 1, most_m2: 25_000_000, span_m: 250_000 } as const

const MOST_FAULTS = 20
const MOST_LAT = 85.05

/** Rounds degrees to 8 decimals, about a millimetre. */
export const rounded = (degrees: number): number => Math.round(degrees * 1e8) / 1e8 + 0

/** Collects the faults of one geometry, at most twenty. */
function collector(faults: FieldFault[]) {
  let found = 0
  return {
    say(path: string, message: string) {
      if (found++ < MOST_FAULTS) faults.push({ path, message })
    },
    get any() {
      return found > 0
    },
  }
}
type Collector = ReturnType<typeof collector>

function readPosition(lon: unknown, lat: unknown, path: string, out: Collector): Position | null {
  if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon) || !Number.isFinite(lat)) {
    out.say(path, 'must have two finite numbers: longitude, then latitude.')
    return null
  }
  if (Math.abs(lat) > MOST_LAT || Math.abs(lon) > 180) {
    const swapped = Math.abs(lon) <= MOST_LAT && Math.abs(lat) <= 180 ? ' Are lon and lat swapped? Longitude comes first.' : ''
    out.say(path, `must be within longitude ±180 and latitude ±${MOST_LAT}.${swapped}`)
    return null
  }
  return [rounded(lon), rounded(lat)]
}

/** Reads `[lon, lat]`; ignores a height after it. */
function readPair(value: unknown, path: string, out: Collector): Position | null {
  if (Array.isArray(value) && (value.length === 2 || value.length === 3)) return readPosition(value[0], value[1], path, out)
  out.say(path, 'must be a position: [longitude, latitude].')
  return null
}

function readLonLat(value: unknown, path: string, out: Collector): Position | null {
  if (isRecord(value) && Object.keys(value).every(key => key === 'lon' || key === 'lat'))
    return readPosition(value.lon, value.lat, path, out)
  out.say(path, 'must be {lon, lat}.')
  return null
}

function readLine(value: unknown, path: string, out: Collector, read: typeof readPair): Position[] {
  if (!Array.isArray(value)) {
    out.say(path, 'must be a list of positions.')
    return []
  }
  if (value.length > LIMITS.vertices + 1) {
    out.say(path, `has ${value.length} positions; at most ${LIMITS.vertices} are accepted.`)
    return []
  }
  const line: Position[] = []
  for (const [i, item] of value.entries()) {
    const at = read(item, `${path}[${i}]`, out)
    const last = line.at(-1)
    if (at !== null && !(last !== undefined && last[0] === at[0] && last[1] === at[1])) line.push(at)
  }
  return line
}

/** Returns the coordinates of a GeoJSON object of one of these types; for anything else, adds a fault and returns null. */
function coordinatesOf(
  value: unknown,
  types: readonly string[],
  path: string,
  out: Collector,
): { type: string; coordinates: unknown } | null {
  const wanted = types.join(' or ')
  if (!isRecord(value) || typeof value.type !== 'string') {
    out.say(path, `must be a GeoJSON geometry (${wanted})${types.includes('Point') ? ' or {lon, lat}' : ' or a list of {lon, lat}'}.`)
    return null
  }
  if (value.type === 'Feature' || value.type === 'FeatureCollection') {
    out.say(`${path}.type`, `is a ${value.type}; send only a geometry.`)
    return null
  }
  if (!types.includes(value.type)) {
    out.say(`${path}.type`, `must be ${wanted}.`)
    return null
  }
  for (const key of Object.keys(value)) {
    if (!['type', 'coordinates', 'bbox'].includes(key)) out.say(`${path}.${key}`, 'isn’t a field of this geometry.')
  }
  return { type: value.type, coordinates: value.coordinates }
}

/** Reads a point: GeoJSON, or `{lon, lat}`. Returns null if it added faults. */
export function readPoint(value: unknown, path: string, faults: FieldFault[]): Point | null {
  const out = collector(faults)
  if (isRecord(value) && value.type === undefined) {
    const at = readLonLat(value, path, out)
    return at === null ? null : { type: 'Point', coordinates: at }
  }
  const found = coordinatesOf(value, ['Point'], path, out)
  if (found === null) return null
  const at = readPair(found.coordinates, `${path}.coordinates`, out)
  return at === null || out.any ? null : { type: 'Point', coordinates: at }
}

/** Reads a line: GeoJSON, or a list of `{lon, lat}`. A line can cross itself, as a haul road does. Returns null if it added faults. */
export function readLineString(value: unknown, path: string, faults: FieldFault[]): LineString | null {
  const out = collector(faults)
  const found = Array.isArray(value) ? null : coordinatesOf(value, ['LineString'], path, out)
  if (found === null && !Array.isArray(value)) return null
  const line = found === null ? readLine(value, path, out, readLonLat) : readLine(found.coordinates, `${path}.coordinates`, out, readPair)
  if (!out.any && line.length < 2) out.say(path, 'must have at least two different positions.')
  return out.any ? null : { type: 'LineString', coordinates: line }
}

type Rings = { path: string; line: Position[] }[]

function readRing(value: unknown, path: string, out: Collector): Position[] {
  if (Array.isArray(value) && value.length > LIMITS.ring_vertices + 1) {
    out.say(path, `has ${value.length - 1} corners; a ring can have at most ${LIMITS.ring_vertices}.`)
    return []
  }
  const line = readLine(value, path, out, readPair)
  const [first, last] = [line[0], line.at(-1)]
  if (out.any || first === undefined || last === undefined) return line
  if (first[0] !== last[0] || first[1] !== last[1]) out.say(path, 'is open: its last position must repeat its first.')
  return line
}

function readPolygon(value: unknown, path: string, out: Collector): Rings {
  if (!Array.isArray(value) || value.length === 0) {
    out.say(path, 'must be a list of rings, the outline first.')
    return []
  }
  return value.map((ring, i) => ({ path: `${path}[${i}]`, line: readRing(ring, `${path}[${i}]`, out) }))
}

/** Reads a list of `{lon, lat}` as an outline; it need not repeat its first point. */
function readOutline(value: readonly unknown[], path: string, out: Collector): Rings {
  const line = readLine(value, path, out, readLonLat)
  const [first, last] = [line[0], line.at(-1)]
  if (first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])) line.push(first)
  return [{ path, line }]
}

/**
 * Reads an area: GeoJSON Polygon or MultiPolygon, or a list of `{lon, lat}`. Returns it with 8 decimals, by the right-hand rule, valid and within the
 * limits; returns null if it added faults, each with its place.
 */
export function readAreal(value: unknown, path: string, faults: FieldFault[]): Areal | null {
  const out = collector(faults)
  const outline = Array.isArray(value) ? readOutline(value, path, out) : null
  const found = outline === null ? coordinatesOf(value, ['Polygon', 'MultiPolygon'], path, out) : null
  if (found === null && outline === null) return null
  const inside = `${path}.coordinates`
  const polygons =
    outline !== null
      ? [outline]
      : found?.type === 'Polygon'
        ? [readPolygon(found.coordinates, inside, out)]
        : readMany(found?.coordinates, inside, out)
  if (out.any) return null
  countFaults(polygons, path, out)
  if (out.any) return null
  const rings = polygons.map(polygon => polygon.map(ring => ring.line))
  const read: Areal =
    found?.type === 'MultiPolygon' ? { type: 'MultiPolygon', coordinates: rings } : { type: 'Polygon', coordinates: rings[0] ?? [] }
  const middle = middleOf(boundsOf(read))
  const span = 2 * Math.max(...rings.flat(2).map(p => metresBetween(middle, lonLat(p))))
  if (span > LIMITS.span_m) {
    out.say(
      path,
      `spans ${Math.round(span / 1000).toLocaleString('en-GB')} km, which is too large for a site. Go to your site on the map first (by your position, an address or coordinates) and draw the outline there. If you typed coordinates, check that latitude and longitude aren’t swapped.`,
    )
    return null
  }
  const fault = flaw(read)
  if (fault !== null) {
    out.say(path, fault)
    return null
  }
  const area = areaOf(read)
  if (area < LIMITS.least_m2) out.say(path, `covers ${area.toFixed(2)} m²; it must cover at least ${LIMITS.least_m2} m².`)
  else if (area > LIMITS.most_m2) out.say(path, `covers ${(area / 1e6).toFixed(1)} km²; at most ${LIMITS.most_m2 / 1e6} km² are accepted.`)
  return out.any ? null : rightHanded(read)
}

function readMany(value: unknown, path: string, out: Collector): Rings[] {
  if (Array.isArray(value) && value.length > 0) return value.map((polygon, i) => readPolygon(polygon, `${path}[${i}]`, out))
  out.say(path, 'must be a list of polygons.')
  return []
}

function countFaults(polygons: readonly Rings[], path: string, out: Collector): void {
  let [vertices, holes] = [0, 0]
  for (const polygon of polygons) {
    holes += polygon.length - 1
    for (const ring of polygon) {
      vertices += ring.line.length - 1
      if (ring.line.length < 4) out.say(ring.path, 'must have at least three different corners, and end with the first one.')
      else if (ring.line.length - 1 > LIMITS.ring_vertices)
        out.say(ring.path, `has ${ring.line.length - 1} corners; a ring can have at most ${LIMITS.ring_vertices}.`)
    }
  }
  if (vertices > LIMITS.vertices) out.say(path, `has ${vertices} corners; at most ${LIMITS.vertices} are accepted.`)
  if (holes > LIMITS.holes) out.say(path, `has ${holes} holes; at most ${LIMITS.holes} are accepted.`)
}

/** Turns outlines anticlockwise and holes clockwise (RFC 7946). */
function rightHanded(geometry: Areal): Areal {
  const plane = planeAt(middleOf(boundsOf(geometry)))
  const turned = (ring: Position[], i: number): Position[] => {
    const line: Metres[] = ring.map(plane.metres)
    return ringArea(line) > 0 === (i === 0) ? ring : ring.toReversed()
  }
  return geometry.type === 'Polygon'
    ? { type: 'Polygon', coordinates: geometry.coordinates.map(turned) }
    : { type: 'MultiPolygon', coordinates: geometry.coordinates.map(rings => rings.map(turned)) }
}
