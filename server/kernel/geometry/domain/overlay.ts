// The overlap of two shapes, and whether a shape is valid. JSTS does the exact work, on metres rounded to a millimetre.

import InteriorPointArea from 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type JtsGeometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js'
import {
  type Areal,
  boundsOf,
  boxesMeet,
  type LonLat,
  lonLat,
  type Metres,
  middleOf,
  type Plane,
  planeAt,
  polygonsOf,
  ringArea,
  ringHolds,
} from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'
import { clustersOf } from './clusters.ts'
import { meetingIn, pairsAbove } from './sweep.ts'

const factory = new GeometryFactory()

const ringOf = (line: readonly Metres[]) => factory.createLinearRing(line.map(([x, y]) => new Coordinate(x, y)))

/** Makes a geometry of the library from polygons in metres. */
export function jtsOf(polygons: readonly (readonly (readonly Metres[])[])[]): JtsGeometry {
  const made = polygons.flatMap(([shell, ...holes]) =>
    shell === undefined ? [] : [factory.createPolygon(ringOf(shell), holes.map(ringOf))],
  )
  return factory.createMultiPolygon(made)
}

const inMetres = (geometry: Areal, plane: Plane): Metres[][][] =>
  polygonsOf(geometry).map(rings => rings.map(ring => ring.map(plane.metres)))

/** The numbers of TopologyValidationError, in words for the person who drew the shape. */
const FLAWS: Record<number, string> = {
  2: 'has a hole outside its outline',
  3: 'has a hole inside another hole',
  4: 'is split where its rings touch',
  5: 'crosses itself, or its parts overlap,',
  6: 'touches itself',
  7: 'has a part inside another part',
  8: 'has the same ring twice',
  9: 'has a ring with fewer than three distinct corners',
}

/** Beyond this many degrees a tangent plane folds shapes, so they are checked in degrees, in which edges are straight (RFC 7946). */
const WIDE_DEG = 2

/** Returns the plane in which a shape is checked: metres, or degrees if it is as large as a country. */
function flatFor(geometry: Areal): Plane {
  const bounds = boundsOf(geometry)
  const centre = middleOf(bounds)
  if (bounds[2] - bounds[0] <= WIDE_DEG && bounds[3] - bounds[1] <= WIDE_DEG) return planeAt(centre)
  return { centre, metres: ([lon, lat]) => [lon, lat], degrees: ([lon, lat]) => [lon, lat] }
}

/** Returns what is wrong with a shape, and where; null if nothing is. Parts that lie apart can't be wrong together, and aren't compared: there can be thousands. */
export function flaw(geometry: Areal): string | null {
  const plane = flatFor(geometry)
  for (const polygons of clustersOf(inMetres(geometry, plane))) {
    const found = flawOf(polygons, plane)
    if (found !== null) return found
  }
  return null
}

/** Up to this many corners JSTS takes some milliseconds. */
const FEW_CORNERS = 1000
/** JSTS compares all edges that lie above each other, 20 million in a second, and each ring with all others. */
const MOST_PAIRS = 100_000_000
const MOST_NESTING = 20_000_000

function flawOf(polygons: readonly Metres[][][], plane: Plane): string | null {
  const rings = polygons.flat()
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (corners > FEW_CORNERS) {
    const met = meetingIn(rings)
    if (met.kind === 'crossing') return saidAt(5, met.place, plane)
    if (met.kind === 'none' && rings.length * corners <= MOST_NESTING) return nestingFlaw(polygons, plane)
    if (pairsAbove(rings) > MOST_PAIRS) return 'touches itself, and is too intricate to check. Simplify or split it.'
  }
  try {
    const judge = new IsValidOp(jtsOf(polygons))
    if (judge.isValid()) return null
    const error = judge.getValidationError()
    const at = error?.getCoordinate() ?? null
    return saidAt(error?.getErrorType() ?? 0, at === null ? null : [at.x, at.y], plane)
  } catch {
    // If rings coincide completely, JSTS throws an error.
    return 'isn’t a valid polygon: its rings overlap.'
  }
}

/** Returns a flaw by its number, and where it is. */
const saidAt = (number: number, place: Metres | null, plane: Plane): string =>
  `${FLAWS[number] ?? 'isn’t a valid polygon'}${place === null ? '' : ` at ${spoken(lonLat(plane.degrees(place)))}`}.`

