// A rule as its form edits it, and what of it is sent.
import { checkRule } from '../../../../shared/conflicts/check.ts'
import { isMatrix, type RuleContent } from '../../../../shared/conflicts/rules.ts'
import { keysOf } from '../../../../shared/narrow.ts'
import type { SideKind } from '../../../../shared/predicates/entity.ts'
import { isPredicate, type Refs } from '../../../../shared/predicates/language.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import type { Schemas } from '../../../base/api.ts'
import { parsed } from '../../../base/condition-json.ts'
import { bodyOf, type CellChanges, cellsWith, EMPTY_CELLS, type Matrix } from './matrix.ts'
import { levelsOf, outcomeOf, type Rule } from './model.ts'

/** The values of the form. Numbers are text, as they are typed. */
export type Draft = {
  name: string
  description: string
  a: SideKind[]
  b: SideKind[]
  when: unknown
  /** The condition as JSON while it is edited in that form; null while it is edited in lines. */
  json: string | null
  mode: 'same' | 'within' | 'any'
  max_gap: string
  buffer: string
  overlap: string
  outcome: 'amber' | 'red' | 'matrix'
  distance: string
  cells: CellChanges
  note: string
}

const DEFAULT_DISTANCE_M = 10

/** Returns the draft of a rule, or of a new one. */
export function draftOf(rule: Rule | null): Draft {
  const outcome = rule === null ? { severity: 'amber' as const } : outcomeOf(rule)
  return {
    name: rule?.name ?? '',
    description: rule?.description ?? '',
    a: rule?.a.kinds ?? ['worker'],
    b: rule?.b.kinds ?? ['plant'],
    when: rule === null ? { within_m: 5 } : rule.when,
    json: null,
    mode: rule?.levels.mode ?? 'same',
    max_gap: String(rule?.levels.max_gap ?? 1),
    buffer: String(rule?.time_buffer_minutes ?? 0),
    overlap: String(rule?.min_overlap_minutes ?? 0),
    outcome: isMatrix(outcome) ? 'matrix' : outcome.severity,
    distance: String(isMatrix(outcome) ? outcome.default_distance_m : DEFAULT_DISTANCE_M),
    cells: {},
    note: '',
  }
}

/** Returns whether a rule can have a matrix: both sides are permits, and nothing else. */
export const canHaveMatrix = ({ a, b }: Pick<Draft, 'a' | 'b'>): boolean =>
  [a, b].every(kinds => kinds.length === 1 && kinds[0] === 'permit')

/** Returns the levels of a draft. */
export const levelsIn = ({ mode, max_gap }: Pick<Draft, 'mode' | 'max_gap'>) =>
  levelsOf(mode === 'within' ? { mode, max_gap: Number(max_gap) } : { mode })

/** Returns the condition of a draft; text that isn’t JSON is no condition. */
export const whenIn = ({ when, json }: Pick<Draft, 'when' | 'json'>): unknown => {
  if (json === null) return when
  const read = parsed(json)
  return 'when' in read ? read.when : null
}

/** Returns the matrix of a draft over the stored cells of its rule. */
export function matrixIn(rule: Rule | null, draft: Draft): Matrix {
  const outcome = rule === null ? null : outcomeOf(rule)
  return {
    cells: outcome !== null && isMatrix(outcome) ? outcome.cells : EMPTY_CELLS,
    changes: draft.cells,
    defaults: { default_distance_m: Number(draft.distance), levels: levelsIn(draft) },
  }
}

/** Returns the content of a draft with the whole matrix, to check and explain it. */
export function contentIn(rule: Rule | null, draft: Draft): RuleContent {
  const when = whenIn(draft)
  const matrix = matrixIn(rule, draft)
  return {
    a: { kinds: draft.a },
    b: { kinds: draft.b },
    when: isPredicate(when) ? when : true,
    levels: levelsIn(draft),
    time_buffer_minutes: Number(draft.buffer),
    min_overlap_minutes: Number(draft.overlap),
    outcome:
      draft.outcome === 'matrix'
        ? { matrix: 'permit_type', default_distance_m: matrix.defaults.default_distance_m, cells: cellsWith(matrix) }
        : { severity: draft.outcome },
  }
}

/** A note of the check, with its path. */
export type Note = { path: string; code: string; message: string }

/** Checks a draft in the browser, with the same code as the service, which also knows the records of the site. */
export function checkedDraft(rule: Rule | null, draft: Draft, refs: Refs, not_json: string): { faults: Note[]; warnings: Note[] } {
  if (draft.json !== null && !('when' in parsed(draft.json)))
    return { faults: [{ path: 'when', code: 'wrong_type', message: not_json }], warnings: [] }
  if (!isPredicate(whenIn(draft))) return { faults: [{ path: 'when', code: 'wrong_type', message: not_json }], warnings: [] }
  const { faults, warnings } = checkRule(contentIn(rule, draft), refs)
  return { faults, warnings }
}

/** Returns a draft as the service accepts it. Of a matrix that exists, only the changed cells are sent. */
function bodyIn(rule: Rule | null, draft: Draft) {
  const before = rule === null ? null : outcomeOf(rule)
  const cells = bodyOf(draft.cells)
  const distance = Number(draft.distance)
  const grown = before !== null && isMatrix(before)
  const matrix = grown
    ? {
        ...(distance === before.default_distance_m ? {} : { default_distance_m: distance }),
        ...(Object.keys(cells).length === 0 ? {} : { cells }),
      }
    : { matrix: 'permit_type', default_distance_m: distance, cells: { ...EMPTY_CELLS, ...cells } }
  return {
    name: draft.name.trim(),
    description: draft.description,
    a: { kinds: draft.a },
    b: { kinds: draft.b },
    when: whenIn(draft),
    levels: levelsIn(draft),
    time_buffer_minutes: Number(draft.buffer),
    min_overlap_minutes: Number(draft.overlap),
    outcome: draft.outcome === 'matrix' ? matrix : { severity: draft.outcome },
  }
}

/** Returns a new rule as it is sent. */
export const newBody = (site_id: string, profile_id: string, draft: Draft): Schemas['NewClashRule'] => ({
  site_id,
  profile_id,
  ...bodyIn(null, draft),
})

/** Returns what was changed, as it is sent: what wasn’t touched is left out, so that it makes no new version. */
export function changesOf(rule: Rule, draft: Draft): Schemas['ClashRuleChange'] {
  const [before, after] = [bodyIn(rule, draftOf(rule)), bodyIn(rule, draft)]
  const moved = keysOf(after).filter(key => canonicalJson(before[key]) !== canonicalJson(after[key]))
  return Object.fromEntries(moved.map(key => [key, after[key]]))
}

/** Returns a change with its note. */
export const withNote = (change: Schemas['ClashRuleChange'], note: string): Schemas['ClashRuleChange'] =>
  note.trim() === '' ? change : { ...change, change_note: note.trim() }
