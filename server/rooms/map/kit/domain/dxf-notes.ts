// Entities of drawings whose geometry isn't their own positions: dimensions, leaders and multiple lines. Pure.
import { type Entity, heightsOf, numberOf, path } from './dxf-pairs.ts'
import type { Form, Space } from './dxf-shapes.ts'
import { nameIn } from './dxf-tags.ts'

/** Returns a dimension: the block without a name of its own that the program has drawn for it, moved if it is a copy. `own`: the axes of the dimension. */
export function dimension(entity: Entity, own: Space): Form & { kind: 'insert' } {
  const [a, b, c, d, e, f, g, h, i] = own
  const [x, y, z] = [entity.number(12), entity.number(22), entity.number(32)]
  return {
    kind: 'insert',
    block: nameIn(entity.text(2)),
    placed: [1, 0, 0, 0, 1, 0, 0, 0, 1, a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z],
    columns: 1,
    rows: 1,
    column: [0, 0],
    row: [0, 0],
  }
}

/** Returns the line of a leader, without its arrow. */
export function leader(entity: Entity): Form {
  const [ys, zs] = [entity.numbers(20), entity.numbers(30)]
  return path(
    entity.numbers(10).flatMap((x, i) => [x, ys[i] ?? 0, 0]),
    false,
    heightsOf(zs),
  )
}

/** A corner of a multiple line: where it is, which way its lines are from there, and how far each is. */
type Corner = { at: number[]; way: number[]; far: number[] }

/** Codes of a multiple line: coordinates of a corner and of its way, a new line of it, and distances of that line. */
const MLINE: Readonly<Record<number, readonly ['at' | 'way', number]>> = {
  11: ['at', 0],
  21: ['at', 1],
  31: ['at', 2],
  13: ['way', 0],
  23: ['way', 1],
  33: ['way', 2],
}
const [NEW_CORNER, NEW_LINE, DISTANCE] = [11, 74, 41]

/** Returns the lines of a multiple line, such as both sides of a wall. Where they are interrupted, they are drawn through. */
export function multipleLine(entity: Entity): Form {
  const corners: Corner[] = []
  let first = false
  entity.each((code, value) => {
    if (code === NEW_CORNER) corners.push({ at: [0, 0, 0], way: [0, 0, 0], far: [] })
    const corner = corners.at(-1)
    if (corner === undefined) return
    const place = MLINE[code]
    if (place !== undefined) corner[place[0]][place[1]] = numberOf(value)
    else if (code === NEW_LINE) first = true
    else if (code === DISTANCE && first) {
      // The first distance is along the way, the others say where the line is interrupted.
      corner.far.push(numberOf(value))
      first = false
    }
  })
  const count = corners.reduce((least, { far }) => Math.min(least, far.length), Number.POSITIVE_INFINITY)
  const closed = (entity.number(71) & 2) !== 0
  const along = ({ at, way, far }: Corner, line: number, axis: number) => (at[axis] ?? 0) + (way[axis] ?? 0) * (far[line] ?? 0)
  const forms = Array.from({ length: Number.isFinite(count) ? count : 0 }, (_, line) =>
    path(
      corners.flatMap(corner => [along(corner, line, 0), along(corner, line, 1), 0]),
      closed,
      heightsOf(corners.map(corner => along(corner, line, 2))),
    ),
  )
  return { kind: 'group', forms }
}
