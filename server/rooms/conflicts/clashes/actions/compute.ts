// Computes the clashes of what has changed on a site, or all of them, and stores the difference (`conflict-and-planning.md` §4.3).
import type { Clash } from '../../../../../shared/conflicts/clashes.ts'
import { endReasonOf } from '../../../../../shared/conflicts/ends.ts'
import { type Kept, keyOfClash } from '../../../../../shared/conflicts/episodes.ts'
import { type Folded, foldClashes } from '../../../../../shared/conflicts/fold.ts'
import { type Period, somewhereIn } from '../../../../../shared/conflicts/sides.ts'
import { indexOf, type SideIndex, sweep, sweepOne } from '../../../../../shared/conflicts/sweep.ts'
import { DAY, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { type Id, ids as newIds } from '../../../../base/ids.ts'
import { type InForce, rulesInForce, siteFactsOf } from '../../comparisons/door.ts'
import { takeClashes } from '../../kit/actions/tasks.ts'
import { episodeOf, keptOf } from '../../kit/domain/stored.ts'
import { closedOut, keepLinks, profilesOf } from '../queries/changed.ts'
import { type Key, keepState, liveClashes, liveOfEpisodes, lockEpisodes, type SiteState, siteState } from '../queries/store.ts'
import { sidesAround, sidesById, sidesDuring } from './sides.ts'
import { writeFolded } from './write.ts'

/** How far ahead clashes are known. */
export const HORIZON = 90 * DAY

/** What is computed: the clashes of these sides, or all of them. */
export type Scope = { ids: readonly Id[] } | 'all'

/** Makes the work on a site's clashes one at a time, and returns how far they are known; null before the first time. */
export async function takeSite(ctx: Ctx, site_id: Id): Promise<SiteState | null> {
  await takeClashes(ctx, site_id)
  return siteState(ctx.db, site_id)
}

/** What was read and found, before anything is compared with what is stored. */
type Found = { index: SideIndex; fresh: Clash[]; in_force: InForce }

function freshOf(index: SideIndex, scope: Scope, period: Period, now: number): Clash[] {
  if (scope === 'all') return sweep(index, period, now)
  const found = new Map<string, Clash>()
  for (const id of scope.ids)
    for (const clash of sweepOne(index, id, period, now))
      found.set(`${clash.origin_id} ${[clash.a.id, clash.b.id].sort().join(' ')} ${clash.from}`, clash)
  return [...found.values()]
}

/** Reads the sides and finds their clashes. `others`: ids of sides that are needed besides, to say why a clash has ended. */
export async function findClashes(
  ctx: Ctx,
  site_id: Id,
  scope: Scope,
  state: SiteState,
  others: readonly Id[] = [],
): Promise<Found & { state: SiteState }> {
  const now = ms(ctx.now)
  const period = { from: now, to: ms(state.horizon_to) }
  const in_force = await rulesInForce(ctx, site_id)
  const own = scope === 'all' ? await sidesDuring(ctx, site_id, period) : await sidesById(ctx, site_id, scope.ids)
  const known = new Set(own.map(side => side.id))
  const around = scope === 'all' ? [] : await sidesAround(ctx, site_id, own, in_force.set, period)
  const sides = [...own, ...around.filter(side => !known.has(side.id))]
  for (const { id } of sides) known.add(id)
  const more = await sidesById(
    ctx,
    site_id,
    others.filter(id => !known.has(id)),
  )
  // Distances must not depend on what was read, so the place near which they are measured is kept until someone draws the site.
  const at = state.lon === null || state.lat === null ? somewhereIn(sides) : { lon: state.lon, lat: state.lat }
  const site = await siteFactsOf(ctx, site_id, at)
  const index = indexOf([...sides, ...more], in_force.set, site)
  return { index, in_force, fresh: freshOf(index, scope, period, now), state: { ...state, lon: at?.lon ?? null, lat: at?.lat ?? null } }
}

const keysOf = (clashes: readonly Clash[]): Key[] =>
  [...new Set(clashes.map(keyOfClash))].map(key => {
    const [origin_id = '', lineage_a = '', lineage_b = ''] = key.split(' ')
    return { origin_id, lineage_a, lineage_b }
  })

/** Says why stored clashes are no longer found. */
async function reasonsFor(
  ctx: Ctx,
  site_id: Id,
  { index, in_force: { profile_id, rows: rules } }: Found,
  stored: readonly Kept[],
): Promise<(clash: Kept) => ReturnType<typeof endReasonOf>> {
  const permits = stored.flatMap(({ a, b }) => [a, b].flatMap(({ kind, id }) => (kind === 'permit' ? id : [])))
  const closed = await closedOut(ctx.db, site_id, [...new Set(permits)])
  const profiles = await profilesOf(ctx.db, site_id, [...new Set(stored.map(clash => clash.rule_id))])
  const byOrigin = new Map(
    rules.map(({ origin_id, enabled, number, content }) => [
      origin_id,
      { enabled, version: number, time_buffer_minutes: content.time_buffer_minutes },
    ]),
  )
  const sides = new Map([...index.sides].map(([id, { side }]) => [id, side]))
  return clash =>
    endReasonOf(clash, {
      rules: byOrigin,
      is_switched: profiles.get(clash.rule_id) !== profile_id,
      sides,
      isClosedOut: id => closed.has(id),
    })
}

/**
 * Computes and stores the difference. `episode_ids`: episodes at which the clock has to look. The caller has taken the site. Returns what changed.
 */
export async function compute(
  ctx: Ctx,
  site_id: Id,
  known: SiteState | null,
  scope: Scope,
  episode_ids: readonly Id[] = [],
): Promise<Folded> {
  const wanted: Scope = known === null ? 'all' : scope
  const before: SiteState = known ?? { horizon_to: later(ctx.now, HORIZON), lon: null, lat: null, followed_to: ctx.now }
  const swept = new Set(wanted === 'all' ? [] : wanted.ids)
  const stored = await liveClashes(ctx.db, site_id, ctx.now, wanted === 'all' ? null : wanted.ids)
  const counterparts = stored.flatMap(({ a, b }) => [a.id, b.id])
  const found = await findClashes(ctx, site_id, wanted, before, [...new Set(counterparts)])
  const { index, fresh, state } = found
  if (known === null || state.lon !== before.lon || state.lat !== before.lat) await keepState(ctx.db, site_id, state)
  const touched = new Set([...stored.map(row => row.episode_id), ...episode_ids])
  const rows = await lockEpisodes(ctx.db, site_id, [...touched], keysOf(fresh), ctx.now)
  const all = new Map(stored.map(row => [row.id, row]))
  for (const row of await liveOfEpisodes(
    ctx.db,
    site_id,
    ctx.now,
    rows.map(row => row.id),
  ))
    all.set(row.id, row)
  const kept = [...all.values()].map(keptOf)
  const folded = foldClashes({
    stored: kept,
    fresh,
    episodes: rows.map(episodeOf),
    now: ms(ctx.now),
    isSwept: clash => wanted === 'all' || swept.has(clash.a.id) || swept.has(clash.b.id),
    reasonOf: await reasonsFor(ctx, site_id, found, kept),
    newId: () => newIds.next(),
  })
  await writeFolded(ctx, site_id, { folded, rows, kept, index })
  await keepLinksOf(ctx, site_id, index, wanted)
  return folded
}

/** Remembers what the permits that were computed cover. */
async function keepLinksOf(ctx: Ctx, site_id: Id, { sides }: SideIndex, scope: Scope): Promise<void> {
  const permits = [...sides.values()].map(one => one.side).filter(side => side.kind === 'permit')
  const own = scope === 'all' ? permits : permits.filter(side => scope.ids.includes(side.id))
  const links = own.flatMap(({ id, linked_ids = [] }) => linked_ids.map(entity_id => ({ permit_id: id, entity_id })))
  if (scope === 'all' || own.length > 0) await keepLinks(ctx.db, site_id, scope === 'all' ? null : own.map(side => side.id), links)
}
