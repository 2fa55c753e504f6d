// Turns the shapes of a drawing into lines: curves become chords, and blocks are expanded. Pure.
import { at } from '../../../../../shared/narrow.ts'
import {
  type Affine,
  afterSpace,
  type Block,
  type Drawing,
  type Form,
  isTilted,
  keyOf,
  planOf,
  type Shape,
  type Space,
  UPRIGHT,
} from './dxf-shapes.ts'
import { touches } from './dxf-strays.ts'
import { DrawingFault } from './dxf-tags.ts'
import { onPlan } from './dxf-tilt.ts'

/** How deep blocks can be nested, and how many entities they can become. */
export const BLOCK_LIMITS = { depth: 16, entities: 2_000_000 }

/** What is farther away than this, in drawing units, is there by mistake: compared with it, all else is a single point, and blocks can scale it to infinity. */
const FARTHEST = 1e12

/** A line or a text of a drawing, in drawing units. `points` are pairs of x and y. */
export type Drawn = { layer: string; points: number[]; text: string | null; height: number }

const scaleOf = ([a, b, c, d]: Affine): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

/** Returns the references to blocks that a form is or consists of. */
const insertsIn = (form: Form): (Form & { kind: 'insert' })[] =>
  form.kind === 'insert' ? [form] : form.kind === 'group' ? form.forms.flatMap(insertsIn) : []

/** Refuses blocks that insert themselves, are nested too deeply, or become too many entities: counted without expanding anything. */
export function checkBlocks(drawing: Drawing): void {
  const known = new Map<string, { entities: number; depth: number }>()
  const open: string[] = []
  const measure = (shapes: readonly Shape[], name: string): { entities: number; depth: number } => {
    let [entities, depth] = [0, 0]
    for (const shape of shapes) {
      const inserts = insertsIn(shape.form)
      if (inserts.length === 0) entities += 1
      for (const insert of inserts) {
        const inner = measureBlock(insert.block)
        // A reference costs time even if its block is empty.
        entities += Math.max(1, inner.entities) * insert.columns * insert.rows
        depth = Math.max(depth, inner.depth + 1)
      }
    }
    if (entities > BLOCK_LIMITS.entities)
      throw new DrawingFault(`would become more than ${BLOCK_LIMITS.entities.toLocaleString('en')} entities: look at ${name}.`)
    if (depth > BLOCK_LIMITS.depth) throw new DrawingFault(`nests blocks more than ${BLOCK_LIMITS.depth} deep: look at ${name}.`)
    return { entities, depth }
  }
  const measureBlock = (name: string): { entities: number; depth: number } => {
    const key = keyOf(name)
    const found = known.get(key)
    if (found !== undefined) return found
    if (open.includes(key)) throw new DrawingFault(`can’t be drawn: the block “${name}” inserts itself.`)
    if (open.length > 200) throw new DrawingFault(`nests blocks more than ${BLOCK_LIMITS.depth} deep: look at the block “${name}”.`)
    const block = drawing.blocks.get(key)
    if (block === undefined) return { entities: 0, depth: 0 }
    open.push(key)
    const counted = measure(block.shapes, `the block “${block.name}”`)
    open.pop()
    known.set(key, counted)
    return counted
  }
  measure(drawing.shapes, 'the model space')
}

/** Which layers are drawn: those that are named, or all that are neither off nor frozen. */
export function layerTest(drawing: Drawing, wanted: readonly string[] | null): (layer: string) => boolean {
  const keys = wanted === null ? null : new Set(wanted.map(keyOf))
  const answers = new Map<string, boolean>()
  return layer => {
    const known = answers.get(layer)
    if (known !== undefined) return known
    const found = drawing.layers.get(keyOf(layer))
    const shown = keys === null ? !(found?.off || found?.frozen) : keys.has(keyOf(layer))
    answers.set(layer, shown)
    return shown
  }
}

/**
 * Draws a drawing: `take` gets each line and text. `tolerance` is the largest distance between a curve and its chords, in drawing units; `near` is the box outside of
 * which there are strays, if there are any.
 */
