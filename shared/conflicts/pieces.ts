// Sides as the engine compares them: each stretch of a footprint is a piece of ground with its time, levels and box. Pure.
import type { Plane } from '../geometry/plane.ts'
import type { ClashSide } from './clashes.ts'
import { kindNumber, type RuleSet } from './compile.ts'
import { type Shape, shapeOf } from './shapes.ts'
import type { Side, Stretch } from './sides.ts'

/** A side with its pieces. */
export type Prepared = {
  side: Side
  kind: number
  pieces: Piece[]
  /** The numbers of its permit types, for each matrix of the rules. */
  types: Int32Array[]
}

/** One stretch of a side. Unknown levels reach from -Infinity to Infinity, so that they are 0 from everything. */
export type Piece = {
  of: Prepared
  /** The id, kind and types of its side, where a comparison reads them first. */
  id: string
  kind: number
  types: Int32Array[]
  /** The number of the class of its side (`classes.ts`). */
  class_at: number
  at: number
  stretch: Stretch
  from: number
  to: number
  low: number
  high: number
  shape: Shape
  /** Its number in the index. */
  slot: number
  /** As clashes show it; null until one does. */
  shown: ClashSide | null
}

/** Prepares a side. */
export function prepared(side: Side, rules: RuleSet, plane: Plane): Prepared {
  const made: Prepared = {
    side,
    kind: kindNumber(side.kind),
    pieces: [],
    types: rules.matrices.map(({ numbers }) => Int32Array.from(side.facts.permit_types, code => numbers.get(code) ?? 0)),
  }
  const class_at = rules.classes.numberOf(made.kind, made.types)
  for (const [at, stretch] of side.footprint.entries()) {
    const { from, to, levels } = stretch
    if (!(from < to)) continue
    const [low, high] = levels === null ? [-Infinity, Infinity] : [levels.from, levels.to]
    const { kind, types } = made
    made.pieces.push({
      of: made,
      id: side.id,
      kind,
      types,
      class_at,
      at,
      stretch,
      from,
      to,
      low,
      high,
      shape: shapeOf(stretch.ground, plane),
      slot: -1,
      shown: null,
    })
  }
  return made
}

/** Returns how many levels are between two pieces; 0 if one is unknown. */
export const gapOfLevels = (a: Piece, b: Piece): number => Math.max(0, a.low - b.high, b.low - a.high)

/** Returns the unbroken time around an instant in which a side is somewhere, with its stretches widened by a buffer. */
function runAround({ pieces }: Prepared, instant: number, buffer: number): { from: number; to: number } {
  const [only, ...more] = pieces
  if (only !== undefined && more.length === 0) return { from: only.from - buffer, to: only.to + buffer }
  let [from, to] = [instant, instant]
  for (let grown = true; grown; ) {
    grown = false
    for (const piece of pieces) {
      const [start, end] = [piece.from - buffer, piece.to + buffer]
      if (start > to || end < from || (start >= from && end <= to)) continue
      from = Math.min(from, start)
      to = Math.max(to, end)
      grown = true
    }
  }
  return { from, to }
}

/** Returns how long both sides are somewhere without a break, around an instant at which both are (§0.4, `overlap_minutes`), in milliseconds. */
export function commonTime(a: Prepared, b: Prepared, instant: number, buffer: number): number {
  const [one, two] = [runAround(a, instant, buffer), runAround(b, instant, buffer)]
  return Math.min(one.to, two.to) - Math.max(one.from, two.from)
}
