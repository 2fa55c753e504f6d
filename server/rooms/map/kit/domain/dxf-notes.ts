// Entities of drawings whose geometry isn't their own positions: dimensions, tables, leaders and multiple lines. Pure.
import { type Entity, heightsOf, numberOf, path } from './dxf-pairs.ts'
import type { Form, Space } from './dxf-shapes.ts'
import { nameIn } from './dxf-tags.ts'
import { plainMtext, plainText } from './dxf-text.ts'

/** Names of blocks by the handles of their records. */
export type Handles = ReadonlyMap<string, string>

/** Returns a single reference to a block. */
const single = (block: string, placed: Space): Form & { kind: 'insert' } => ({
  ...{ kind: 'insert', block, placed },
  ...{ columns: 1, rows: 1, column: [0, 0], row: [0, 0] },
})

/** Returns a dimension: the block without a name of its own that the program has drawn for it, moved if it is a copy. `own`: the axes of the dimension. */
export function dimension(entity: Entity, own: Space): Form & { kind: 'insert' } {
  const [a, b, c, d, e, f, g, h, i] = own
  const [x, y, z] = [entity.number(12), entity.number(22), entity.number(32)]
  const placed: Space = [1, 0, 0, 0, 1, 0, 0, 0, 1, a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z]
  return single(nameIn(entity.text(2)), placed)
}

/** Returns a table: the block that the program has drawn for it, along the direction of its rows. */
export function table(entity: Entity): Form & { kind: 'insert' } {
  const [x, y] = [entity.number(11, 1), entity.number(21)]
  const length = Math.hypot(x, y)
  const [c, s] = length === 0 ? [1, 0] : [x / length, y / length]
  return single(nameIn(entity.text(2)), [c, s, 0, -s, c, 0, 0, 0, 1, entity.number(10), entity.number(20), 0])
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

/** What is being read of a multileader, which has parts within parts; each ends with a brace. */
const PARTS: Readonly<Record<string, 'context' | 'leader' | 'line'>> = {
  'CONTEXT_DATA{': 'context',
  'LEADER{': 'leader',
  'LEADER_LINE{': 'line',
}
const [NEXT_POINT, TEXT, TEXT_HEIGHT, TEXT_AT, BLOCK, BLOCK_AT, BLOCK_SCALE, BLOCK_TURN, DOGLEG, WAY] = [
  10, 304, 41, 12, 341, 15, 16, 46, 40, 11,
]

/** Returns a multileader: its lines up to where they meet the text, without their arrows, and its text or its block. */
export function multileader(entity: Entity, handles: Handles): Form {
  const open: string[] = []
  const forms: Form[] = []
  const [lines, landing, way, note]: [number[][], number[], number[], number[]] = [[], [], [], []]
  const [spot, scale]: [number[], number[]] = [[], []]
  let [words, block, height, dogleg, turn] = ['', '', 1, 0, 0]
  const close = () => {
    const part = open.pop()
    if (part !== 'leader') return
    const [x = 0, y = 0] = landing
    const end = [x, y, 0, x + (way[0] ?? 0) * dogleg, y + (way[1] ?? 0) * dogleg, 0]
    for (const line of lines) forms.push(path(landing.length < 2 ? line : [...line, ...end]))
    lines.length = landing.length = way.length = 0
    dogleg = 0
  }
  entity.each((code, value) => {
    const said = code >= 300 && code < 310 ? String(value).trim() : ''
    const part = PARTS[said]
    if (part !== undefined) {
      open.push(part)
      if (part === 'line') lines.push([])
      return
    }
    if (said === '}') return close()
    const here = open.at(-1)
    if (here === 'line') {
      const line = lines.at(-1)
      if (code === NEXT_POINT) line?.push(numberOf(value), 0, 0)
      else if (code === NEXT_POINT + 10 && line !== undefined && line.length > 0) line[line.length - 2] = numberOf(value)
    } else if (here === 'leader') {
      if (code === NEXT_POINT || code === NEXT_POINT + 10) landing.push(numberOf(value))
      else if (code === WAY || code === WAY + 10) way.push(numberOf(value))
      else if (code === DOGLEG) dogleg = numberOf(value)
    } else if (here === 'context') {
      if (code === TEXT) words += String(value)
      else if (code === TEXT_HEIGHT) height = numberOf(value)
      else if (code === TEXT_AT || code === TEXT_AT + 10) note.push(numberOf(value))
      else if (code === BLOCK) block = handles.get(String(value).trim().toUpperCase()) ?? ''
      else if (code === BLOCK_AT || code === BLOCK_AT + 10) spot.push(numberOf(value))
      else if (code === BLOCK_SCALE || code === BLOCK_SCALE + 10) scale.push(numberOf(value))
      else if (code === BLOCK_TURN) turn = numberOf(value)
    }
  })
  const [x = 0, y = 0] = note
  if (words !== '') forms.push({ kind: 'text', x, y, text: nameIn(plainText(plainMtext(words)).trim()), height })
  if (block !== '') {
    const [[left = 0, low = 0], [sx = 1, sy = 1], c, s] = [spot, scale, Math.cos(turn), Math.sin(turn)]
    forms.push(single(block, [c * sx, s * sx, 0, -s * sy, c * sy, 0, 0, 0, 1, left, low, 0]))
  }
  return { kind: 'group', forms }
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
