// Leaves out the positions of lines and rings that matter least (Douglas and Peucker).
import { lonLat, type Metres, metresToStretch, type Position, planeAt } from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'
import type { Shape } from './shapes.ts'

/** Returns the indexes of the positions that stay. */
function kept(line: readonly Metres[], tolerance: number): boolean[] {
  const stays = line.map((_, i) => i === 0 || i === line.length - 1)
  const waiting: [number, number][] = [[0, line.length - 1]]
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    const [from, to] = span
    let [far, index] = [tolerance, -1]
    for (let i = from + 1; i < to; i++) {
      const distance = metresToStretch(at(line, i), at(line, from), at(line, to))
      if (distance > far) [far, index] = [distance, i]
    }
    if (index < 0) continue
    stays[index] = true
    waiting.push([from, index], [index, to])
  }
  return stays
}

function simpler(line: Position[], tolerance: number, ring: boolean): Position[] {
  const [first] = line
  if (first === undefined || line.length < 3) return line
  const plane = planeAt(lonLat(first))
  const stays = kept(line.map(plane.metres), tolerance)
  const left = line.filter((_, i) => stays[i])
  return ring && left.length < 4 ? line : left
}

/** Returns a geometry whose lines are at most this many metres away from those that were surveyed. */
export function simplified(shape: Shape, tolerance: number): Shape {
  switch (shape.type) {
    case 'LineString':
      return { type: 'LineString', coordinates: simpler(shape.coordinates, tolerance, false) }
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: shape.coordinates.map(line => simpler(line, tolerance, false)) }
    case 'Polygon':
      return { type: 'Polygon', coordinates: shape.coordinates.map(ring => simpler(ring, tolerance, true)) }
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: shape.coordinates.map(rings => rings.map(ring => simpler(ring, tolerance, true))) }
    case 'GeometryCollection':
      return { type: 'GeometryCollection', geometries: shape.geometries.map(one => simplified(one, tolerance)) }
    default:
      return shape
  }
}
