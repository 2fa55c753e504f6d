// Rules as they are compiled (`compile.ts`).
import { SIDE_KINDS } from '../predicates/entity.ts'
import type { Judge } from '../predicates/evaluate.ts'
import type { PairRow } from './pair.ts'
import type { Reach } from './reach.ts'
import type { Rule } from './rules.ts'
import { num } from './shapes.ts'

/** How many kinds of sides there are. */
export const KINDS = SIDE_KINDS.length

/** The cells of a matrix by the numbers of two types: weight (0 off, 1 amber, 2 red), distance, levels, and the key that decided. */
export type CompiledMatrix = {
  /** The numbers of the types that have cells; every other type is number 0. */
  numbers: ReadonlyMap<string, number>
  size: number
  weights: Uint8Array
  distances: Float64Array
  gaps: Float64Array
  keys: readonly (string | null)[]
  /** The two types, which all clashes of a cell share; null if one of them has no cell of its own. */
  types: readonly (readonly [string, string] | null)[]
}

/** A compiled rule. Times are in milliseconds. */
export type Compiled = {
  rule: Rule
  reach: Reach
  buffer: number
  least: number
  /** The most levels between the sides; a matrix has its own for each cell. */
  levels: number
  /** Null if there is no further condition. */
  judge: Judge<PairRow> | null
  weight: 1 | 2
  matrix: CompiledMatrix | null
  /** The number of the matrix among those of the set. */
  matrix_at: number
}

/** A rule that applies to two kinds: with the first side as a, with the second side as a, or either way. */
export type Applied = { compiled: Compiled; straight: boolean; turned: boolean }

const NO_TYPES = new Int32Array(0)
/** Returns the numbers of a side’s permit types in a matrix. */
export const typesIn = (types: readonly Int32Array[], matrix: number): Int32Array => types[matrix] ?? NO_TYPES

/** Returns the farthest distance at which a cell of two permits applies; -1 if none does on these levels. */
export function farthestCell(matrix: CompiledMatrix, first: Int32Array, second: Int32Array, level_gap: number): number {
  let most = -1
  // Plain loops: this runs for every two permits that are near each other.
  for (let i = 0; i < first.length; i++)
    for (let j = 0; j < second.length; j++) {
      const cell = (first[i] ?? 0) * matrix.size + (second[j] ?? 0)
      if (matrix.weights[cell] === 0 || level_gap > num(matrix.gaps, cell)) continue
      const distance = num(matrix.distances, cell)
      if (distance > most) most = distance
    }
  return most
}
