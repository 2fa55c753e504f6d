// Cutting shapes out of an outline, and making a shape larger or smaller. JSTS does the exact work, on metres rounded to a millimetre.
import type JtsGeometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import Polygon from 'jsts/org/locationtech/jts/geom/Polygon.js'
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import {
  type Areal,
  areaOf,
  boundsOf,
  boxesMeet,
  centreOf,
  type LonLat,
  type Metres,
  middleOf,
  type Plane,
  type Position,
  planeAt,
  polygonsOf,
  positionsOf,
  ringArea,
} from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'
import { flaw, jtsOf, laid } from './overlay.ts'
import { rounded } from './reading.ts'

/** What is left of an outline: null if nothing is; the parts that are too small or too narrow are left out and listed. */
export type Carved = { geometry: Areal | null; dropped: { area_m2: number; centre: LonLat }[] }

/** Parts that are smaller or narrower are left out. */
export type LeastPart = { area_m2: number; width_m: number }

const key = ([x, y]: Metres) => `${Math.round(x * 1000)} ${Math.round(y * 1000)}`

/** Returns the polygons of a geometry of the library in degrees. Corners of `known` shapes come back exactly as they were. */
function inDegrees(geometry: JtsGeometry, plane: Plane, known: readonly Areal[]): Position[][][] {
  const corners = new Map<string, Position>()
  for (const shape of known) for (const position of positionsOf(shape)) corners.set(key(plane.metres(position)), position)
  const ringOf = (ring: { getCoordinates(): { x: number; y: number }[] }, outer: boolean): Position[] | null => {
    const line: Metres[] = []
    for (const { x, y } of ring.getCoordinates()) {
      const corner: Metres = [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000]
      const last = line.at(-1)
      if (last === undefined || last[0] !== corner[0] || last[1] !== corner[1]) line.push(corner)
    }
    if (line.length < 4) return null
    const turned = ringArea(line) > 0 === outer ? line : line.reverse()
    return turned.map(corner => {
      const [lon, lat] = plane.degrees(corner)
      return corners.get(key(corner)) ?? [rounded(lon), rounded(lat)]
    })
  }
  const polygons: Position[][][] = []
  for (let n = 0; n < geometry.getNumGeometries(); n++) {
    const part = geometry.getGeometryN(n)
    if (!(part instanceof Polygon) || part.isEmpty()) continue
    const shell = ringOf(part.getExteriorRing(), true)
    if (shell === null) continue
    const holes = Array.from({ length: part.getNumInteriorRing() }, (_, i) => ringOf(part.getInteriorRingN(i), false))
    polygons.push([shell, ...holes.flatMap(hole => (hole === null ? [] : [hole]))])
  }
  // The library returns parts in an order of its own.
  return polygons.sort((a, b) => firstOf(a)[0] - firstOf(b)[0] || firstOf(a)[1] - firstOf(b)[1])
}

const firstOf = (polygon: readonly Position[][]): Position => at(at(polygon, 0), 0)

const areal = (polygons: readonly Position[][][]): Areal =>
  polygons.length === 1 ? { type: 'Polygon', coordinates: at(polygons, 0) } : { type: 'MultiPolygon', coordinates: [...polygons] }

/** Does an overlay; if rounding has made a shape touch itself, both are repaired first. */
function overlaid(operation: 'difference' | 'union' | 'intersection', a: JtsGeometry, b: JtsGeometry): JtsGeometry {
  try {
    return SnapIfNeededOverlayOp[operation](a, b)
  } catch {
    return SnapIfNeededOverlayOp[operation](BufferOp.bufferOp(a, 0), BufferOp.bufferOp(b, 0))
  }
}

/** Joins shapes, halves first, so that each corner takes part in few overlays. */
function union(shapes: readonly JtsGeometry[]): JtsGeometry | null {
  if (shapes.length < 2) return shapes[0] ?? null
  const middle = shapes.length >> 1
  const [one, other] = [union(shapes.slice(0, middle)), union(shapes.slice(middle))]
  return one === null || other === null ? (one ?? other) : overlaid('union', one, other)
}

/** Returns a shape as the library sees it in a plane. */
const inPlane = (shape: Areal, plane: Plane): JtsGeometry => jtsOf(laid(shape, plane).polygons)

/**
 * Returns an outline without the union of these shapes. The result depends only on the outline and on which shapes are cut out, in the order of the list: callers
 * sort it, so that it never depends on the order in which people cut. Shapes that don't touch the outline change nothing.
 */
