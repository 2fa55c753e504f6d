// The boundaries of a hatch. Pure.
import { arc, type Entity, numberOf, path, RADIANS } from './dxf-pairs.ts'
import type { Form } from './dxf-shapes.ts'

/** Reads the edges of a hatch: polylines with bulges, or lines, arcs, ellipses and splines. */
export function hatch(entity: Entity): Form {
  const forms: Form[] = []
  let pairs: [number, number][] = []
  let paths = 0
  entity.each((code, value) => {
    // The boundaries come first; the pattern, from 75 on, isn't drawn.
    if (code === 91 && paths === 0) paths = 1
    else if (code === 75) paths = 2
    else if (paths === 1) pairs.push([code, numberOf(value)])
  })
  let i = 0
  const next = (code: number, otherwise = 0): number => (pairs[i]?.[0] === code ? (pairs[i++]?.[1] ?? 0) : otherwise)
  while (i < pairs.length) {
    if (pairs[i]?.[0] !== 92) {
      i++
      continue
    }
    const flags = next(92)
    if ((flags & 2) !== 0) forms.push(hatchPolyline(next, () => pairs[i]?.[0]))
    else {
      const edges = next(93)
      for (let k = 0; k < edges && i < pairs.length; k++) {
        const edge = hatchEdge(next, () => pairs[i]?.[0])
        if (edge === null) break
        forms.push(edge)
      }
    }
  }
  pairs = []
  return { kind: 'group', forms }
}

type Next = (code: number, otherwise?: number) => number
type Peek = () => number | undefined

function hatchPolyline(next: Next, peek: Peek): Form {
  // Polygons of maps have both of these in the other order.
  let closed = true
  for (let code = peek(); code === 72 || code === 73; code = peek()) {
    const said = next(code)
    if (code === 73) closed = said === 1
  }
  const count = next(93)
  const points: number[] = []
  for (let k = 0; k < count && peek() === 10; k++) points.push(next(10), next(20), next(42))
  return path(points, closed)
}

function hatchEdge(next: Next, peek: Peek): Form | null {
  if (peek() !== 72) return null
  const kind = next(72)
  if (kind === 1) return path([next(10), next(20), 0, next(11), next(21), 0])
  if (kind === 2) {
    const [x, y, r, from, to] = [next(10), next(20), next(40), next(50), next(51)]
    // Clockwise edges have their angles mirrored.
    return next(73, 1) === 1 ? arc(x, y, r, from, to) : arc(x, y, r, -to, -from)
  }
  if (kind === 3) {
    const [x, y, mx, my, ratio, from, to] = [next(10), next(20), next(11), next(21), next(40), next(50), next(51)]
    const anti = next(73, 1) === 1
    const [start, end] = (anti ? [from, to] : [-to, -from]).map(angle => stretched(angle * RADIANS, ratio))
    if (start === undefined || end === undefined) return null
    const full = 2 * Math.PI
    const turn = (((end - start) % full) + full) % full
    return { kind: 'ellipse', x, y, mx, my, nx: -my * ratio, ny: mx * ratio, from: start, turn: turn < 1e-9 ? full : turn }
  }
  if (kind !== 4) return null
  const degree = next(94, 3)
  next(73)
  next(74)
  const [knotCount, pointCount] = [next(95), next(96)]
  const knots: number[] = []
  for (let k = 0; k < knotCount && peek() === 40; k++) knots.push(next(40))
  const [points, weights]: [number[], number[]] = [[], []]
  for (let k = 0; k < pointCount && peek() === 10; k++) {
    points.push(next(10), next(20))
    if (peek() === 42) weights.push(next(42))
  }
  for (let fitted = next(97); fitted > 0 && peek() === 11; fitted--) {
    next(11)
    next(21)
  }
  return { kind: 'spline', degree, knots, points, weights, closed: false }
}

/** Returns where on an ellipse an angle is: edges of a hatch have angles as they are seen, and not as they were before the circle became an ellipse. */
const stretched = (angle: number, ratio: number): number => Math.atan2(Math.sin(angle), Math.cos(angle) * ratio)