export function flatten(
  drawing: Drawing,
  how: { tolerance: number; shows: (layer: string) => boolean; near?: readonly [number, number, number, number] | null },
  take: (drawn: Drawn) => void,
): void {
  const draw = (shapes: readonly Shape[], outer: Space, parent: string | null) => {
    for (const shape of shapes) {
      // What is on layer 0 of a block is on the layer of its reference.
      const layer = shape.layer === '0' && parent !== null ? parent : shape.layer
      const placed = afterSpace(outer, shape.own)
      if (shape.form.kind === 'insert') drawInsert(shape.form, placed, layer)
      else if (how.shows(layer)) drawForm(shape.form, placed, layer)
    }
  }
  const drawInsert = (form: Form & { kind: 'insert' }, outer: Space, layer: string) => {
    const block = drawing.blocks.get(keyOf(form.block))
    // What a block shows is hidden with a frozen layer on which it is inserted, unless a person names that layer.
    if (block === undefined || (drawing.layers.get(keyOf(layer))?.frozen && !how.shows(layer))) return
    for (let row = 0; row < form.rows; row++)
      for (let column = 0; column < form.columns; column++) draw(block.shapes, afterSpace(outer, cellOf(form, block, column, row)), layer)
  }
  const add = (layer: string, points: number[], text: string | null, height: number) => {
    if (how.near != null && !touches(points, how.near)) return
    if (points.every(value => Math.abs(value) < FARTHEST)) take({ layer, points, text, height })
  }
  const drawForm = (given: Form, space: Space, layer: string) => {
    if (given.kind === 'group') {
      for (const inner of given.forms) drawForm(inner, space, layer)
      return
    }
    if (given.kind === 'insert') return drawInsert(given, space, layer)
    // What has heights of its own moves in the plan if it is tilted.
    const { form, placed } = isTilted(space) ? onPlan(given, space) : { form: given, placed: planOf(space) }
    if (form.kind === 'text') {
      if (form.text !== '') add(layer, moved([form.x, form.y], placed), form.text, form.height * scaleOf(placed))
      return
    }
    const points = pointsOf(form, how.tolerance / Math.max(1e-12, scaleOf(placed)))
    if (points.length >= 4) add(layer, moved(points, placed), null, 0)
  }
  draw(drawing.shapes, UPRIGHT, null)
}

/** Returns the transformation of one cell of a block reference. */
function cellOf({ placed, ...form }: Form & { kind: 'insert' }, block: Block, column: number, row: number): Space {
  const [a, b, c, d, e, f, g, h, i, x, y, z] = placed
  const [along, up] = [x + column * form.column[0] + row * form.row[0], y + column * form.column[1] + row * form.row[1]]
  return afterSpace([a, b, c, d, e, f, g, h, i, along, up, z], [1, 0, 0, 0, 1, 0, 0, 0, 1, -block.x, -block.y, -block.z])
}

function moved(points: readonly number[], [a, b, c, d, e, f]: Affine): number[] {
  const out = new Array<number>(points.length)
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [at(points, i), at(points, i + 1)]
    out[i] = a * x + c * y + e
    out[i + 1] = b * x + d * y + f
  }
  return out
}

const MOST_CHORDS = 4096

/** Returns how many chords a turn about a radius needs. */
function chordsFor(radius: number, turn: number, tolerance: number): number {
  if (!(radius > tolerance)) return 4
  const step = 2 * Math.acos(Math.max(-1, 1 - tolerance / radius))
  return Math.min(MOST_CHORDS, Math.max(4, Math.ceil(Math.abs(turn) / step)))
}

function pointsOf(form: Exclude<Form, { kind: 'group' | 'text' | 'insert' }>, tolerance: number): number[] {
  switch (form.kind) {
    case 'path':
      return bulged(form.points, form.closed, tolerance)
    case 'arc': {
      const { x, y, r, from, turn } = form
      return around(chordsFor(r, turn, tolerance), from, turn, (c, s) => [x + r * c, y + r * s])
    }
    case 'ellipse': {
      const { x, y, mx, my, nx, ny, from, turn } = form
      const radius = Math.max(Math.hypot(mx, my), Math.hypot(nx, ny))
      return around(chordsFor(radius, turn, tolerance), from, turn, (c, s) => [x + mx * c + nx * s, y + my * c + ny * s])
    }
    case 'spline':
      return splined(form, tolerance)
  }
}

function around(chords: number, from: number, turn: number, place: (cos: number, sin: number) => [number, number]): number[] {
  const points: number[] = []
  for (let i = 0; i <= chords; i++) {
    const angle = from + (turn * i) / chords
    points.push(...place(Math.cos(angle), Math.sin(angle)))
  }
  return points
}

