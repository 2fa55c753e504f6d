// Polylines of the old kind: lines, and surfaces as nets or faces. Pure.
import { ownOf } from './dxf-entities.ts'
import { Entity, heightsOf, outlineOf, type Pairs, path } from './dxf-pairs.ts'
import { type Form, type Shape, UPRIGHT } from './dxf-shapes.ts'
import { nameIn } from './dxf-tags.ts'

/** What the flags of a polyline say; `closed` also of a net in its first direction. */
const FLAGS = { closed: 1, smoothed: 4, line_in_space: 8, net: 16, net_closed: 32, faces: 64 }
/** What the flags of a vertex say. */
const VERTEX = { control: 16, place: 64, face: 128 }

type Corner = readonly [number, number]
const cornerOf = (vertex: Entity): Corner => [vertex.number(10), vertex.number(20)]
const heightOf = (vertex: Entity): number => vertex.number(30)

/** Returns a polyline of the old kind, from its header and its vertices. */
export function oldPolyline(pairs: Pairs, vertices: readonly Pairs[]): Shape {
  const entity = new Entity(pairs)
  const flags = entity.number(70)
  const all = vertices.map(one => new Entity(one))
  const in_space = (flags & FLAGS.line_in_space) !== 0
  const surface = (flags & FLAGS.faces) !== 0 ? facesOf(all) : (flags & FLAGS.net) !== 0 ? netOf(entity, flags, all) : null
  return {
    type: 'POLYLINE',
    layer: nameIn(entity.text(8)) || '0',
    own: surface !== null || in_space ? UPRIGHT : ownOf(entity, entity.number(30)),
    form: surface ?? lineOf(all, (flags & FLAGS.closed) !== 0, in_space),
  }
}

function lineOf(vertices: readonly Entity[], closed: boolean, in_space: boolean): Form {
  // Control points of a smoothed curve aren't on the line.
  const on = vertices.filter(vertex => (vertex.number(70) & VERTEX.control) === 0)
  return path(
    on.flatMap(vertex => [...cornerOf(vertex), in_space ? 0 : vertex.number(42)]),
    closed,
    in_space ? heightsOf(on.map(heightOf)) : undefined,
  )
}

/** Returns the lines of a net: its points in rows and columns. */
function netOf(entity: Entity, flags: number, vertices: readonly Entity[]): Form {
  const smoothed = (flags & FLAGS.smoothed) !== 0
  const nodes = vertices.filter(vertex => !smoothed || (vertex.number(70) & VERTEX.control) === 0)
  const [points, heights] = [nodes.map(cornerOf), nodes.map(heightOf)]
  const count = (code: number) => Math.max(0, Math.floor(entity.number(code)))
  const [rows, columns] = [count(smoothed ? 73 : 71), count(smoothed ? 74 : 72)]
  const known = Math.min(points.length, rows * columns)
  const forms: Form[] = []
  const add = (from: number, to: number, step: number, closed: boolean) => {
    const [line, high]: [number[], number[]] = [[], []]
    for (let i = from; i < to; i += step) {
      line.push(...(points[i] ?? [0, 0]), 0)
      high.push(heights[i] ?? 0)
    }
    forms.push(path(line, closed, heightsOf(high)))
  }
  for (let first = 0; first < known; first += columns) add(first, Math.min(known, first + columns), 1, (flags & FLAGS.net_closed) !== 0)
  for (let column = 0; column < Math.min(columns, known); column++) add(column, known, columns, (flags & FLAGS.closed) !== 0)
  return { kind: 'group', forms }
}

/** Returns the edges of faces, which refer to their corners by number; a negative number hides the edge that begins there. */
function facesOf(vertices: readonly Entity[]): Form {
  const places = vertices.filter(vertex => (vertex.number(70) & VERTEX.place) !== 0)
  const [points, heights] = [places.map(cornerOf), places.map(heightOf)]
  const forms: Form[] = []
  for (const vertex of vertices) {
    if ((vertex.number(70) & (VERTEX.face | VERTEX.place)) !== VERTEX.face) continue
    const numbers = [71, 72, 73, 74].map(code => vertex.number(code)).filter(number => points[Math.abs(number) - 1] !== undefined)
    forms.push(
      outlineOf(
        numbers.map(number => points[Math.abs(number) - 1] ?? [0, 0]),
        numbers.map(number => number < 0),
        numbers.map(number => heights[Math.abs(number) - 1] ?? 0),
      ),
    )
  }
  return { kind: 'group', forms }
}
