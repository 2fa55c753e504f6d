// Whether the edges of rings meet, found by a line that sweeps across them from west to east (Shamos and Hoey). The time grows little faster than the number of
// edges, however they are drawn.
import type { Metres } from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'

/** How edges of rings meet: nowhere except at the corners that they share, at a certain place where two cross, or possibly by touching each other. */
export type Meeting = { kind: 'none' | 'touching' } | { kind: 'crossing'; place: Metres }

/** An edge from its western to its eastern end; of a vertical one, from its southern end. `from` and `to` are the numbers of its corners. */
type Edge = { from: number; to: number; ax: number; ay: number; bx: number; by: number }

/** What rounding can do to the side of a line on which a point is, as a share of its terms. */
const UNSURE = 1e-14

/** Returns on which side of an edge a point is: 1 above, -1 below, 0 on it or too close to tell. */
function sideOf(e: Edge, x: number, y: number): -1 | 0 | 1 {
  const [p, q] = [(e.bx - e.ax) * (y - e.ay), (e.by - e.ay) * (x - e.ax)]
  const turn = p - q
  const unsure = UNSURE * (Math.abs(p) + Math.abs(q))
  return turn > unsure ? 1 : turn < -unsure ? -1 : 0
}

const isBefore = (ax: number, ay: number, bx: number, by: number) => ax < bx || (ax === bx && ay < by)

/** Returns whether an edge lies above (1) or below (-1) another one that the sweeping line crosses, too; 0 if they are one on the other. */
function above(e: Edge, f: Edge): number {
  const later = isBefore(f.ax, f.ay, e.ax, e.ay)
  const starts = later ? sideOf(f, e.ax, e.ay) : -sideOf(e, f.ax, f.ay)
  if (starts !== 0) return starts
  return isBefore(e.bx, e.by, f.bx, f.by) ? sideOf(f, e.bx, e.by) : -sideOf(e, f.bx, f.by)
}

/** Returns how two edges meet. */
function meetingOf(e: Edge, f: Edge): Meeting['kind'] {
  const [a, b, c, d] = [sideOf(e, f.ax, f.ay), sideOf(e, f.bx, f.by), sideOf(f, e.ax, e.ay), sideOf(f, e.bx, e.by)]
  if (e.from === f.from || e.to === f.to) return e.from === f.from ? spike(b, d) : spike(a, c)
  if (e.from === f.to || e.to === f.from) return 'none'
  if (a * b < 0 && c * d < 0) return 'crossing'
  if (a * b > 0 || c * d > 0) return 'none'
  return Math.max(e.ax, f.ax) <= Math.min(e.bx, f.bx) ? 'touching' : 'none'
}

/** Two edges that share a corner lie on each other if neither end is on a side. */
const spike = (one: number, other: number) => (one === 0 || other === 0 ? 'touching' : 'none')

