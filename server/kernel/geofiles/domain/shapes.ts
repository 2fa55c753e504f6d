// Geometries of uploaded layers: every type of RFC 7946, checked and brought to one form (WGS84, 8 decimals, right-hand rule).
import { type Areal, type Box, boundsOf, type Geometry, type Position, polygonsOf } from '../../../../shared/geometry/plane.ts'
import { isRecord } from '../../../../shared/narrow.ts'
import { flaw } from '../../geometry/domain/overlay.ts'
import { rounded } from '../../geometry/domain/reading.ts'

/** A geometry of a layer. */
export type Shape =
  | { type: 'Point'; coordinates: Position }
  | { type: 'MultiPoint' | 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'GeometryCollection'; geometries: Shape[] }

/** Limits of one feature. A single ring stays small enough that checking it takes a moment, however it is drawn. */
export const MOST = { ring: 50_000, vertices: 200_000, parts: 20_000, nested: 4 } as const

const MOST_LAT = 85.05

/** How coordinates are read: `project` turns those of the file into degrees; null if the file has none, so that they must be degrees. */
export type Grid = { project: ((x: number, y: number) => readonly [number, number]) | null }

/** A geometry as it was read, with its lowest and highest height, and its number of positions. */
export type ReadShape = { shape: Shape; low_m: number | null; high_m: number | null; vertices: number }

/** Why a geometry can't be used. `no_grid`: its numbers are no degrees, so the whole file needs a grid. */
export type Unfit = { fault: string; no_grid?: true }

type State = {
  grid: Grid
  fault: Unfit | null
  low: number
  high: number
  vertices: number
}

const NOWHERE: Position = [0, 0]

function say(state: State, fault: string, no_grid = false): void {
  state.fault ??= no_grid ? { fault, no_grid } : { fault }
}

function readPosition(value: unknown, state: State): Position {
  const [x, y, z] = Array.isArray(value) ? value : []
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
    say(state, 'Its geometry has a position without two finite numbers.')
    return NOWHERE
  }
  if (++state.vertices > MOST.vertices) say(state, `Its geometry has more than ${MOST.vertices.toLocaleString('en-GB')} positions.`)
  if (typeof z === 'number' && Number.isFinite(z)) {
    state.low = Math.min(state.low, z)
    state.high = Math.max(state.high, z)
  }
  const { project } = state.grid
  if (project === null && (Math.abs(x) > 180 || Math.abs(y) > 90)) {
    say(state, `Its position ${x}, ${y} isn’t in degrees.`, true)
    return NOWHERE
  }
  const [lon, lat] = project === null ? [x, y] : project(x, y)
  if (!Number.isFinite(lon) || !Number.isFinite(lat) || Math.abs(lon) > 180 || Math.abs(lat) > MOST_LAT) {
    say(state, `Its position ${x}, ${y} isn’t within longitude ±180 and latitude ±${MOST_LAT}. Longitude or easting comes first.`)
    return NOWHERE
  }
  return [rounded(lon), rounded(lat)]
}

/** Reads a list of positions, without those that repeat the one before. */
function readLine(value: unknown, state: State): Position[] {
  if (!Array.isArray(value)) {
    say(state, 'Its geometry has something else where a list of positions must be.')
    return []
  }
  const line: Position[] = []
  for (const item of value) {
    const at = readPosition(item, state)
    if (state.fault !== null) return line
    const last = line.at(-1)
    if (last === undefined || last[0] !== at[0] || last[1] !== at[1]) line.push(at)
  }
  return line
}

function readWay(value: unknown, state: State): Position[] {
  const line = readLine(value, state)
  const [only] = line
  if (state.fault !== null || only === undefined || line.length > 1) {
    if (state.fault === null && only === undefined) say(state, 'It is a line without positions.')
    return line
  }
  // A receiver that doesn’t move records one position many times, which RFC 7946 allows.
  if (Array.isArray(value) && value.length > 1) return [only, only]
  say(state, 'It is a line with only one position.')
  return line
}

function readRing(value: unknown, state: State, first: boolean): Position[] {
  const ring = readLine(value, state)
  if (state.fault !== null) return ring
  const [from, to] = [ring[0], ring.at(-1)]
  if (from === undefined || to === undefined || ring.length < 4)
    say(state, 'It is a polygon with a ring of fewer than three different corners.')
  else if (from[0] !== to[0] || from[1] !== to[1]) say(state, 'It is a polygon with an open ring: its last position must repeat its first.')
  else if (ring.length - 1 > MOST.ring)
    say(state, `It is a polygon with a ring of ${ring.length - 1} corners; at most ${MOST.ring} are accepted.`)
  // Right-hand rule: outlines anticlockwise, holes clockwise.
  return turn(ring) > 0 === first ? ring : ring.reverse()
}

/** An outline that is thinner than this (about 2 mm) is one whose corners lie on a line: positions are rounded to half of it. */
const THINNEST = 2e-8