/** Returns a polyline whose parts can be arcs: a bulge is the tangent of a quarter of the angle of an arc. */
function bulged(points: readonly number[], closed: boolean, tolerance: number): number[] {
  const count = Math.floor(points.length / 3)
  if (count === 0) return []
  const out = [at(points, 0), at(points, 1)]
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const k = ((i + 1) % count) * 3
    const [ax, ay, bulge] = [at(points, i * 3), at(points, i * 3 + 1), at(points, i * 3 + 2)]
    const [bx, by] = [at(points, k), at(points, k + 1)]
    const chord = Math.hypot(bx - ax, by - ay)
    if (bulge !== 0 && chord > 0) {
      const turn = 4 * Math.atan(bulge)
      const radius = chord / (2 * Math.sin(turn / 2))
      // The centre lies to the left of the chord for an arc that turns left.
      const height = radius * Math.cos(turn / 2)
      const [cx, cy] = [(ax + bx) / 2 - ((by - ay) / chord) * height, (ay + by) / 2 + ((bx - ax) / chord) * height]
      const start = Math.atan2(ay - cy, ax - cx)
      const r = Math.abs(radius)
      const chords = chordsFor(r, turn, tolerance)
      for (let n = 1; n < chords; n++) {
        const angle = start + (turn * n) / chords
        out.push(cx + r * Math.cos(angle), cy + r * Math.sin(angle))
      }
    }
    out.push(bx, by)
  }
  return out
}

/** Returns points of a spline, closer where it bends. */
function splined({ degree, knots, points, weights, closed }: Form & { kind: 'spline' }, tolerance: number): number[] {
  const count = points.length / 2
  if (count <= degree || knots.length < count + degree + 1) {
    // Without enough knots, only the control points are known.
    return [...points, ...(closed ? points.slice(0, 2) : [])]
  }
  const place = (t: number) => deBoor(degree, knots, points, weights, t)
  const [first, last] = [at(knots, degree), at(knots, count)]
  const out = [...place(first)]
  const add = (from: number, a: [number, number], to: number, b: [number, number], depth: number) => {
    const middle = (from + to) / 2
    const m = place(middle)
    const [q, r] = [place((from + middle) / 2), place((middle + to) / 2)]
    const off = Math.max(away(m, a, b), away(q, a, b), away(r, a, b))
    if (off > tolerance && depth < 10) {
      add(from, a, middle, m, depth + 1)
      add(middle, m, to, b, depth + 1)
    } else out.push(...b)
  }
  for (let k = degree; k < count; k++) {
    const [from, to] = [at(knots, k), at(knots, k + 1)]
    if (to > from && from >= first && to <= last) add(from, place(from), to, place(to), 0)
  }
  return out
}

function away([x, y]: [number, number], [ax, ay]: [number, number], [bx, by]: [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = Math.hypot(dx, dy)
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((x - ax) * dy - (y - ay) * dx) / length
}

/** Returns between which knots a parameter is: the last span that begins at or before it. Found by halves, because a spline can have very many knots. */
function spanOf(degree: number, count: number, knots: readonly number[], t: number): number {
  let [from, to] = [degree, count - 1]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (t >= at(knots, middle)) from = middle
    else to = middle - 1
  }
  return from
}

/** Returns a point of a rational B-spline (de Boor). */
function deBoor(
  degree: number,
  knots: readonly number[],
  points: readonly number[],
  weights: readonly number[],
  t: number,
): [number, number] {
  const count = points.length / 2
  const k = spanOf(degree, count, knots, t)
  const d = Array.from({ length: degree + 1 }, (_, j): [number, number, number] => {
    const i = k - degree + j
    const w = weights.length === count ? at(weights, i) : 1
    return [at(points, i * 2) * w, at(points, i * 2 + 1) * w, w]
  })
  for (let r = 1; r <= degree; r++)
    for (let j = degree; j >= r; j--) {
      const i = k - degree + j
      const span = at(knots, i + degree - r + 1) - at(knots, i)
      const alpha = span === 0 ? 0 : (t - at(knots, i)) / span
      const [a, b] = [at(d, j - 1), at(d, j)]
      d[j] = [(1 - alpha) * a[0] + alpha * b[0], (1 - alpha) * a[1] + alpha * b[1], (1 - alpha) * a[2] + alpha * b[2]]
    }
  const [x, y, w] = at(d, degree)
  return w === 0 ? [x, y] : [x / w, y / w]
}
