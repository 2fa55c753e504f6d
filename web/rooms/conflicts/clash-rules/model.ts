// Rules and profiles as their pages show them.
import { type Cell, isMatrix, type LevelRule, OUTCOMES, type RuleContent } from '../../../../shared/conflicts/rules.ts'
import { STANDARD_RULES } from '../../../../shared/conflicts/standard.ts'
import { fieldsIn, isOneOf, mapValues } from '../../../../shared/narrow.ts'
import { isPredicate } from '../../../../shared/predicates/language.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Here, Me } from '../../../base/here.ts'

/** A rule in a list. */
export type Rule = Schemas['ClashRule']
/** A rule, with what its matrix gives every two types. */
export type OneRule = Schemas['ClashRuleWithMatrix']
/** A set of rules. */
export type Profile = Schemas['RuleProfile']
/** A version of a rule. */
export type Version = Schemas['ClashRuleHistoryEntry']
/** What clashes of a rule mean for the work. */
export type Consequence = Schemas['ClashConsequence']

/** Returns the levels of a rule. */
export const levelsOf = ({ mode, max_gap }: Rule['levels']): LevelRule => (mode === 'within' ? { mode, max_gap: max_gap ?? 1 } : { mode })

/** Reads levels. */
function levelsIn(value: unknown): LevelRule {
  const { mode, max_gap } = fieldsIn(value)
  if (mode === 'within') return { mode, max_gap: Number(max_gap) }
  return { mode: mode === 'any' ? 'any' : 'same' }
}

/** Reads a cell of the matrix. */
function cellIn(value: unknown): Cell {
  if (isOneOf(OUTCOMES, value)) return value
  const { outcome, distance_m, levels } = fieldsIn(value)
  return {
    outcome: isOneOf(OUTCOMES, outcome) ? outcome : 'off',
    ...(typeof distance_m === 'number' ? { distance_m } : {}),
    ...(levels === undefined ? {} : { levels: levelsIn(levels) }),
  }
}

/** Returns the outcome of a rule, whose form the service has checked. */
export function outcomeOf({ outcome }: Pick<Rule, 'outcome'>): RuleContent['outcome'] {
  const { severity, default_distance_m, cells } = fieldsIn(outcome)
  if (cells === undefined) return { severity: severity === 'red' ? 'red' : 'amber' }
  return { matrix: 'permit_type', default_distance_m: Number(default_distance_m), cells: mapValues(fieldsIn(cells), cellIn) }
}

/** Returns everything of a rule that decides what it finds. */
export const contentOf = (rule: Pick<Rule, keyof RuleContent>): RuleContent => ({
  a: rule.a,
  b: rule.b,
  when: isPredicate(rule.when) ? rule.when : true,
  levels: levelsOf(rule.levels),
  time_buffer_minutes: rule.time_buffer_minutes,
  min_overlap_minutes: rule.min_overlap_minutes,
  outcome: outcomeOf(rule),
})

/** How severe what a rule finds is: always the same, or as the types of two permits decide. */
export function severityOf(rule: Pick<Rule, 'outcome'>): 'amber' | 'red' | 'matrix' {
  const outcome = outcomeOf(rule)
  return isMatrix(outcome) ? 'matrix' : outcome.severity
}

/** Returns whether some clashes of a rule are amber and others red. */
export function givesBoth(rule: Pick<Rule, 'outcome'>): boolean {
  const outcome = outcomeOf(rule)
  if (!isMatrix(outcome)) return false
  const given = Object.values(outcome.cells).map(cell => (typeof cell === 'string' ? cell : cell.outcome))
  return given.includes('amber') && given.includes('red')
}

/** Where a rule comes from: the product, the product with changes, or the site. */
export const sourceOf = (rule: Pick<Rule, 'system_key' | 'is_customised'>): 'standard' | 'customised' | 'own' =>
  rule.system_key === null ? 'own' : rule.is_customised ? 'customised' : 'standard'

/** What the site notices when another profile becomes active: rules that begin to apply, that no longer do, that find something else, and whose clashes mean something else. */
export type Activation = { starts: string[]; stops: string[]; differs: string[]; means: string[] }

/** The rules of a profile, and what their clashes mean for the work. */
export type Ruled = { rules: readonly Rule[]; consequences: readonly Consequence[] }

/** Returns what clashes of a rule mean, as text; where nobody has set it, it follows the severity, which is compared with the rule. */
function meaningOf({ consequences }: Ruled, { id }: Rule): string {
  const set = consequences.find(one => one.clash_rule_id === id && !one.is_default)
  if (set === undefined) return ''
  const { effect, affected, task_lead_hours, blocker_category, loss_share_percent, instruction } = set
  return canonicalJson({ effect, affected, task_lead_hours, blocker_category, loss_share_percent, instruction })
}

/** Compares the rules that are on in the active profile with those of another one. */
export function activationOf(now: Ruled, next: Ruled): Activation {
  const isSame = (one: Rule, two: Rule) => one.origin_id === two.origin_id || (one.system_key !== null && one.system_key === two.system_key)
  const [before, after] = [now, next].map(({ rules }) => rules.filter(rule => rule.enabled))
  const pairs = (after ?? []).map(rule => ({ rule, was: before?.find(one => isSame(one, rule)) }))
  const names = (rules: readonly Rule[]) => rules.map(rule => rule.name)
  return {
    starts: names(pairs.flatMap(({ rule, was }) => (was === undefined ? [rule] : []))),
    stops: names((before ?? []).filter(rule => after?.every(one => !isSame(one, rule)))),
    differs: names(
      pairs.flatMap(({ rule, was }) =>
        was === undefined || canonicalJson(contentOf(was)) === canonicalJson(contentOf(rule)) ? [] : [rule],
      ),
    ),
    means: names(pairs.flatMap(({ rule, was }) => (was === undefined || meaningOf(now, was) === meaningOf(next, rule) ? [] : [rule]))),
  }
}

/** Returns the name of a standard rule: as the profile calls it, or as the product does. */
export const nameOfKey = (key: string, rules: readonly Rule[]): string =>
  rules.find(rule => rule.system_key === key)?.name ?? STANDARD_RULES.find(rule => rule.system_key === key)?.name ?? key

/** Lists the other sites to which a person can copy a profile. */
export const otherSites = (me: Me | undefined, { site_id }: Pick<Here, 'site_id'>): { value: string; label: string }[] =>
  (me?.memberships ?? [])
    .filter(one => one.status === 'active' && one.site_id !== site_id && !one.flags.locked)
    .filter(one => one.permissions.some(permission => permission === 'clash_rule_manage'))
    .map(one => ({ value: one.site_id, label: one.site_name }))