/** Returns the longer side of the box around a ring. */
function longest(ring: readonly Position[]): number {
  const [west, south, east, north] = boundsOf({ type: 'LineString', coordinates: [...ring] })
  return Math.max(east - west, north - south)
}

/** Returns twice the signed area of a ring in degrees: positive if it is anticlockwise. */
function turn(ring: readonly Position[]): number {
  let sum = 0
  const [x0, y0] = ring[0] ?? NOWHERE
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] ?? NOWHERE
    const [bx, by] = ring[i] ?? NOWHERE
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
  }
  return sum
}

function readPolygon(value: unknown, state: State): Position[][] {
  if (!Array.isArray(value) || value.length === 0) {
    say(state, 'It is a polygon without rings.')
    return []
  }
  return listed(value, state).map((ring, i) => readRing(ring, state, i === 0))
}

function listed(value: unknown, state: State): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) {
    say(state, 'Its geometry is empty.')
    return []
  }
  if (value.length > MOST.parts) {
    say(state, `Its geometry has ${value.length} parts; at most ${MOST.parts} are accepted.`)
    return []
  }
  return value
}

function areal<A extends Areal>(shape: A, state: State): A {
  if (state.fault !== null) return shape
  const fault = flaw(shape)
  if (fault !== null) say(state, `Its polygon ${fault}`)
  else if (polygonsOf(shape).some(([outline = []]) => Math.abs(turn(outline)) < THINNEST * longest(outline)))
    say(state, 'It is a polygon without an area: its outline lies on a line.')
  return shape
}

function readAny(value: unknown, state: State, depth: number): Shape {
  const none: Shape = { type: 'Point', coordinates: NOWHERE }
  if (!isRecord(value)) {
    say(state, 'It has no geometry, so it can’t be on a map.')
    return none
  }
  const { type, coordinates, geometries } = value
  switch (type) {
    case 'Point':
      return { type, coordinates: readPosition(coordinates, state) }
    case 'MultiPoint':
      return { type, coordinates: listed(coordinates, state).map(at => readPosition(at, state)) }
    case 'LineString':
      return { type, coordinates: readWay(coordinates, state) }
    case 'MultiLineString':
      return { type, coordinates: listed(coordinates, state).map(line => readWay(line, state)) }
    case 'Polygon':
      return areal({ type, coordinates: readPolygon(coordinates, state) }, state)
    case 'MultiPolygon':
      return areal({ type, coordinates: listed(coordinates, state).map(rings => readPolygon(rings, state)) }, state)
    case 'GeometryCollection':
      if (depth >= MOST.nested) say(state, 'Its geometry is a collection of collections, nested too deeply.')
      return { type, geometries: depth >= MOST.nested ? [] : listed(geometries, state).map(one => readAny(one, state, depth + 1)) }
    default:
      say(state, `Its geometry is of the unknown type “${String(type).slice(0, 40)}”.`)
      return none
  }
}

/** Reads a geometry of a file: of GeoJSON form, in the grid of the file, with heights as third numbers. */
export function readShape(value: unknown, grid: Grid): ReadShape | Unfit {
  const state: State = { grid, fault: null, low: Infinity, high: -Infinity, vertices: 0 }
  const shape = readAny(value, state, 0)
  if (state.fault !== null) return state.fault
  const found = state.low <= state.high
  return { shape, low_m: found ? state.low : null, high_m: found ? state.high : null, vertices: state.vertices }
}

/** Returns the simple parts of a geometry: points, lines and polygons. */
export function partsOf(shape: Shape): Exclude<Geometry, { type: 'MultiPolygon' }>[] {
  switch (shape.type) {
    case 'Point':
      return [{ type: 'Point', coordinates: shape.coordinates }]
    case 'LineString':
      return [{ type: 'LineString', coordinates: shape.coordinates }]
    case 'Polygon':
      return [{ type: 'Polygon', coordinates: shape.coordinates }]
    case 'MultiPoint':
      return shape.coordinates.map(coordinates => ({ type: 'Point', coordinates }))
    case 'MultiLineString':
      return shape.coordinates.map(coordinates => ({ type: 'LineString', coordinates }))
    case 'MultiPolygon':
      return polygonsOf({ type: 'MultiPolygon', coordinates: shape.coordinates }).map(coordinates => ({ type: 'Polygon', coordinates }))
    case 'GeometryCollection':
      return shape.geometries.flatMap(partsOf)
  }
}

/** Returns the smallest box around boxes. */
export const boxAround = (boxes: readonly Box[]): Box =>
  boxes.reduce<Box>(
    (all, box) => [Math.min(all[0], box[0]), Math.min(all[1], box[1]), Math.max(all[2], box[2]), Math.max(all[3], box[3])],
    [Infinity, Infinity, -Infinity, -Infinity],
  )

/** Returns the smallest box of degrees around a geometry. */
export const boundsOfShape = (shape: Shape): Box => boxAround(partsOf(shape).map(boundsOf))
