// A clash: one rule, one pair of sides, one unbroken time (`conflict-and-planning.md` §0.1, §4.1). Pure.
import type { Position } from '../geometry/plane.ts'
import type { SideKind } from '../predicates/entity.ts'
import type { Severity } from './rules.ts'
import type { Basis } from './sides.ts'

/** Why two sides clash: a cell of the matrix that applied, or the rule itself. */
export type Reason = {
  severity: Severity
  /** How close the sides came while it applied. */
  distance_m: number
  /** Of a cell: the type of a, that of b, the key that decided, and the distance that they need. */
  types: readonly [string, string] | null
  cell: string | null
  within_m: number | null
}

/** A side as a clash shows it. */
export type ClashSide = { id: string; kind: SideKind; label: string; lineage_id: string; contractor_id: string | null; basis: Basis }

/** A clash. The facts are those of the stretch with the worst outcome, and there of the least distance. */
export type Clash = {
  rule_id: string
  rule_version: number
  origin_id: string
  severity: Severity
  from: number
  /** Infinity if the end is open. */
  to: number
  a: ClashSide
  b: ClashSide
  distance_m: number
  level_gap: number
  /** The two closest points: of a, and of b. */
  nearest: readonly [Position, Position]
  reasons: readonly Reason[]
}

// Never a difference: a number that isn't small is an object in memory, one for each comparison of a sort.
const order = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders clashes: by start, red first, then by their sides and rule. */
export const inOrder = (a: Clash, b: Clash): number =>
  order(a.from, b.from) ||
  (a.severity === b.severity ? 0 : a.severity === 'red' ? -1 : 1) ||
  order(a.a.id, b.a.id) ||
  order(a.b.id, b.b.id) ||
  order(a.rule_id, b.rule_id)
