import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { once } from '../../../base/memo.ts'
import type { EventRow } from '../../events/door.ts'
import type { Judge } from '../../predicates/door.ts'
import type { Conditioned } from '../domain/conditions.ts'
import type { Rule } from '../domain/kinds.ts'
import { type ActiveVersion, versionsSince } from '../queries/rules.ts'
import { withGroups } from './groups.ts'
import { allShipped, idOfShipped, judgeOfRule, type Shipped } from './registry.ts'

/** Returns a standard rule with a site's changes. */
export const onSite = (
  shipped: Shipped,
  site_id: Id,
  set: { number: number; enabled: boolean; channels: Rule['channels'] } | null,
): Rule => {
  const { key, judge: _, ...content } = shipped
  return {
    ...content,
    id: idOfShipped(site_id, key),
    number: set?.number ?? 1,
    source: 'shipped',
    enabled: set?.enabled ?? shipped.enabled,
    channels: set?.channels ?? shipped.channels,
    channels_chosen: set !== null && [...set.channels].sort().join() !== [...shipped.channels].sort().join(),
    author_id: null,
  }
}

/** Returns the versions of a site’s rules that were active when an event was committed. The events of a delivery come in their order, so what was read for the first of a kind is enough for all. */
async function versionsFor(ctx: Ctx, { site_id, kind, event_no }: EventRow): Promise<ActiveVersion[]> {
  const versions = await once(ctx, `notification rules ${site_id} ${kind}`, () => versionsSince(ctx.db, site_id, kind, event_no))
  return versions.filter(({ from_event_no, to_event_no }) => from_event_no < event_no && (to_event_no === null || to_event_no >= event_no))
}

/** Returns the rules that an event triggers, in the version that was active when the event was committed (`messages.md` §0.1, 2). */
export async function firedBy(ctx: Ctx, event: EventRow, timezone: string): Promise<Rule[]> {
  const versions = await versionsFor(ctx, event)
  const candidates: { rule: Rule; judge: Judge<Conditioned> | null; asked: Id[] }[] = []
  for (const shipped of allShipped()) {
    if (shipped.event_kind !== event.kind) continue
    const id = idOfShipped(event.site_id, shipped.key)
    const set = versions.find(version => version.rule_id === id)
    const rule = onSite(shipped, event.site_id, set === undefined ? null : { number: set.number, ...set.content })
    candidates.push({ rule, judge: shipped.judge, asked: [] })
  }
  for (const { rule_id, number, content, source, author_id } of versions) {
    if (source !== 'site') continue
    const more = { id: rule_id, number, source, locked: false, link: null, may_reach_nobody: true, channels_chosen: true, author_id }
    if (content.enabled) candidates.push({ rule: { ...content, ...more }, ...judgeOfRule(`${rule_id} ${number}`, content) })
  }
  const [conditioned] = await withGroups(ctx, [event], [...new Set(candidates.flatMap(({ asked }) => asked))], event.at)
  if (conditioned === undefined) return []
  return candidates
    .filter(({ rule, judge }) => rule.enabled && judge?.(conditioned, { now: event.at, timezone }) === true)
    .map(candidate => candidate.rule)
}
