import type { CheckedRule } from '../../../../../shared/conflicts/check.ts'
import type { Clash } from '../../../../../shared/conflicts/clashes.ts'
import { keyOfClash } from '../../../../../shared/conflicts/episodes.ts'
import { foldClashes } from '../../../../../shared/conflicts/fold.ts'
import type { Rule, RuleContent } from '../../../../../shared/conflicts/rules.ts'
import { type Period, type Side, type SiteFacts, somewhereIn } from '../../../../../shared/conflicts/sides.ts'
import { indexOf, sweep } from '../../../../../shared/conflicts/sweep.ts'
import { explainRule } from '../../../../../shared/conflicts/words.ts'
import { DAY, instant, isLonger, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { checkedRules, type RuleRow, refsOn, ruleRow } from '../../clash-rules/door.ts'
import { shownDistance, shownSide, sidesDuring, titlesAmong, unseenPermits } from '../../clashes/door.ts'
import { ruleFrom, siteFactsOf } from '../../comparisons/door.ts'
import { draftIn, registryOf } from '../domain.ts'
import type { PreviewRule } from '../schema.ts'

const USUAL_DAYS = 7
const MOST_DAYS = 31
const SAMPLE = 50
/** The sides are read in parts of this length, so that the time can be looked at in between. */
const PART = 4 * DAY
const PATIENCE_MS = 5000

async function periodIn({ site_id, from, to }: PreviewRule, ctx: Ctx): Promise<Period> {
  const start = from ?? ctx.now
  const end = to ?? later(start, USUAL_DAYS * DAY)
  if (end <= start) refuse(invalidField('to', 'must be later than from.'))
  if (isLonger((await siteOf(ctx, site_id)).timezone, start, end, MOST_DAYS))
    refuse(invalidField('to', `is more than ${MOST_DAYS} days after from.`))
  return { from: ms(start), to: ms(end) }
}

/** Reads the sides of a period, as much of it as there is time for. */
async function sidesIn(ctx: Ctx, site_id: Id, period: Period): Promise<{ sides: Side[]; reached: number }> {
  const until = performance.now() + PATIENCE_MS
  const sides = new Map<Id, Side>()
  let reached = period.from
  while (reached < period.to && (reached === period.from || performance.now() < until)) {
    const to = Math.min(reached + PART, period.to)
    for (const side of await sidesDuring(ctx, site_id, { from: reached, to })) sides.set(side.id, side)
    reached = to
  }
  return { sides: [...sides.values()], reached }
}

/** Returns a rule with this content as the engine compares by it. */
function ruleOf(ctx: Ctx, site_id: Id, content: RuleContent, row: RuleRow | null): Promise<Rule> {
  const id = row?.id ?? ids.next()
  const { origin_id, number, name } = row ?? { origin_id: id, number: 1, name: 'Preview' }
  return ruleFrom(ctx, site_id, { id, origin_id, number, enabled: true, name, content })
}

const clashesBy = (rule: Rule, sides: readonly Side[], site: SiteFacts, period: Period, now: number): Clash[] =>
  sweep(indexOf(sides, [rule], site), period, now)

/** Returns the worst severity of each pair of lineages. */
function worstByPair(clashes: readonly Clash[]): Map<string, string> {
  const worst = new Map<string, string>()
  for (const clash of clashes) {
    const key = keyOfClash(clash)
    if (worst.get(key) !== 'red') worst.set(key, clash.severity)
  }
  return worst
}

function differing(before: readonly Clash[], after: readonly Clash[]) {
  const [was, is] = [worstByPair(before), worstByPair(after)]
  return {
    added: [...is.keys()].filter(key => !was.has(key)).length,
    removed: [...was.keys()].filter(key => !is.has(key)).length,
    changed: [...is].filter(([key, severity]) => was.has(key) && was.get(key) !== severity).length,
  }
}

const episodesOf = (fresh: readonly Clash[]): number =>
  foldClashes({
    ...{ stored: [], fresh, episodes: [], now: Number.NEGATIVE_INFINITY, newId: () => ids.next() },
    isSwept: () => true,
    reasonOf: () => 'elapsed',
  }).episodes.length

const NOTHING = {
  matches: { red: 0, amber: 0, episodes: 0, sample: [] },
  against_current: { added: 0, removed: 0, changed: 0 },
  compared: { a: 0, b: 0, all: 0 },
  partial: false,
}

const NO_RULE: CheckedRule = { content: null, reach: null, faults: [], warnings: [] }

/** Counts what there is for a rule to compare. */
function comparedOf({ a, b }: RuleContent, sides: readonly Side[]) {
  const of = (...kinds: readonly string[]) => sides.filter(({ kind }) => kinds.includes(kind)).length
  return { a: of(...a.kinds), b: of(...b.kinds), all: of(...a.kinds, ...b.kinds) }
}

async function sampleOf(ctx: Ctx, site_id: Id, clashes: readonly Clash[]) {
  const pairs = clashes.map(clash => ({ ...clash, a: { ...clash.a, types: [] }, b: { ...clash.b, types: [] } }))
  const unseen = await unseenPermits(ctx, site_id, pairs)
  const titles = await titlesAmong(ctx, site_id, pairs, unseen)
  const side = (one: (typeof pairs)[number]['a']) => {
    const { kind, id, label, title, contractor_id } = shownSide(one, unseen, titles)
    return { kind, id, label, title, contractor_id }
  }
  return pairs.map(({ a, b, severity, from, to, distance_m, nearest }) => {
    const hidden = [a, b].some(one => unseen.has(one.id))
    return {
      ...{ severity, from_at: instant(from), to_at: Number.isFinite(to) ? instant(to) : null, a: side(a), b: side(b) },
      distance_m: shownDistance(distance_m, hidden),
      nearest: hidden ? null : nearest.map(([lon, lat]) => ({ lon, lat })),
    }
  })
}

/** Shows what a rule would find. It stores nothing. */
export async function preview(ctx: Ctx, body: PreviewRule) {
  const { site_id, rule_id, definition, limit = SAMPLE, include = [] } = body
  const period = await periodIn(body, ctx)
  const current = rule_id === undefined ? null : await ruleRow(ctx.db, site_id, rule_id, false)
  if (rule_id !== undefined && (current === null || current.deleted_at !== null)) return refuse(notFound())
  const draft = definition === undefined && current !== null ? { content: current.content, faults: [] } : draftIn(definition)
  const refs = await refsOn(ctx, site_id, [draft.content])
  // The same check as that of a save, so that a rule that is shown as valid can be saved.
  const [{ content, faults, warnings, reach } = NO_RULE] = await checkedRules(ctx, site_id, [draft.content], refs)
  const found = [...draft.faults, ...faults]
  const problems = found.filter((one, i) => found.findIndex(other => other.path === one.path) === i)
  const registry = include.includes('registry') ? { registry: registryOf() } : {}
  if (problems.length > 0 || content === null)
    return { valid: false, problems, warnings: [], explanation: null, reach_m: null, ...NOTHING, ...registry }
  const { timezone, locale } = await siteOf(ctx, site_id)
  const { sides, reached } = await sidesIn(ctx, site_id, period)
  const looked = { from: period.from, to: reached }
  const site = await siteFactsOf(ctx, site_id, somewhereIn(sides))
  const now = ms(ctx.now)
  const fresh = clashesBy(await ruleOf(ctx, site_id, content, current), sides, site, looked, now)
  const before =
    current === null || !current.enabled ? [] : clashesBy(await ruleOf(ctx, site_id, current.content, current), sides, site, looked, now)
  return {
    valid: true,
    problems: [],
    warnings,
    explanation: explainRule(content, { timezone, locale, refs }),
    reach_m: reach?.metres ?? null,
    matches: {
      red: fresh.filter(one => one.severity === 'red').length,
      amber: fresh.filter(one => one.severity === 'amber').length,
      episodes: episodesOf(fresh),
      sample: await sampleOf(ctx, site_id, fresh.slice(0, limit)),
    },
    against_current: differing(before, fresh),
    compared: comparedOf(content, sides),
    partial: reached < period.to,
    ...registry,
  }
}