/** Returns what is wrong with the order of rings whose edges meet nowhere: one corner says where a whole ring is. */
function nestingFlaw(polygons: readonly Metres[][][], plane: Plane): string | null {
  const isIn = (ring: readonly Metres[], around: readonly Metres[]) => ringHolds(around, at(ring, 0))
  for (const [shell = [], ...holes] of polygons) {
    for (const hole of holes) {
      if (!isIn(hole, shell)) return saidAt(2, at(hole, 0), plane)
      if (holes.some(other => other !== hole && isIn(hole, other))) return saidAt(3, at(hole, 0), plane)
    }
    const within = polygons.find(
      ([outline = [], ...gaps]) => outline !== shell && isIn(shell, outline) && !gaps.some(gap => isIn(shell, gap)),
    )
    if (within !== undefined) return saidAt(7, at(shell, 0), plane)
  }
  return null
}

/** Returns a place in words. */
export const spoken = ({ lon, lat }: LonLat): string => `lon ${Number(lon.toFixed(7))}, lat ${Number(lat.toFixed(7))}`

/** Returns a point that is certainly inside the shape, in the middle of its widest part. */
export function pointOn(geometry: Areal): LonLat {
  const plane = planeAt(middleOf(boundsOf(geometry)))
  const at = InteriorPointArea.getInteriorPoint(jtsOf(inMetres(geometry, plane)))
  return at === null ? plane.centre : lonLat(plane.degrees([at.x, at.y]))
}

/** A shape that is compared with many others: its metres are computed once for each plane. */
export type Laid = { geometry: Areal; polygons: Metres[][][]; area_m2: number }

const millimetres = (metres: number) => Math.round(metres * 1000) / 1000

/** Returns a shape in a plane, with its corners rounded to a millimetre and without the rings that are then too small. */
export function laid(geometry: Areal, plane: Plane): Laid {
  const tidy = (line: readonly Metres[]) =>
    line
      .map(([x, y]): Metres => [millimetres(x), millimetres(y)])
      .filter(([x, y], i, all) => i === 0 || x !== all[i - 1]?.[0] || y !== all[i - 1]?.[1])
  const polygons = inMetres(geometry, plane)
    .map(rings => rings.map(tidy))
    .filter(([shell]) => shell !== undefined && shell.length >= 4)
    .map(rings => rings.filter(ring => ring.length >= 4))
  const area = (ring: Metres[]) => Math.abs(ringArea(ring))
  const area_m2 = polygons.reduce((sum, rings) => sum + rings.reduce((part, ring, i) => (i === 0 ? area(ring) : part - area(ring)), 0), 0)
  return { geometry, polygons, area_m2 }
}

type Stretch = { ax: number; ay: number; bx: number; by: number; low: number; high: number }

/** Lists the edges of a shape, ordered by their lower end. */
function stretchesOf(shape: Laid): Stretch[] {
  const out: Stretch[] = []
  for (const ring of shape.polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = at(ring, i - 1)
      const [bx, by] = at(ring, i)
      out.push({ ax, ay, bx, by, low: Math.min(ay, by), high: Math.max(ay, by) })
    }
  }
  return out.sort((s, t) => s.low - t.low)
}

const side = (s: Stretch, x: number, y: number) => (s.bx - s.ax) * (y - s.ay) - (s.by - s.ay) * (x - s.ax)

const meets = (s: Stretch, t: Stretch): boolean => {
  if (Math.max(s.ax, s.bx) < Math.min(t.ax, t.bx) || Math.max(t.ax, t.bx) < Math.min(s.ax, s.bx)) return false
  // Edges that nearly touch count as touching, so that JSTS decides.
  const tolerance = 1e-6 * (1 + Math.abs(s.ax) + Math.abs(s.ay))
  const apart = (p: number, q: number) => (p > tolerance && q > tolerance) || (p < -tolerance && q < -tolerance)
  return !apart(side(s, t.ax, t.ay), side(s, t.bx, t.by)) && !apart(side(t, s.ax, s.ay), side(t, s.bx, s.by))
}

