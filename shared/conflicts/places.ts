// Pieces of ground by place and by time (`conflict-and-planning.md` §4.3): an index for one changed side, and a sweep over time for a whole site. Pure.
import type { RuleSet } from './compile.ts'
import { ROUNDING_M } from './gap.ts'
import { gridOf } from './grid.ts'
import type { Piece } from './pieces.ts'
import { num } from './shapes.ts'

/** The widest standard rule reaches across a cell, and a cell of a dense site has a few pieces. */
const CELL_M = 50

/** Keeps numbered pieces by place, and by zone for the rules that compare what shares a zone. */
export type Places = {
  add(piece: Piece, item: number): void
  remove(piece: Piece, item: number): void
  /** Calls `visit` with the number of every piece that a rule may compare with this one, never twice. One for which `isOver` is true is forgotten. */
  around(piece: Piece, visit: (item: number) => void, isOver?: (item: number) => boolean): void
}

/** Makes an empty collection of places for about this many pieces. */
export function placesOf({ reaches, zones }: RuleSet, expected: number): Places {
  const grid = gridOf(CELL_M, expected)
  const byZone = new Map<string, Set<number>>()
  const zonesOf = (piece: Piece): readonly string[] => (zones[piece.kind] ? piece.stretch.zone_ids : [])
  return {
    add(piece, item) {
      if (num(reaches, piece.kind) >= 0) grid.add(item, piece.shape)
      for (const zone of zonesOf(piece)) {
        const list = byZone.get(zone) ?? new Set()
        byZone.set(zone, list.add(item))
      }
    },
    remove(piece, item) {
      if (num(reaches, piece.kind) >= 0) grid.remove(item, piece.shape)
      for (const zone of zonesOf(piece)) byZone.get(zone)?.delete(item)
    },
    around(piece, visit, isOver) {
      const reach = num(reaches, piece.kind)
      if (reach < 0) return
      const own = zonesOf(piece)
      if (own.length === 0) {
        grid.near(piece.shape, reach, visit, isOver)
        return
      }
      const met = new Set<number>()
      grid.near(piece.shape, reach, item => met.add(item), isOver)
      for (const zone of own)
        for (const item of byZone.get(zone) ?? []) {
          if (isOver?.(item)) byZone.get(zone)?.delete(item)
          else met.add(item)
        }
      for (const item of met) visit(item)
    },
  }
}

/** A large site is swept in blocks of this size, each with all of its time, so that what is compared is together in the processor’s cache. */
const BLOCK_M = 300
/** With fewer pieces than this, everything is. */
const WORTH_BLOCKS = 8000
/** With a piece over more blocks than this, the site isn’t cut into blocks. */
const MOST_BLOCKS = 400

/** A part of the site, by its column and row. */
type Block = { x: number; y: number; pieces: Piece[] }

const blockAt = (metres: number): number => Math.floor(metres / BLOCK_M)

/**
 * Puts pieces into the blocks of the site: each into every block that its box, widened to the east and north by the reach of the rules, touches. The larger west
 * and the larger south edge of two pieces that are near each other are then in one block that has both. Null if the site can’t be cut.
 */
function blocksOf(pieces: readonly Piece[], rules: RuleSet): Map<string, Block> | null {
  if (pieces.length < WORTH_BLOCKS || rules.zones.includes(true)) return null
  const reach = Math.max(0, ...rules.reaches) + ROUNDING_M
  const blocks = new Map<string, Block>()
  for (const piece of pieces) {
    const { west, south, east, north } = piece.shape
    const [x1, x2, y1, y2] = [blockAt(west), blockAt(east + reach), blockAt(south), blockAt(north + reach)]
    if ((x2 - x1 + 1) * (y2 - y1 + 1) > MOST_BLOCKS) return null
    for (let x = x1; x <= x2; x++)
      for (let y = y1; y <= y2; y++) {
        const key = `${x} ${y}`
        const block = blocks.get(key)
        if (block === undefined) blocks.set(key, { x, y, pieces: [piece] })
        else block.pieces.push(piece)
      }
  }
  return blocks
}

/** Calls `meet` with every two pieces that are there at one time and near enough for a rule, each pair once. */
export function timeline(pieces: readonly Piece[], rules: RuleSet, meet: (piece: Piece, earlier: Piece) => void): void {
  const blocks = blocksOf(pieces, rules)
  if (blocks === null) {
    inTime(pieces, rules, meet)
    return
  }
  for (const { x, y, pieces: near } of blocks.values())
    inTime(near, rules, (piece, earlier) => {
      const [a, b] = [piece.shape, earlier.shape]
      if (blockAt(Math.max(a.west, b.west)) === x && blockAt(Math.max(a.south, b.south)) === y) meet(piece, earlier)
    })
}

/**
 * Goes through pieces in the order of their starts: each is compared with those that are still there, and the others are forgotten on the way. Times and boxes are
 * kept in flat arrays in that order.
 */
function inTime(pieces: readonly Piece[], rules: RuleSet, meet: (piece: Piece, earlier: Piece) => void): void {
  const count = pieces.length
  const starts = Float64Array.from(pieces, piece => piece.from)
  const order = Uint32Array.from(pieces, (_, i) => i).sort((a, b) => Math.sign(num(starts, a) - num(starts, b)))
  const ends = new Float64Array(count)
  const boxes = new Float64Array(count * 4)
  const classOf = new Int32Array(count)
  const { classes } = rules
  const places = placesOf(rules, count)
  const earlier: Piece[] = []
  for (let item = 0; item < count; item++) {
    const piece = pieces[order[item] ?? 0]
    if (piece === undefined) continue
    const { west, south, east, north } = piece.shape
    earlier.push(piece)
    ends[item] = piece.to
    classOf[item] = piece.class_at
    boxes[4 * item] = west
    boxes[4 * item + 1] = south
    boxes[4 * item + 2] = east
    boxes[4 * item + 3] = north
    const since = piece.from - 2 * rules.buffer
    const own = piece.class_at
    places.around(
      piece,
      other => {
        const limit = classes.limit(own, classOf[other] ?? 0)
        if (limit < 0) return
        const b = 4 * other
        const east_gap = Math.max(0, west - num(boxes, b + 2), num(boxes, b) - east)
        const north_gap = Math.max(0, south - num(boxes, b + 3), num(boxes, b + 1) - north)
        const within = limit + ROUNDING_M
        if (east_gap * east_gap + north_gap * north_gap > within * within) return
        const met = earlier[other]
        if (met !== undefined) meet(piece, met)
      },
      other => num(ends, other) <= since,
    )
    places.add(piece, item)
  }
}
