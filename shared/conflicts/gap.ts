// The least distance between two shapes in the plane of the site, and the two points where it is (`conflict-and-planning.md` §0.4, `distance_m`). Pure.
import { boxGap, num, type Shape, startOf, surrounds } from './shapes.ts'

/** The least distance and the closest points, in metres of the plane. A caller keeps one and lets each comparison write it. */
export type Contact = { d: number; ax: number; ay: number; bx: number; by: number }
/** Makes a contact for comparisons to write. */
export const newContact = (): Contact => ({ d: Infinity, ax: 0, ay: 0, bx: 0, by: 0 })

/** Half a millimetre: what is rounded to a limit still counts. */
export const ROUNDING_M = 0.0005

/** Distances are given in whole millimetres, so that every device compares the same number with a limit. */
export const toMillimetres = (metres: number): number => Math.round(metres * 1000) / 1000

/**
 * Measures the distance between two shapes: 0 when they meet. Stops looking beyond `limit`: then `d` is Infinity, or a distance over the limit. Writes the result
 * into `out`.
 */
export function measureGap(a: Shape, b: Shape, limit: number, out: Contact): void {
  out.d = Infinity
  if (boxGap(a, b) > limit) return
  if (a.areal && b.areal) areas(a, b, limit, out)
  else if (a.areal) fromArea(a, b, out, false)
  else if (b.areal) fromArea(b, a, out, true)
  else discs(a, b, out)
}

function write(out: Contact, d: number, ax: number, ay: number, bx: number, by: number): void {
  out.d = d
  out.ax = ax
  out.ay = ay
  out.bx = bx
  out.by = by
}

function discs(a: Shape, b: Shape, out: Contact): void {
  const [ax, ay, bx, by] = [num(a.xy, 0), num(a.xy, 1), num(b.xy, 0), num(b.xy, 1)]
  const [dx, dy] = [bx - ax, by - ay]
  const centres = Math.sqrt(dx * dx + dy * dy)
  const gap = centres - a.radius - b.radius
  if (gap > 0) {
    const [ux, uy] = [dx / centres, dy / centres]
    write(out, gap, ax + ux * a.radius, ay + uy * a.radius, bx - ux * b.radius, by - uy * b.radius)
    return
  }
  // They meet: any point that both have. The centre of a disc that is inside the other one, or a point between the centres.
  const reach = a.radius + b.radius
  const t = centres === 0 || reach === 0 ? 0 : Math.min(1, a.radius / reach)
  write(out, 0, ax + dx * t, ay + dy * t, ax + dx * t, ay + dy * t)
}

/** Between an area and a point or disc. `swapped`: the disc is the first of the pair. */
function fromArea(area: Shape, disc: Shape, out: Contact, swapped: boolean): void {
  const x = num(disc.xy, 0)
  const y = num(disc.xy, 1)
  let d = 0
  let px = x
  let py = y
  if (!surrounds(area, x, y)) {
    out.d = Infinity
    nearestOnLine(area, disc, out)
    d = Math.sqrt(out.d)
    px = out.ax
    py = out.ay
  }
  const gap = Math.max(0, d - disc.radius)
  // On the edge of the disc towards the area; when they meet, the same point of the area twice.
  const t = gap === 0 || d === 0 ? 1 : disc.radius / d
  const qx = x + (px - x) * t
  const qy = y + (py - y) * t
  if (swapped) write(out, gap, qx, qy, px, py)
  else write(out, gap, px, py, qx, qy)
}

/** Finds the point of an area’s lines that is closest to the centre of a disc; `d` is the square of the distance, and only shorter ones are written. */
function nearestOnLine(area: Shape, disc: Shape, out: Contact): void {
  const { rings } = area
  for (let r = 0; r + 1 < rings.length; r++) {
    const end = startOf(area, r + 1) - 1
    for (let i = startOf(area, r); i < end; i++) pointToEdge(disc.xy, 0, area.xy, i, out, true)
  }
}

// What follows takes corners by their numbers: coordinates that are handed from function to function are objects in memory, ten thousands in a sweep.

/** Writes the closest point of an edge to a corner if it is closer than what is there. `flip`: the corner belongs to the second shape, the edge to the first. */
function pointToEdge(corners: Float64Array, corner: number, edges: Float64Array, edge: number, out: Contact, flip: boolean): void {
  const x = num(corners, 2 * corner)
  const y = num(corners, 2 * corner + 1)
  const ax = num(edges, 2 * edge)
  const ay = num(edges, 2 * edge + 1)
  const dx = num(edges, 2 * edge + 2) - ax
  const dy = num(edges, 2 * edge + 3) - ay
  const length = dx * dx + dy * dy
  let t = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
  t = t < 0 ? 0 : t > 1 ? 1 : t
  const px = ax + t * dx
  const py = ay + t * dy
  const d = (x - px) * (x - px) + (y - py) * (y - py)
  if (d >= out.d) return
  if (flip) write(out, d, px, py, x, y)
  else write(out, d, x, y, px, py)
}