/** Edges that the sweeping line crosses, from south to north. */
class Crossed {
  readonly #edges: readonly Edge[]
  readonly #order: Int32Array
  #count = 0
  constructor(edges: readonly Edge[]) {
    this.#edges = edges
    this.#order = new Int32Array(edges.length)
  }
  /** The edge at a place of the order. */
  at(place: number): Edge | null {
    return place < 0 || place >= this.#count ? null : at(this.#edges, this.#order[place] ?? 0)
  }
  /** Returns at which place an edge is, or would be; null if it lies on another one. */
  placeOf(edge: Edge): number | null {
    let [from, to] = [0, this.#count]
    while (from < to) {
      const middle = (from + to) >> 1
      const other = at(this.#edges, this.#order[middle] ?? 0)
      if (other === edge) return middle
      const higher = above(edge, other)
      if (higher === 0) return null
      if (higher > 0) from = middle + 1
      else to = middle
    }
    return from
  }
  insert(place: number, index: number): void {
    this.#order.copyWithin(place + 1, place, this.#count++)
    this.#order[place] = index
  }
  remove(place: number): void {
    this.#order.copyWithin(place, place + 1, this.#count--)
  }
}

/** Returns how the edges of closed rings meet. */
export function meetingIn(rings: readonly (readonly Metres[])[]): Meeting {
  const corners: Metres[] = []
  const edges: Edge[] = []
  const at_corner: number[][] = []
  for (const ring of rings) {
    const first = corners.length
    const count = ring.length - 1
    for (let i = 0; i < count; i++) {
      const [from, to] = [first + i, first + ((i + 1) % count)]
      const [[ax, ay], [bx, by]] = [at(ring, i), at(ring, i + 1)]
      corners.push(at(ring, i))
      edges.push(isBefore(ax, ay, bx, by) ? { from, to, ax, ay, bx, by } : { from: to, to: from, ax: bx, ay: by, bx: ax, by: ay })
      at_corner.push([edges.length - 1, first + ((i + count - 1) % count)])
    }
  }
  const order = corners.map((_, i) => i).sort((i, k) => at(corners, i)[0] - at(corners, k)[0] || at(corners, i)[1] - at(corners, k)[1])
  const crossed = new Crossed(edges)
  let before: Metres | null = null
  for (const corner of order) {
    const here = at(corners, corner)
    // Corners at the same place may only touch, or be where rings cross.
    if (before !== null && before[0] === here[0] && before[1] === here[1]) return { kind: 'touching' }
    before = here
    const met = passed(crossed, edges, at(at_corner, corner), corner)
    if (met !== null) return met
  }
  return { kind: 'none' }
}

/** Moves the sweeping line past a corner: first out of the edges that end there, then into those that begin. */
function passed(crossed: Crossed, edges: readonly Edge[], meeting: readonly number[], corner: number): Meeting | null {
  for (const index of meeting) {
    const edge = at(edges, index)
    if (edge.to !== corner) continue
    const place = crossed.placeOf(edge)
    if (place === null || crossed.at(place) !== edge) return { kind: 'touching' }
    crossed.remove(place)
    const met = metBy(crossed.at(place - 1), crossed.at(place))
    if (met !== null) return met
  }
  for (const index of meeting) {
    const edge = at(edges, index)
    if (edge.from !== corner) continue
    const place = crossed.placeOf(edge)
    if (place === null) return { kind: 'touching' }
    const met = metBy(crossed.at(place - 1), edge) ?? metBy(edge, crossed.at(place))
    if (met !== null) return met
    crossed.insert(place, index)
  }
  return null
}

function metBy(e: Edge | null, f: Edge | null): Meeting | null {
  const kind = e === null || f === null ? 'none' : meetingOf(e, f)
  if (e === null || f === null || kind === 'none') return null
  return kind === 'touching' ? { kind } : { kind: 'crossing', place: crossingOf(e, f) }
}

/** Returns where two edges cross. */
function crossingOf(e: Edge, f: Edge): Metres {
  const [dx, dy, gx, gy] = [e.bx - e.ax, e.by - e.ay, f.bx - f.ax, f.by - f.ay]
  const t = ((f.ax - e.ax) * gy - (f.ay - e.ay) * gx) / (dx * gy - dy * gx)
  return [e.ax + t * dx, e.ay + t * dy]
}

/** Returns how many pairs of edges lie above each other, which is what programs compare that sweep without keeping an order. */
export function pairsAbove(rings: readonly (readonly Metres[])[]): number {
  const [starts, ends]: [number[], number[]] = [[], []]
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [at(ring, i - 1)[0], at(ring, i)[0]]
      starts.push(Math.min(a, b))
      ends.push(Math.max(a, b))
    }
  const [west, east] = [Float64Array.from(starts).sort(), Float64Array.from(ends).sort()]
  let [pairs, ended] = [0, 0]
  for (const [begun, x] of west.entries()) {
    while ((east[ended] ?? Infinity) < x) ended++
    pairs += begun - ended
  }
  return pairs
}
