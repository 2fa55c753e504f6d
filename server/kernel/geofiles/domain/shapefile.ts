// The geometries of a Shapefile (Esri, 1998).
import type { Box } from '../../../../shared/geometry/box.ts'
import { boundsOfAll, type Metres, ringArea, ringHolds } from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'
import type { Table } from './dbf.ts'
import type { GeoProblem, Raw } from './files.ts'

const damaged = (said: string): GeoProblem => ({ problem: 'damaged', said })

type Corner = number[]

/** Values below this stand for none. */
const NO_DATA = -1e38

/** A record: its type without the part that says whether it has heights, and its bytes. */
type Record_ = { type: number; high: boolean; view: DataView }

const MULTI_PATCH = 31
/** Most rings of a polygon: each hole is compared with each outline. */
const MOST_RINGS = 5000

/** Reads the parts of a line or polygon; null if the record isn't as long as it says. */
function partsIn({ view, high }: Record_): Corner[][] | null {
  if (view.byteLength < 44) return null
  const [parts, points] = [view.getInt32(36, true), view.getInt32(40, true)]
  const corners = 44 + 4 * parts
  if (parts < 0 || points < 0 || parts > points || corners + 16 * points > view.byteLength) return null
  const heights = corners + 16 * points + 16
  const has = high && heights + 8 * points <= view.byteLength
  const lines: Corner[][] = []
  for (let i = 0; i < parts; i++) {
    const from = view.getInt32(44 + 4 * i, true)
    const to = i + 1 < parts ? view.getInt32(48 + 4 * i, true) : points
    if (from < 0 || to < from || to > points) return null
    const line: Corner[] = []
    for (let n = from; n < to; n++) line.push(cornerAt(view, corners + 16 * n, has ? heights + 8 * n : null))
    lines.push(line)
  }
  return lines
}

function cornerAt(view: DataView, at: number, height: number | null): Corner {
  const corner = [view.getFloat64(at, true), view.getFloat64(at + 8, true)]
  const z = height === null ? Number.NaN : view.getFloat64(height, true)
  return Number.isFinite(z) && z > NO_DATA ? [...corner, z] : corner
}

const pair = ([x = 0, y = 0]: Corner): Metres => [x, y]

/**
 * Sorts rings into polygons: outlines are clockwise, and each hole belongs to the smallest outline around it. The largest ring can’t be a hole, so if it is wound as one,
 * all rings are wound as in GeoJSON, as some programs write them.
 */
function polygonsIn(rings: readonly Corner[][]): Corner[][][] {
  const flat = rings.map(ring => ring.map(pair))
  const wound = flat.map(ringArea)
  const largest = wound.reduce((most, area) => (Math.abs(area) > Math.abs(most) ? area : most), 0)
  const areas = largest > 0 ? wound.map(area => -area) : wound
  // A ring the wrong way round that nothing surrounds is an outline, too.
  const outlines = rings.flatMap((_, i) => (at(areas, i) < 0 ? [i] : []))
  const sizes = outlines.toSorted((a, b) => Math.abs(at(areas, a)) - Math.abs(at(areas, b)))
  const boxes = new Map(outlines.map(i => [i, boundsOfAll(at(flat, i))]))
  const made = new Map<number, Corner[][]>(outlines.map(i => [i, [at(rings, i)]]))
  rings.forEach((ring, i) => {
    if (at(areas, i) < 0) return
    const corner = at(flat, i)[0]
    const home =
      corner === undefined ? undefined : sizes.find(out => within(boxes.get(out), corner) && surrounds(at(flat, out), at(flat, i)))
    if (home === undefined) made.set(i, [ring])
    else made.get(home)?.push(ring)
  })
  return [...made.values()]
}

/** Most corners of a hole are tried, because a hole may touch its outline in some. */
const surrounds = (outline: readonly Metres[], hole: readonly Metres[]) => {
  const tried = hole.slice(0, 9)
  return tried.filter(corner => ringHolds(outline, corner)).length * 2 > tried.length
}

const within = (box: Box | undefined, [x, y]: Metres) => box !== undefined && x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]