/** Counts the places where the edges of two shapes meet, up to `most`. */
function meetings(a: Laid, b: Laid, most: number): number {
  const theirs = stretchesOf(b)
  const longest = theirs.reduce((max, t) => Math.max(max, t.high - t.low), 0)
  let count = 0
  for (const s of stretchesOf(a)) {
    let [from, to] = [0, theirs.length]
    // Find the first edge of the other shape that can reach up to this one.
    while (from < to) {
      const mid = (from + to) >> 1
      if (at(theirs, mid).low < s.low - longest) from = mid + 1
      else to = mid
    }
    for (let i = from; i < theirs.length; i++) {
      const t = at(theirs, i)
      if (t.low > s.high) break
      if (t.high >= s.low && meets(s, t) && ++count >= most) return count
    }
  }
  return count
}

/** At this number of meeting edges JSTS takes a tenth of a second; ten times as many would delay all other requests. */
const MOST_MEETINGS = 1500

/** Returns the overlap of two shapes of one plane, in m². */
export function sharedArea(a: Laid, b: Laid): number {
  if (a.polygons.length === 0 || b.polygons.length === 0 || !boxesMeet(boundsOf(a.geometry), boundsOf(b.geometry))) return 0
  const count = meetings(a, b, MOST_MEETINGS)
  const [ringA, ringB] = [onlyRing(a), onlyRing(b)]
  if (count === 0 && ringA !== null && ringB !== null) {
    if (ringHolds(ringB, at(ringA, 0))) return a.area_m2
    return ringHolds(ringA, at(ringB, 0)) ? b.area_m2 : 0
  }
  if (count >= MOST_MEETINGS) return sampledArea(a, b)
  const [one, other] = [jtsOf(a.polygons), jtsOf(b.polygons)]
  try {
    return SnapIfNeededOverlayOp.intersection(one, other).getArea()
  } catch {
    return afterMending(a, b, one, other)
  }
}

const onlyRing = (shape: Laid): Metres[] | null =>
  shape.polygons.length === 1 && shape.polygons[0]?.length === 1 ? (shape.polygons[0][0] ?? null) : null

/** Rounding can make a thin shape touch itself: JSTS repairs that with a buffer of zero. If that fails too, the area is sampled. */
function afterMending(a: Laid, b: Laid, one: JtsGeometry, other: JtsGeometry): number {
  try {
    return SnapIfNeededOverlayOp.intersection(BufferOp.bufferOp(one, 0), BufferOp.bufferOp(other, 0)).getArea()
  } catch {
    return sampledArea(a, b)
  }
}

const LINES = 4000

/** Returns the same area by sampling 4,000 horizontal lines: exact to about a thousandth, in a time that doesn't depend on how the shapes are drawn. */
export function sampledArea(a: Laid, b: Laid): number {
  const [mine, theirs] = [stretchesOf(a), stretchesOf(b)]
  const top = (stretches: readonly Stretch[]) => stretches.reduce((high, s) => Math.max(high, s.high), -Infinity)
  const low = Math.max(mine[0]?.low ?? Infinity, theirs[0]?.low ?? Infinity)
  const high = Math.min(top(mine), top(theirs))
  if (!(low < high)) return 0
  const step = (high - low) / LINES
  let sum = 0
  for (let i = 0; i < LINES; i++) {
    const y = low + (i + 0.5) * step
    sum += commonLength(crossings(mine, y), crossings(theirs, y)) * step
  }
  return sum
}

/** Returns where a horizontal line crosses a shape, from west to east; every second gap is inside. */
function crossings(stretches: readonly Stretch[], y: number): number[] {
  const out: number[] = []
  for (const s of stretches) {
    if (s.low > y) break
    if (s.ay > y !== s.by > y) out.push(s.ax + ((y - s.ay) / (s.by - s.ay)) * (s.bx - s.ax))
  }
  return out.sort((p, q) => p - q)
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  let [sum, i, j] = [0, 0, 0]
  while (i + 1 < a.length && j + 1 < b.length) {
    const [a0, a1, b0, b1] = [at(a, i), at(a, i + 1), at(b, j), at(b, j + 1)]
    sum += Math.max(0, Math.min(a1, b1) - Math.max(a0, b0))
    if (a1 < b1) i += 2
    else j += 2
  }
  return sum
}

/** Returns the overlap of two shapes, in m². */
export function overlapArea(a: Areal, b: Areal): number {
  const bounds = boundsOf(a)
  if (!boxesMeet(bounds, boundsOf(b))) return 0
  const plane = planeAt(middleOf(bounds))
  return sharedArea(laid(a, plane), laid(b, plane))
}