export function carved(outline: Areal, shapes: readonly Areal[], least: LeastPart): Carved {
  const bounds = boundsOf(outline)
  const touching = shapes.filter(shape => boxesMeet(bounds, boundsOf(shape)))
  const plane = planeAt(middleOf(bounds))
  const gone = union(touching.map(shape => inPlane(shape, plane)))
  if (gone === null) return { geometry: outline, dropped: [] }
  const whole = inPlane(outline, plane)
  if (overlaid('intersection', whole, gone).getArea() < NOTHING_M2) return { geometry: outline, dropped: [] }
  const left = mended(overlaid('difference', whole, gone), plane, [outline, ...touching])
  const dropped: Carved['dropped'] = []
  const kept = left.filter(polygon => {
    const part = areal([polygon])
    const area_m2 = areaOf(part)
    if (area_m2 >= least.area_m2 && !isNarrow(part, plane, least.width_m)) return true
    dropped.push({ area_m2: Math.round(area_m2 * 1000) / 1000, centre: centreOf(part) })
    return false
  })
  return { geometry: kept.length === 0 ? null : areal(kept), dropped }
}

/** Shapes that share less than this only touch. */
export const NOTHING_M2 = 0.01

/** Returns polygons in degrees that are valid after rounding. */
function mended(geometry: JtsGeometry, plane: Plane, known: readonly Areal[]): Position[][][] {
  const made = inDegrees(geometry, plane, known)
  if (made.every(polygon => flaw(areal([polygon])) === null)) return made
  // A spike that is thinner than the rounding: it disappears when the shape is made a little smaller and larger again.
  const without = BufferOp.bufferOp(BufferOp.bufferOp(geometry, -SPIKE_M, 2), SPIKE_M, 2)
  return inDegrees(without, plane, known).filter(polygon => flaw(areal([polygon])) === null)
}

const SPIKE_M = 0.005

/** Returns whether nothing of a part is as wide as this. */
function isNarrow(part: Areal, plane: Plane, width_m: number): boolean {
  return width_m > 0 && BufferOp.bufferOp(inPlane(part, plane), -width_m / 2, 2).isEmpty()
}

/** Returns a shape made larger by this many metres, or smaller if negative; null if nothing is left. Corners become round. */
export function grown(shape: Areal, metres: number): Areal | null {
  if (metres === 0) return shape
  const plane = planeAt(middleOf(boundsOf(shape)))
  const polygons = mended(BufferOp.bufferOp(inPlane(shape, plane), metres, 8), plane, [])
  return polygons.length === 0 ? null : areal(polygons)
}

/** Returns what several shapes cover together. */
export function joined(shapes: readonly [Areal, ...Areal[]]): Areal {
  const plane = planeAt(middleOf(boundsOf(shapes[0])))
  const whole = union(shapes.map(shape => inPlane(shape, plane)))
  const polygons = whole === null ? [] : mended(whole, plane, shapes)
  return polygons.length === 0 ? shapes[0] : areal(polygons)
}

/** Returns how much of an outline a shape covers, in m²; 0 if they only touch. */
export function covered(outline: Areal, shape: Areal): number {
  const bounds = boundsOf(outline)
  if (!boxesMeet(bounds, boundsOf(shape))) return 0
  const plane = planeAt(middleOf(bounds))
  const area = overlaid('intersection', inPlane(outline, plane), inPlane(shape, plane)).getArea()
  return area < NOTHING_M2 ? 0 : area
}

/** Returns the part of an outline that is in a shape; null if they only touch. */
export function within(outline: Areal, shape: Areal): Areal | null {
  const bounds = boundsOf(outline)
  if (!boxesMeet(bounds, boundsOf(shape))) return null
  const plane = planeAt(middleOf(bounds))
  const common = overlaid('intersection', inPlane(outline, plane), inPlane(shape, plane))
  if (common.getArea() < NOTHING_M2) return null
  const polygons = mended(common, plane, [outline, shape])
  return polygons.length === 0 ? null : areal(polygons)
}

/** Returns whether a shape is so small or narrow that it is left out. */
export const isSliver = (part: Areal, least: LeastPart): boolean =>
  areaOf(part) < least.area_m2 || isNarrow(part, planeAt(middleOf(boundsOf(part))), least.width_m)

/** Returns the number of separate parts, of holes, and of corners of a shape. */
export function countsOf(shape: Areal): { parts: number; holes: number; vertices: number } {
  const polygons = polygonsOf(shape)
  return {
    parts: polygons.length,
    holes: polygons.reduce((sum, rings) => sum + rings.length - 1, 0),
    vertices: polygons.flat().reduce((sum, ring) => sum + ring.length - 1, 0),
  }
}
