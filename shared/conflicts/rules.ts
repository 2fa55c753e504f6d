// The content of a clash rule (`conflict-and-planning.md` §1). Pure.
import type { SideKind } from '../predicates/entity.ts'
import type { Predicate } from '../predicates/language.ts'

/** How bad a clash is. */
export const SEVERITIES = ['amber', 'red'] as const
export type Severity = (typeof SEVERITIES)[number]

/** How many levels two sides can be apart and still clash. */
export type LevelRule = { mode: 'same' } | { mode: 'within'; max_gap: number } | { mode: 'any' }

export const OUTCOMES = ['off', ...SEVERITIES] as const
/** What a cell of the matrix gives. */
export type CellOutcome = (typeof OUTCOMES)[number]
/** A cell of the matrix as it is given. Without a distance or levels, those of the rule apply. */
export type Cell = CellOutcome | { outcome: CellOutcome; distance_m?: number; levels?: LevelRule }
/** Cells by their key, `HW|CSE`; either code can be `*`, any type. */
export type Cells = Readonly<Record<string, Cell>>

export type FixedOutcome = { severity: Severity }
export type MatrixOutcome = { matrix: 'permit_type'; default_distance_m: number; cells: Cells }

/** What people decide in a rule. */
export type RuleContent = {
  a: { kinds: readonly SideKind[] }
  b: { kinds: readonly SideKind[] }
  when: Predicate
  levels: LevelRule
  /** The time of both sides is widened by this much before it is compared. */
  time_buffer_minutes: number
  /** The shortest common time that counts; 0: any. */
  min_overlap_minutes: number
  outcome: FixedOutcome | MatrixOutcome
}

/** A rule as clashes refer to it. */
export type Rule = RuleContent & { id: string; origin_id: string; version: number; enabled: boolean; name: string }

/** Returns whether the outcome comes from the matrix of permit types. */
export const isMatrix = (outcome: RuleContent['outcome']): outcome is MatrixOutcome => 'matrix' in outcome

/** Returns the most levels between two sides that still clash. */
export const mostLevels = (levels: LevelRule): number =>
  levels.mode === 'same' ? 0 : levels.mode === 'within' ? levels.max_gap : Number.POSITIVE_INFINITY

const WEIGHT = { off: 0, amber: 1, red: 2 } as const
/** Returns how severe an outcome is: 0 off, 1 amber, 2 red. */
export const weightOf = (outcome: CellOutcome): 0 | 1 | 2 => WEIGHT[outcome]

/** The farthest that a rule can reach, in metres (§1, bounded reach). */
export const FARTHEST_M = 500
