// Whether one shape is inside another (`conflict-and-planning.md` §0.4, `containment`). Shapes that only touch share no ground: a gang next to an exclusion zone,
// on the other side of the same wall, isn’t in it. A shape that lies on the edge of an area is inside, as a point on it is. Pure.
import { measureGap, newContact } from './gap.ts'
import type { Containment } from './pair.ts'
import { boxGap, num, type Shape, startOf, surrounds } from './shapes.ts'

/** Points within half a millimetre of a line are on it, as distances are in whole millimetres. */
const ON_M = 0.0005

type Where = 'inside' | 'outside' | 'on'

/** Returns how two shapes lie to each other. Two equal shapes are both inside each other, which is written as `a_in_b`. */
export function containmentOf(a: Shape, b: Shape): Containment {
  if (boxGap(a, b) > ON_M) return 'none'
  if (!a.areal && !b.areal) return twoDiscs(a, b)
  if (!a.areal) return discAndArea(a, b, 'a_in_b', 'b_in_a')
  if (!b.areal) return discAndArea(b, a, 'b_in_a', 'a_in_b')
  return twoAreas(a, b)
}

function twoDiscs(a: Shape, b: Shape): Containment {
  const centres = Math.hypot(num(a.xy, 0) - num(b.xy, 0), num(a.xy, 1) - num(b.xy, 1))
  if (centres + a.radius <= b.radius + ON_M) return 'a_in_b'
  if (centres + b.radius <= a.radius + ON_M) return 'b_in_a'
  return centres < a.radius + b.radius - ON_M ? 'overlap' : 'none'
}

function discAndArea(disc: Shape, area: Shape, inside: Containment, around: Containment): Containment {
  const [x, y] = [num(disc.xy, 0), num(disc.xy, 1)]
  const edge = distanceToEdge(area, x, y)
  const within = surrounds(area, x, y)
  if (within || edge <= ON_M) {
    if (edge >= disc.radius - ON_M) return inside
  } else if (edge >= disc.radius - ON_M) return 'none'
  return farthestCorner(area, x, y) <= disc.radius + ON_M ? around : 'overlap'
}

function farthestCorner({ xy }: Shape, x: number, y: number): number {
  let most = 0
  for (let i = 0; i < xy.length; i += 2) most = Math.max(most, Math.hypot(num(xy, i) - x, num(xy, i + 1) - y))
  return most
}

/** The boundary of an area alone, as a shape that surrounds nothing. */
function distanceToEdge(area: Shape, x: number, y: number): number {
  let least = Infinity
  eachEdge(area, (ax, ay, bx, by) => {
    const [dx, dy] = [bx - ax, by - ay]
    const length = dx * dx + dy * dy
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
    least = Math.min(least, Math.hypot(x - ax - t * dx, y - ay - t * dy))
  })
  return least
}

function eachEdge(shape: Shape, work: (ax: number, ay: number, bx: number, by: number) => void): void {
  const { xy, rings } = shape
  for (let r = 0; r + 1 < rings.length; r++)
    for (let i = startOf(shape, r); i < startOf(shape, r + 1) - 1; i++)
      work(num(xy, 2 * i), num(xy, 2 * i + 1), num(xy, 2 * i + 2), num(xy, 2 * i + 3))
}

function whereIs(area: Shape, x: number, y: number): Where {
  if (distanceToEdge(area, x, y) <= ON_M) return 'on'
  return surrounds(area, x, y) ? 'inside' : 'outside'
}

function twoAreas(a: Shape, b: Shape): Containment {
  const contact = newContact()
  measureGap(a, b, ON_M, contact)
  if (!(contact.d <= ON_M)) return 'none'
  const [mine, theirs] = [linesOf(a, b), linesOf(b, a)]
  if (!mine.inside && !mine.outside && !theirs.inside && !theirs.outside) return sharesInside(a, b) ? 'a_in_b' : 'none'
  if (!mine.outside && !theirs.inside && sharesInside(a, b)) return 'a_in_b'
  if (!theirs.outside && !mine.inside && sharesInside(b, a)) return 'b_in_a'
  return mine.inside || theirs.inside ? 'overlap' : 'none'
}

/** Says whether some of the lines of one area are inside or outside another. Each edge is cut where it meets an edge of the other, and each piece looked at in its middle. */
function linesOf(shape: Shape, other: Shape): { inside: boolean; outside: boolean } {
  const found = { inside: false, outside: false }
  eachEdge(shape, (ax, ay, bx, by) => {
    if (found.inside && found.outside) return
    const cuts = [0, ...cutsOf(ax, ay, bx, by, other), 1].sort((x, y) => x - y)
    const length = Math.hypot(bx - ax, by - ay)
    for (let i = 1; i < cuts.length; i++) {
      const [from, to] = [cuts[i - 1] ?? 0, cuts[i] ?? 1]
      if ((to - from) * length <= 2 * ON_M) continue
      const t = (from + to) / 2
      const where = whereIs(other, ax + t * (bx - ax), ay + t * (by - ay))
      if (where !== 'on') found[where] = true
    }
  })
  return found
}

/** Returns where an edge meets the edges of an area, as shares of its length: crossings, and corners that lie on it. */
function cutsOf(ax: number, ay: number, bx: number, by: number, other: Shape): number[] {
  const cuts: number[] = []
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  if (length === 0) return cuts
  eachEdge(other, (cx, cy, ex, ey) => {
    const denominator = dx * (ey - cy) - dy * (ex - cx)
    if (denominator !== 0) {
      const t = ((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / denominator
      const u = ((cx - ax) * dy - (cy - ay) * dx) / denominator
      if (t > 0 && t < 1 && u >= 0 && u <= 1) cuts.push(t)
    }
    const along = ((cx - ax) * dx + (cy - ay) * dy) / length
    if (along > 0 && along < 1 && Math.hypot(cx - ax - along * dx, cy - ay - along * dy) <= 2 * ON_M) cuts.push(along)
  })
  return cuts
}

/** Returns whether a point just inside the lines of an area is inside another area as well: it isn’t when the area only fills a hole of the other. */
function sharesInside(a: Shape, b: Shape): boolean {
  let result: boolean | null = null
  eachEdge(a, (ax, ay, bx, by) => {
    const length = Math.hypot(bx - ax, by - ay)
    if (result !== null || length < 0.02) return
    const [nx, ny] = [(-(by - ay) / length) * 0.005, ((bx - ax) / length) * 0.005]
    for (const side of [1, -1]) {
      const [x, y] = [(ax + bx) / 2 + side * nx, (ay + by) / 2 + side * ny]
      if (surrounds(a, x, y)) result ??= surrounds(b, x, y)
    }
  })
  return result ?? false
}