function areas(a: Shape, b: Shape, limit: number, out: Contact): void {
  // Only what is closer than this is written; a little more than the limit, so that what is just as far counts.
  const start = limit * limit * (1 + 1e-12) + 1e-12
  out.d = start
  for (let r = 0; r + 1 < a.rings.length; r++) {
    const end = startOf(a, r + 1) - 1
    for (let i = startOf(a, r); i < end; i++) {
      edgeToArea(a.xy, i, b, out)
      if (out.d === 0) return
    }
  }
  // Without a crossing, a part of one is wholly inside the other or wholly outside: its first corner decides.
  if (!holdsPart(a, b, out)) holdsPart(b, a, out)
  out.d = out.d === start ? Infinity : Math.sqrt(out.d)
}

/** Writes a contact if the first shape has a part of the second inside. */
function holdsPart(outer: Shape, inner: Shape, out: Contact): boolean {
  for (let r = 0; r + 1 < inner.rings.length; r++) {
    const i = startOf(inner, r)
    const [x, y] = [num(inner.xy, 2 * i), num(inner.xy, 2 * i + 1)]
    if (!surrounds(outer, x, y)) continue
    write(out, 0, x, y, x, y)
    return true
  }
  return false
}

/** Compares one edge of the first area with every edge of the second that may be closer than what is there; `d` is squared until the end. */
function edgeToArea(axy: Float64Array, i: number, b: Shape, out: Contact): void {
  const ax = num(axy, 2 * i)
  const ay = num(axy, 2 * i + 1)
  const bx = num(axy, 2 * i + 2)
  const by = num(axy, 2 * i + 3)
  const west = Math.min(ax, bx)
  const east = Math.max(ax, bx)
  const south = Math.min(ay, by)
  const north = Math.max(ay, by)
  if (squaredGap(west, south, east, north, b.west, b.south, b.east, b.north) > out.d) return
  const { xy, rings } = b
  for (let r = 0; r + 1 < rings.length; r++) {
    const end = startOf(b, r + 1) - 1
    for (let j = startOf(b, r); j < end; j++) {
      const cx = num(xy, 2 * j)
      const cy = num(xy, 2 * j + 1)
      const dx = num(xy, 2 * j + 2)
      const dy = num(xy, 2 * j + 3)
      const far = squaredGap(west, south, east, north, Math.min(cx, dx), Math.min(cy, dy), Math.max(cx, dx), Math.max(cy, dy))
      if (far >= out.d) continue
      if (far === 0 && crossing(axy, i, xy, j, out)) return
      // The end of each edge is the start of the next one, because rings are closed.
      pointToEdge(axy, i, xy, j, out, false)
      pointToEdge(xy, j, axy, i, out, true)
      if (out.d === 0) return
    }
  }
}

function squaredGap(w1: number, s1: number, e1: number, n1: number, w2: number, s2: number, e2: number, n2: number): number {
  const dx = w1 > e2 ? w1 - e2 : w2 > e1 ? w2 - e1 : 0
  const dy = s1 > n2 ? s1 - n2 : s2 > n1 ? s2 - n1 : 0
  return dx * dx + dy * dy
}

/** Writes where two edges cross, with distance 0; false if they don’t cross between their ends. */
function crossing(axy: Float64Array, i: number, bxy: Float64Array, j: number, out: Contact): boolean {
  const ax = num(axy, 2 * i)
  const ay = num(axy, 2 * i + 1)
  const ux = num(axy, 2 * i + 2) - ax
  const uy = num(axy, 2 * i + 3) - ay
  const cx = num(bxy, 2 * j)
  const cy = num(bxy, 2 * j + 1)
  const vx = num(bxy, 2 * j + 2) - cx
  const vy = num(bxy, 2 * j + 3) - cy
  const denominator = ux * vy - uy * vx
  if (denominator === 0) return false
  const t = ((cx - ax) * vy - (cy - ay) * vx) / denominator
  const u = ((cx - ax) * uy - (cy - ay) * ux) / denominator
  if (t < 0 || t > 1 || u < 0 || u > 1) return false
  const x = ax + t * ux
  const y = ay + t * uy
  write(out, 0, x, y, x, y)
  return true
}
