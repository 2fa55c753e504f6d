// Polygons on a grid of whole units, as tiles have them: snapped, without repeated points, and valid. Pure.
import Polygon from 'jsts/org/locationtech/jts/geom/Polygon.js'
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js'
import { type Metres, ringArea } from '../../../../shared/geometry/plane.ts'
import { jtsOf } from './overlay.ts'

type Ring = readonly Metres[]
/** Beyond this many corners it is quicker to let the library check a ring. */
const CHECKED_HERE = 160
/** Rounding can make a shape touch itself again, so it is repaired and rounded a few times. */
const ROUNDS = 4

/** Rounds a ring; leaves out repeated points, points on a straight line, and spikes. It is open: its last point isn't its first. Empty if nothing is left. */
export function rounded(ring: Ring): Metres[] {
  const out: Metres[] = []
  for (const [x, y] of ring) {
    // Adding 0 makes no -0.
    const next: Metres = [Math.round(x) + 0, Math.round(y) + 0]
    const last = out.at(-1)
    if (last === undefined || last[0] !== next[0] || last[1] !== next[1]) out.push(next)
  }
  for (let again = true; again && out.length > 2; ) {
    again = false
    for (let i = 0; i < out.length && out.length > 2; i++) {
      const [before, here, after] = [out[(i + out.length - 1) % out.length], out[i], out[(i + 1) % out.length]]
      if (before === undefined || here === undefined || after === undefined) continue
      const cross = (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])
      if (cross !== 0) continue
      out.splice(i, 1)
      again = true
    }
  }
  return out.length < 3 ? [] : out
}

const side = (a: Metres, b: Metres, c: Metres): number => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
const between = (a: Metres, b: Metres, c: Metres): boolean =>
  Math.min(a[0], b[0]) <= c[0] && c[0] <= Math.max(a[0], b[0]) && Math.min(a[1], b[1]) <= c[1] && c[1] <= Math.max(a[1], b[1])

/** Returns whether two stretches have a point in common. */
function meet(a: Metres, b: Metres, c: Metres, d: Metres): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)]
  if (abc !== abd && cda !== cdb) return true
  return (
    (abc === 0 && between(a, b, c)) || (abd === 0 && between(a, b, d)) || (cda === 0 && between(c, d, a)) || (cdb === 0 && between(c, d, b))
  )
}

/** Returns whether a ring neither crosses nor touches itself. */
export function isSimple(ring: Ring): boolean {
  const n = ring.length
  for (let i = 0; i < n; i++)
    for (let j = i + 2; j < n; j++) {
      if (i === 0 && j === n - 1) continue
      const [a, b, c, d] = [ring[i], ring[i + 1], ring[j], ring[(j + 1) % n]]
      if (a === undefined || b === undefined || c === undefined || d === undefined || meet(a, b, c, d)) return false
    }
  return true
}

const closed = (ring: Ring): Metres[] => [...ring, ...ring.slice(0, 1)]
const isValid = (polygons: readonly (readonly Ring[])[]): boolean =>
  new IsValidOp(jtsOf(polygons.map(rings => rings.map(closed)))).isValid()

/** Returns the area of polygons, whatever the direction of their rings. */
const areaOf = (polygons: readonly (readonly Ring[])[]): number =>
  polygons
    .flatMap(rings => rings.map((ring, i) => Math.abs(ringArea(closed(ring))) * (i === 0 ? 1 : -1)))
    .reduce((sum, area) => sum + area, 0)

/** Turns by quarters, and back; subtracting from 0 makes no -0. */
const QUARTERS: readonly [(at: Metres) => Metres, (at: Metres) => Metres][] = [
  [at => at, at => at],
  [([x, y]) => [0 - y, x], ([x, y]) => [y, 0 - x]],
  [([x, y]) => [0 - x, 0 - y], ([x, y]) => [0 - x, 0 - y]],
  [([x, y]) => [y, 0 - x], ([x, y]) => [0 - y, x]],
]

/**
 * Returns the polygons of a repaired shape, rounded. The library tells the direction of a ring by its highest corner: if the ring crosses itself there, nothing would be
 * left of the shape, so it is turned until most of it is.
 */
function repaired(polygons: readonly (readonly Ring[])[]): Metres[][][] {
  const size = areaOf(polygons)
  let best: Metres[][][] = []
  for (const [turn, back] of QUARTERS) {
    const made = buffered(polygons.map(rings => rings.map(ring => ring.map(turn)))).map(rings => rings.map(ring => ring.map(back)))
    if (best.length === 0 || areaOf(made) > areaOf(best)) best = made
    if (areaOf(best) >= size / 2) break
  }
  return best
}

function buffered(polygons: readonly (readonly Ring[])[]): Metres[][][] {
  const made = BufferOp.bufferOp(jtsOf(polygons.map(rings => rings.map(closed))), 0)
  const out: Metres[][][] = []
  for (let i = 0; i < made.getNumGeometries(); i++) {
    const one = made.getGeometryN(i)
    if (!(one instanceof Polygon)) continue
    const lines = [one.getExteriorRing(), ...Array.from({ length: one.getNumInteriorRing() }, (_, n) => one.getInteriorRingN(n))]
    const rings = lines.map(line => rounded(line.getCoordinates().map(({ x, y }): Metres => [x, y])))
    const [shell, ...holes] = rings
    if (shell !== undefined && shell.length > 0) out.push([shell, ...holes.filter(hole => hole.length > 0)])
  }
  return out
}

/**
 * Returns polygons as valid polygons on the grid: open rings, the outer one positive on a screen, its holes negative. Parts that are too small for the grid
 * are left out. A part that is still not valid after some rounds is left out, too.
 */
export function onGrid(polygons: readonly (readonly Ring[])[]): Metres[][][] {
  let shapes = polygons.flatMap(rings => {
    const [shell, ...holes] = rings.map(rounded)
    return shell === undefined || shell.length === 0 ? [] : [[shell, ...holes.filter(hole => hole.length > 0)]]
  })
  const [only] = shapes
  const plain = shapes.length === 1 && only?.length === 1 && (only[0]?.length ?? 0) <= CHECKED_HERE && isSimple(only[0] ?? [])
  if (!plain && shapes.length > 0) {
    for (let round = 0; round < ROUNDS && !isValid(shapes); round++) shapes = repaired(shapes)
    if (!isValid(shapes)) shapes = shapes.filter(rings => isValid([rings]))
  }
  return shapes.map(rings => rings.map((ring, i) => (ringArea(ring) > 0 === (i === 0) ? ring : ring.toReversed())))
}
