// Shapes in a tile: projected to its units, simplified, clipped to its edge with a buffer, and on its grid (`map.md` §11). Pure.
import { placeAt, worldOf } from '../../../../../shared/geometry/mercator.ts'
import { type Areal, type Box, type LonLat, lonLat, type Metres, polygonsOf, ringArea } from '../../../../../shared/geometry/plane.ts'
import { pointsThatStay } from '../../../../../shared/geometry/simplify.ts'
import { onGrid } from '../../../../kernel/geometry/domain/snapping.ts'
import type { Wanted } from './pictures.ts'

/** Units of a tile. */
export const EXTENT = 4096
/** How far shapes, and points and labels, reach over the edge of a tile, in units. */
export const BUFFER = { shapes: 64, points: 256 } as const
/** From this zoom on, shapes are as precise as a tile can be. */
const PRECISE_ZOOM = 16
/** Below it, shapes that are smaller than this are left out, in square units. */
const LEAST_AREA = 4

/** Returns the projection to the units of a tile. */
export function unitsOf({ z, x, y }: Wanted): (place: LonLat) => Metres {
  const scale = 2 ** z
  return place => {
    const [east, south] = worldOf(place)
    return [(east * scale - x) * EXTENT, (south * scale - y) * EXTENT]
  }
}

/** Returns the ground that a tile shows, with a buffer in units. */
export function groundOfTile({ z, x, y }: Wanted, buffer: number): Box {
  const scale = 2 ** z
  const at = (column: number, row: number) => placeAt([(x + column / EXTENT) / scale, (y + row / EXTENT) / scale])
  const [northwest, southeast] = [at(-buffer, -buffer), at(EXTENT + buffer, EXTENT + buffer)]
  return [northwest.lon, southeast.lat, southeast.lon, northwest.lat]
}

/** Returns a point in units; null if it is outside the buffer. */
export function pointIn(units: (place: LonLat) => Metres, place: LonLat): Metres | null {
  const [x, y] = units(place)
  const point: Metres = [Math.round(x) + 0, Math.round(y) + 0]
  const [low, high] = [-BUFFER.points, EXTENT + BUFFER.points]
  return point[0] >= low && point[0] <= high && point[1] >= low && point[1] <= high ? point : null
}

/** Cuts a ring at one side of the tile: what is beyond `limit` is left out. */
function cut(ring: readonly Metres[], axis: 0 | 1, limit: number, keep: 1 | -1): Metres[] {
  const out: Metres[] = []
  let before = ring.at(-1)
  for (const here of ring) {
    if (before === undefined) break
    const [inside, was] = [(limit - here[axis]) * keep >= 0, (limit - before[axis]) * keep >= 0]
    if (inside !== was) {
      const part = (limit - before[axis]) / (here[axis] - before[axis])
      const [x, y] = [before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])]
      out.push(axis === 0 ? [limit, y] : [x, limit])
    }
    if (inside) out.push(here)
    before = here
  }
  return out
}

/** Clips a ring to the tile with its buffer. Parts of it that lie apart are joined along the edge, which `onGrid` repairs. */
function clipped(ring: readonly Metres[]): Metres[] {
  const [low, high] = [-BUFFER.shapes, EXTENT + BUFFER.shapes]
  if (ring.every(([x, y]) => x >= low && x <= high && y >= low && y <= high)) return [...ring]
  let out = [...ring]
  for (const axis of [0, 1] as const) {
    out = cut(out, axis, low, -1)
    out = cut(out, axis, high, 1)
  }
  return out
}

/** Leaves out the corners of a ring that lie within a unit of the line without them. A ring has no ends, so its halves are simplified. */
function simplified(ring: readonly Metres[]): Metres[] {
  const half = Math.floor(ring.length / 2)
  const [first, second] = [ring.slice(0, half + 1), ring.slice(half)].map(line => pointsThatStay(line, 1))
  return ring.filter((_, i) => (i <= half ? first?.[i] : second?.[i - half]))
}

/** Returns a shape in the units of a tile: valid polygons on its grid. Empty if nothing of it is in the tile, or if it is too small to be seen. */
export function shapeIn(units: (place: LonLat) => Metres, geometry: Areal, zoom: number): Metres[][][] {
  const coarse = zoom < PRECISE_ZOOM
  const polygons = polygonsOf(geometry).map(rings =>
    rings
      .map(ring => {
        const open = ring.slice(0, -1).map(position => units(lonLat(position)))
        return clipped(coarse ? simplified(open) : open)
      })
      .filter(ring => ring.length > 2),
  )
  const shapes = onGrid(polygons.filter(rings => rings.length > 0))
  return coarse ? shapes.filter(([shell = []]) => ringArea(shell) >= LEAST_AREA) : shapes
}
