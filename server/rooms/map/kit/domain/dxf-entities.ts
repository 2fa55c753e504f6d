// From the pairs of an entity to its geometry. Pure.
import { throughPoints } from './dxf-fit.ts'
import { type Affine, type Form, IDENTITY, type Shape } from './dxf-shapes.ts'
import { unescaped } from './dxf-tags.ts'
import { plainMtext, plainText } from './dxf-text.ts'

/** The pairs of one entity, in order. */
export type Pairs = { codes: number[]; values: (string | number)[] }

const RADIANS = Math.PI / 180

/** Reads the pairs of an entity. */
export class Entity {
  readonly #pairs: Pairs
  constructor(pairs: Pairs) {
    this.#pairs = pairs
  }
  /** The first number with a code. */
  number(code: number, otherwise = 0): number {
    const i = this.#pairs.codes.indexOf(code)
    return i < 0 ? otherwise : numberOf(this.#pairs.values[i])
  }
  has(code: number): boolean {
    return this.#pairs.codes.includes(code)
  }
  /** The first text with a code. */
  text(code: number): string {
    const i = this.#pairs.codes.indexOf(code)
    return i < 0 ? '' : String(this.#pairs.values[i])
  }
  /** All numbers with a code. */
  numbers(code: number): number[] {
    return this.#pairs.codes.flatMap((one, i) => (one === code ? [numberOf(this.#pairs.values[i])] : []))
  }
  /** Everything, in order. */
  each(work: (code: number, value: string | number) => void): void {
    for (const [i, code] of this.#pairs.codes.entries()) work(code, this.#pairs.values[i] ?? '')
  }
}

/** Returns a value as a finite number; what isn't one counts as 0. */
export function numberOf(value: string | number | undefined): number {
  const number = typeof value === 'number' ? value : Number(value)
  return Number.isFinite(number) ? number : 0
}

/** Returns how the coordinates of an entity become those of the drawing, by its extrusion (the arbitrary axis algorithm); seen from above. */
function ownOf(entity: Entity, elevation: number): Affine {
  const [x, y, z] = [entity.number(210, 0), entity.number(220, 0), entity.number(230, 1)]
  const length = Math.hypot(x, y, z)
  if (length === 0 || (x === 0 && y === 0 && z > 0)) return IDENTITY
  const [nx, ny, nz] = [x / length, y / length, z / length]
  const near = Math.abs(nx) < 1 / 64 && Math.abs(ny) < 1 / 64
  const [rx, ry, rz] = near ? [nz, 0, -nx] : [-ny, nx, 0]
  const side = Math.hypot(rx, ry, rz)
  const [ax, ay, az] = [rx / side, ry / side, rz / side]
  const [bx, by] = [ny * az - nz * ay, nz * ax - nx * az]
  return [ax, ay, bx, by, nx * elevation, ny * elevation]
}

const path = (points: readonly number[], closed = false): Form => ({ kind: 'path', points, closed })

/** Returns an arc between two angles in degrees, anticlockwise. */
function arc(x: number, y: number, r: number, from_deg: number, to_deg: number): Form {
  const turn = (((to_deg - from_deg) % 360) + 360) % 360
  return { kind: 'arc', x, y, r, from: from_deg * RADIANS, turn: (turn === 0 ? 360 : turn) * RADIANS }
}

function polyline(entity: Entity): Form {
  const points: number[] = []
  entity.each((code, value) => {
    if (code === 10) points.push(numberOf(value), 0, 0)
    else if (code === 20 && points.length > 0) points[points.length - 2] = numberOf(value)
    else if (code === 42 && points.length > 0) points[points.length - 1] = numberOf(value)
  })
  return path(points, (entity.number(70) & 1) === 1)
}

function ellipse(entity: Entity): Form {
  const [mx, my, ratio] = [entity.number(11), entity.number(21), entity.number(40, 1)]
  // The minor axis is perpendicular to the major one, on the side that the extrusion says.
  const side = entity.number(230, 1) < 0 ? -1 : 1
  const [from, to] = [entity.number(41, 0), entity.number(42, 2 * Math.PI)]
  const full = 2 * Math.PI
  const turn = (((to - from) % full) + full) % full
  return {
    kind: 'ellipse',
    x: entity.number(10),
    y: entity.number(20),
    mx,
    my,
    nx: -my * ratio * side,
    ny: mx * ratio * side,
    from,
    turn: turn < 1e-9 ? full : turn,
  }
}

function spline(entity: Entity): Form {
  const [xs, ys] = [entity.numbers(10), entity.numbers(20)]
  if (xs.length < 2) {
    const fitted = entity.numbers(21)
    const points = entity.numbers(11).flatMap((x, i) => [x, fitted[i] ?? 0])
    const direction = (code: number) => (entity.has(code) ? ([entity.number(code), entity.number(code + 10)] as const) : null)
    const curve = throughPoints(points, { start: direction(12), end: direction(13) })
    return curve === null ? path([]) : { kind: 'spline', degree: 3, ...curve, weights: [], closed: false }
  }
  return {
    kind: 'spline',
    degree: Math.min(25, Math.max(1, entity.number(71, 3))),
    knots: entity.numbers(40),
    points: xs.flatMap((x, i) => [x, ys[i] ?? 0]),
    weights: entity.numbers(41),
    closed: (entity.number(70) & 1) === 1,
  }
}

function insert(entity: Entity): Form {
  const turn = entity.number(50) * RADIANS
  const [sx, sy] = [entity.number(41, 1), entity.number(42, 1)]
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const [dx, dy] = [entity.number(44), entity.number(45)]
  return {
    kind: 'insert',
    block: unescaped(entity.text(2)),
    placed: [c * sx, s * sx, -s * sy, c * sy, entity.number(10), entity.number(20)],
    columns: Math.max(1, entity.number(70, 1)),
    rows: Math.max(1, entity.number(71, 1)),
    // The spacing of an array is turned with the block, but neither scaled nor mirrored.
    column: [c * dx, s * dx],
    row: [-s * dy, c * dy],
  }
}

const label = (entity: Entity, text: string, x: number, y: number): Form => ({
  kind: 'text',
  x,
  y,
  text: text.trim().slice(0, 1000),
  height: entity.number(40, 1),
})

function singleText(entity: Entity): Form {
  // Text that isn't aligned to the left has its position in the second point.
  const aligned = (entity.number(72) !== 0 || entity.number(73) !== 0) && entity.has(11)
  return label(entity, plainText(entity.text(1)), entity.number(aligned ? 11 : 10), entity.number(aligned ? 21 : 20))
}

function mtext(entity: Entity): Form {
  let text = ''
  entity.each((code, value) => {
    if (code === 3 || code === 1) text += String(value)
  })
  return label(entity, plainText(plainMtext(text)), entity.number(10), entity.number(20))
}

const corners = (entity: Entity, order: readonly number[]): Form =>
  path(
    order.flatMap(k => [entity.number(10 + k), entity.number(20 + k), 0]),
    true,
  )

/** Reads the edges of a hatch: polylines with bulges, or lines, arcs, ellipses and splines. */
function hatch(entity: Entity): Form {
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
  next(72)
  const closed = next(73, 1) === 1
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
    const [a, b] = anti ? [from, to] : [-to, -from]
    const turn = (((b - a) % 360) + 360) % 360
    const start = a * RADIANS
    return { kind: 'ellipse', x, y, mx, my, nx: -my * ratio, ny: mx * ratio, from: start, turn: (turn === 0 ? 360 : turn) * RADIANS }
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

/** What each type of entity is; `own`: its coordinates are its own, by its extrusion. */
const TYPES: Readonly<Record<string, { own: boolean; read: (entity: Entity) => Form }>> = {
  LINE: { own: false, read: e => path([e.number(10), e.number(20), 0, e.number(11), e.number(21), 0]) },
  LWPOLYLINE: { own: true, read: polyline },
  ARC: { own: true, read: e => arc(e.number(10), e.number(20), Math.abs(e.number(40)), e.number(50), e.number(51)) },
  CIRCLE: { own: true, read: e => arc(e.number(10), e.number(20), Math.abs(e.number(40)), 0, 360) },
  ELLIPSE: { own: false, read: ellipse },
  SPLINE: { own: false, read: spline },
  INSERT: { own: true, read: insert },
  HATCH: { own: true, read: hatch },
  TEXT: { own: true, read: singleText },
  ATTRIB: { own: true, read: singleText },
  MTEXT: { own: false, read: mtext },
  '3DFACE': { own: false, read: e => corners(e, [0, 1, 2, 3]) },
  SOLID: { own: true, read: e => corners(e, [0, 1, 3, 2]) },
  TRACE: { own: true, read: e => corners(e, [0, 1, 3, 2]) },
}

/** Returns an entity as a shape; null if entities of this type aren't drawn. */
export function shapeOf(type: string, pairs: Pairs): Shape | null {
  const how = TYPES[type]
  if (how === undefined) return null
  const entity = new Entity(pairs)
  const elevation = entity.number(type === 'LWPOLYLINE' ? 38 : 30)
  return { type, layer: unescaped(entity.text(8)) || '0', own: how.own ? ownOf(entity, elevation) : IDENTITY, form: how.read(entity) }
}

/** Returns a polyline of the old kind, from its header and its vertices. */
export function oldPolyline(pairs: Pairs, vertices: readonly Pairs[]): Shape {
  const entity = new Entity(pairs)
  const flags = entity.number(70)
  const three = (flags & (8 | 16 | 64)) !== 0
  const points = vertices.flatMap(one => {
    const vertex = new Entity(one)
    // Control points of a smoothed curve, and the faces of a mesh, aren't on the line.
    if ((vertex.number(70) & 16) !== 0 || ((vertex.number(70) & 128) !== 0 && (vertex.number(70) & 64) === 0)) return []
    return [vertex.number(10), vertex.number(20), vertex.number(42)]
  })
  return {
    type: 'POLYLINE',
    layer: unescaped(entity.text(8)) || '0',
    own: three ? IDENTITY : ownOf(entity, entity.number(30)),
    form: path(points, (flags & 1) === 1),
  }
}