/** Returns the geometry of a record in the form of GeoJSON, or why it can't be read. */
function geometryOf(record: Record_): { geometry: unknown; fault?: string } {
  const broken = { geometry: null, fault: 'Its record is damaged.' }
  const { type, view, high } = record
  switch (type) {
    case 0:
      return { geometry: null }
    case 1:
      if (view.byteLength < 20) return broken
      return { geometry: { type: 'Point', coordinates: cornerAt(view, 4, high && view.byteLength >= 28 ? 20 : null) } }
    case 8: {
      const points = view.byteLength < 40 ? -1 : view.getInt32(36, true)
      if (points < 0 || 40 + 16 * points > view.byteLength) return broken
      const heights = 40 + 16 * points + 16
      const has = high && heights + 8 * points <= view.byteLength
      const coordinates = Array.from({ length: points }, (_, n) => cornerAt(view, 40 + 16 * n, has ? heights + 8 * n : null))
      return { geometry: { type: 'MultiPoint', coordinates } }
    }
    case 3: {
      const lines = partsIn(record)
      if (lines === null) return broken
      return {
        geometry: lines.length === 1 ? { type: 'LineString', coordinates: lines[0] } : { type: 'MultiLineString', coordinates: lines },
      }
    }
    case 5: {
      const rings = partsIn(record)
      if (rings === null) return broken
      if (rings.length > MOST_RINGS)
        return { geometry: null, fault: `It is a polygon with ${rings.length} rings; at most ${MOST_RINGS} are accepted.` }
      const polygons = polygonsIn(rings.filter(ring => ring.length > 0))
      if (polygons.length === 0) return { geometry: null }
      return {
        geometry: polygons.length === 1 ? { type: 'Polygon', coordinates: polygons[0] } : { type: 'MultiPolygon', coordinates: polygons },
      }
    }
    default:
      return {
        geometry: null,
        fault:
          type === MULTI_PATCH
            ? 'It is a three-dimensional surface (MultiPatch), which can’t be shown on a map.'
            : `Its type ${type} is unknown.`,
      }
  }
}

/** Where the records of a file begin: in its index, or one after the other if it has none. A program that changes a shape can write it at the end, and leave the old record. */
function placesIn(shp: DataView, end: number, shx: Uint8Array | null): number[] | GeoProblem {
  const places: number[] = []
  if (shx === null) {
    for (let from = 100; from + 8 <= end; from += 8 + shp.getInt32(from + 4) * 2) {
      if (shp.getInt32(from + 4) < 2) return damaged(`its .shp ends within shape ${places.length}`)
      places.push(from)
    }
    return places
  }
  const view = new DataView(shx.buffer, shx.byteOffset, shx.byteLength)
  if (shx.length < 100 || view.getInt32(0) !== 9994) return damaged('its .shx doesn’t begin as one')
  const list = Math.min(view.getInt32(24) * 2, shx.length)
  let length = 0
  for (let at = 100; at + 8 <= list; at += 8) {
    const from = view.getInt32(at) * 2
    if (from < 100 || from + 8 > end) return damaged(`its .shx has a place for shape ${places.length} that its .shp doesn’t have`)
    length += 8 + shp.getInt32(from + 4) * 2
    if (length > shp.byteLength) return damaged('its .shx lists more shapes than its .shp has')
    places.push(from)
  }
  return places
}

/** Passes each shape with its row to `take`; returns why the file can't be read. Shapes whose row was deleted are left out. */
export function readShapes(shp: Uint8Array, shx: Uint8Array | null, table: Table | null, take: (raw: Raw) => void): GeoProblem | null {
  const view = new DataView(shp.buffer, shp.byteOffset, shp.byteLength)
  if (shp.length < 100 || view.getInt32(0) !== 9994) return damaged('its .shp doesn’t begin as one')
  const end = view.getInt32(24) * 2
  if (end > shp.length) return damaged('its .shp is shorter than its header says')
  const places = placesIn(view, end, shx)
  if ('problem' in places) return places
  if (table !== null && table.rows !== places.length)
    return damaged(`its .dbf has ${table.rows} rows, and its ${shx === null ? '.shp has' : '.shx lists'} ${places.length} shapes`)
  for (const [index, from] of places.entries()) {
    const bytes = view.getInt32(from + 4) * 2
    if (bytes < 4 || from + 8 + bytes > end) return damaged(`its .shp ends within shape ${index}`)
    const record = new DataView(shp.buffer, shp.byteOffset + from + 8, bytes)
    const code = record.getInt32(0, true)
    const type = code === MULTI_PATCH ? code : code % 10
    const row = table === null ? {} : table.row(index)
    if (row !== null) take({ ...geometryOf({ type, high: code > 10 && code < 20, view: record }), properties: row })
  }
  return null
}
