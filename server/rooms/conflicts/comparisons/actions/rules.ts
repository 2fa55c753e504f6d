import { compileRules, type RuleSet } from '../../../../../shared/conflicts/compile.ts'
import { pairSubject } from '../../../../../shared/conflicts/pair.ts'
import type { Rule } from '../../../../../shared/conflicts/rules.ts'
import type { SiteFacts } from '../../../../../shared/conflicts/sides.ts'
import type { LonLat } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { scopeOf } from '../../../../kernel/access/domain.ts'
import { oversightOn } from '../../../../kernel/access/door.ts'
import { siteOf, whileSettled, whileUnchanged } from '../../../../kernel/site/door.ts'
import { expandGroups } from '../../../site/smart-groups/door.ts'
import { activeProfileId, activeRules, type RuleRow } from '../../clash-rules/door.ts'
import { middleOfSite } from '../../kit/queries/permits.ts'

/** The rules of a site that are switched on in its active profile, with the conditions of smart groups in them. */
export type InForce = {
  rules: Rule[]
  set: RuleSet
  profile_id: Id | null
  /** All rules of the profile, as they are stored. */
  rows: readonly RuleRow[]
}

/** Compiled sets by their rules. A set is small; a process rarely needs more than a few at a time. */
const compiled = new Map<string, RuleSet>()
const MOST_SETS = 50

function setOf(rules: Rule[]): RuleSet {
  const key = JSON.stringify(rules)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const made = compileRules(rules)
  if (compiled.size >= MOST_SETS) compiled.clear()
  compiled.set(key, made)
  return made
}

/** Returns a rule as the engine compares by it: with the conditions of the smart groups in it. */
export async function ruleFrom(
  ctx: Ctx,
  site_id: Id,
  { id, origin_id, number, enabled, name, content }: Pick<RuleRow, 'id' | 'origin_id' | 'number' | 'enabled' | 'name' | 'content'>,
): Promise<Rule> {
  const { when } = content
  const expanded = JSON.stringify(when).includes('group_ids') ? await expandGroups(ctx, site_id, pairSubject, when) : when
  return { ...content, id, origin_id, version: number, enabled, name, when: expanded }
}

/** Returns the rules that are active on a site now. Reads share them until something on the site changes. */
export const rulesInForce = (ctx: Ctx, site_id: Id): Promise<InForce> =>
  whileUnchanged(ctx, site_id, 'clash rules', () => rulesOn(ctx, site_id))

async function rulesOn(ctx: Ctx, site_id: Id): Promise<InForce> {
  // Each step of a permit asks for them: their profile is only asked for if it has none.
  const rows = await activeRules(ctx.db, site_id)
  const profile_id = rows[0]?.profile_id ?? (await activeProfileId(ctx.db, site_id))
  const rules = await Promise.all(rows.filter(row => row.enabled).map(row => ruleFrom(ctx, site_id, row)))
  return { rules, set: setOf(rules), profile_id, rows }
}

/** Returns whether any of these rules compares permits with each other; if none does, permits have no conflicts, and the app says so. */
export const comparesPermits = ({ rules }: InForce): boolean =>
  rules.some(({ a, b }) => a.kinds.includes('permit') && b.kinds.includes('permit'))

/**
 * Returns what rules can ask about a site. `somewhere` is where its things are, in case nobody has drawn the site yet: distances are exact within 10 km of the centre.
 */
export async function siteFactsOf(ctx: Ctx, site_id: Id, somewhere: LonLat | null): Promise<SiteFacts> {
  const [{ timezone }, middle, oversees] = await Promise.all([
    siteOf(ctx, site_id),
    middleOfSite(ctx.db, site_id),
    whileSettled(ctx, site_id, 'oversight of conflicts', () => overseenOn(ctx, site_id)),
  ])
  return { timezone, centre: middle ?? somewhere ?? { lon: 0, lat: 0 }, oversees, dependents: new Map() }
}

async function overseenOn(ctx: Ctx, site_id: Id): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const { pairs, transitive } = await oversightOn(ctx, site_id)
  const overseers = [...new Set(pairs.map(pair => pair.overseer_id))]
  return new Map(overseers.map(id => [id, [...scopeOf(id, pairs, transitive).keys()].filter(other => other !== id)]))
}
