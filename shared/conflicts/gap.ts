// The least distance between two shapes in the plane of the site, and the two points where it is (`conflict-and-planning.md` §0.4, `distance_m`). Pure.
import { boxGap, num, type Shape, startOf, surrounds } from './shapes.ts'

/** The least distance and the closest points, in metres of the plane. A caller keeps one and lets each comparison write it. */
export type Contact = { d: number; ax: number; ay: number; bx: number; by: number }
/** Makes a contact for comparisons to write. */
export const newContact = (): Contact => ({ d: Infinity, ax: 0, ay: 0, bx: 0, by: 0 })

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
  const [x, y] = [num(disc.xy, 0), num(disc.xy, 1)]
  let [d, px, py] = [Infinity, x, y]
  if (surrounds(area, x, y)) d = 0
  else {
    out.d = Infinity
    nearestOnLine(area, x, y, out)
    d = Math.sqrt(out.d)
    ;[px, py] = [out.ax, out.ay]
  }
  const gap = Math.max(0, d - disc.radius)
  // On the edge of the disc towards the area; when they meet, the same point of the area twice.
  const t = gap === 0 || d === 0 ? 1 : disc.radius / d
  const [qx, qy] = [x + (px - x) * t, y + (py - y) * t]
  if (swapped) write(out, gap, qx, qy, px, py)
  else write(out, gap, px, py, qx, qy)
}

/** Finds the point of an area’s lines that is closest to a point; `d` is the square of the distance, and only shorter ones are written. */
function nearestOnLine(area: Shape, x: number, y: number, out: Contact): void {
  const { xy, rings } = area
  for (let r = 0; r + 1 < rings.length; r++) {
    const end = startOf(area, r + 1) - 1
    for (let i = startOf(area, r); i < end; i++)
      pointToEdge(x, y, num(xy, 2 * i), num(xy, 2 * i + 1), num(xy, 2 * i + 2), num(xy, 2 * i + 3), out, true)
  }
}

/** Writes the closest point of an edge if it is closer than what is there. `flip`: the point belongs to the second shape, the edge to the first. */
function pointToEdge(x: number, y: number, ax: number, ay: number, bx: number, by: number, out: Contact, flip: boolean): void {
  const dx = bx - ax
  const dy = by - ay
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
  const limit2 = limit * limit
  for (let r = 0; r + 1 < a.rings.length; r++) {
    const end = startOf(a, r + 1) - 1
    for (let i = startOf(a, r); i < end; i++) {
      edgeToArea(a.xy, i, b, out, limit2)
      if (out.d === 0) return
    }
  }
  // Without a crossing, a part of one is wholly inside the other or wholly outside: its first corner decides.
  if (!holdsPart(a, b, out)) holdsPart(b, a, out)
  out.d = Math.sqrt(out.d)
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

/** Compares one edge of the first area with every edge of the second; `d` is squared until the end. */
function edgeToArea(axy: Float64Array, i: number, b: Shape, out: Contact, limit2: number): void {
  const ax = num(axy, 2 * i)
  const ay = num(axy, 2 * i + 1)
  const bx = num(axy, 2 * i + 2)
  const by = num(axy, 2 * i + 3)
  const west = Math.min(ax, bx)
  const east = Math.max(ax, bx)
  const south = Math.min(ay, by)
  const north = Math.max(ay, by)
  if (squaredGap(west, south, east, north, b.west, b.south, b.east, b.north) > Math.min(out.d, limit2)) return
  const { xy, rings } = b
  for (let r = 0; r + 1 < rings.length; r++) {
    const end = startOf(b, r + 1) - 1
    for (let j = startOf(b, r); j < end; j++) {
      const cx = num(xy, 2 * j)
      const cy = num(xy, 2 * j + 1)
      const dx = num(xy, 2 * j + 2)
      const dy = num(xy, 2 * j + 3)
      const far = squaredGap(west, south, east, north, Math.min(cx, dx), Math.min(cy, dy), Math.max(cx, dx), Math.max(cy, dy))
      if (far > limit2 || far >= out.d) continue
      if (far === 0 && crossing(ax, ay, bx, by, cx, cy, dx, dy, out)) return
      // The end of each edge is the start of the next one, because rings are closed.
      pointToEdge(ax, ay, cx, cy, dx, dy, out, false)
      pointToEdge(cx, cy, ax, ay, bx, by, out, true)
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
function crossing(ax: number, ay: number, bx: number, by: number, cx: number, cy: number, dx: number, dy: number, out: Contact): boolean {
  const denominator = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
  if (denominator === 0) return false
  const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / denominator
  const u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / denominator
  if (t < 0 || t > 1 || u < 0 || u > 1) return false
  const x = ax + t * (bx - ax)
  const y = ay + t * (by - ay)
  write(out, 0, x, y, x, y)
  return true
}
