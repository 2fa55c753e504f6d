// Distances between any two geometries, in metres on the ground.
import {
  type Box,
  boundsOf,
  type Geometry,
  type Metres,
  metresToStretch,
  middleOf,
  type Plane,
  type Position,
  planeAt,
  polygonsOf,
  ringHolds,
} from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'
import { partsOf, type Shape } from './shapes.ts'

/** The edges of a geometry in a plane, and the rings of its polygons. */
type Flat = { edges: [Metres, Metres][]; polygons: Metres[][][]; first: Metres[] }

const linesOf = (line: readonly Position[], plane: Plane): Metres[] => line.map(plane.metres)

function edgesOf(line: readonly Metres[], out: [Metres, Metres][]): void {
  if (line.length === 1) out.push([at(line, 0), at(line, 0)])
  for (let i = 1; i < line.length; i++) out.push([at(line, i - 1), at(line, i)])
}

function flat(parts: readonly Geometry[], plane: Plane): Flat {
  const made: Flat = { edges: [], polygons: [], first: [] }
  for (const part of parts) {
    const lines = part.type === 'Point' ? [[part.coordinates]] : part.type === 'LineString' ? [part.coordinates] : polygonsOf(part).flat()
    for (const line of lines) {
      const metres = linesOf(line, plane)
      edgesOf(metres, made.edges)
      if (metres[0] !== undefined) made.first.push(metres[0])
    }
    if (part.type === 'Polygon' || part.type === 'MultiPolygon')
      made.polygons.push(...polygonsOf(part).map(rings => rings.map(ring => linesOf(ring, plane))))
  }
  return made
}

const contains = (polygons: readonly Metres[][][], point: Metres) =>
  polygons.some(rings => rings.filter(ring => ringHolds(ring, point)).length % 2 === 1)

const side = ([ax, ay]: Metres, [bx, by]: Metres, [x, y]: Metres) => (bx - ax) * (y - ay) - (by - ay) * (x - ax)

function crossing([a, b]: [Metres, Metres], [c, d]: [Metres, Metres]): boolean {
  const [p, q, r, s] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)]
  return p > 0 !== q > 0 && r > 0 !== s > 0 && p !== q && r !== s
}

/** Returns how far two edges are apart if that is less than `least`. */
function edgesApart(one: [Metres, Metres], other: [Metres, Metres], least: number): number {
  const [[ax, ay], [bx, by]] = one
  const [[cx, cy], [dx, dy]] = other
  const gap_x = Math.max(Math.min(cx, dx) - Math.max(ax, bx), Math.min(ax, bx) - Math.max(cx, dx))
  const gap_y = Math.max(Math.min(cy, dy) - Math.max(ay, by), Math.min(ay, by) - Math.max(cy, dy))
  if (Math.max(gap_x, gap_y) >= least) return least
  if (crossing(one, other)) return 0
  return Math.min(
    least,
    metresToStretch(one[0], other[0], other[1]),
    metresToStretch(one[1], other[0], other[1]),
    metresToStretch(other[0], one[0], one[1]),
    metresToStretch(other[1], one[0], one[1]),
  )
}

/** Makes a measure from one geometry to others near it: 0 where they touch, otherwise the shortest distance; `at_most` if it is longer. */
export function measureFrom(geometry: Geometry, at_most: number): (shape: Shape) => number {
  const box: Box = boundsOf(geometry)
  const plane = planeAt(middleOf(box))
  const mine = flat([geometry], plane)
  return shape => {
    const theirs = flat(partsOf(shape), plane)
    if (theirs.first.some(point => contains(mine.polygons, point)) || mine.first.some(point => contains(theirs.polygons, point))) return 0
    let least = at_most
    for (const one of mine.edges) {
      for (const other of theirs.edges) {
        least = edgesApart(one, other, least)
        if (least === 0) return 0
      }
    }
    return least
  }
}
