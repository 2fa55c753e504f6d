import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import type { TSchema } from '../../base/schema.ts'
import type { Ground } from '../geometry/domain/outside.ts'

export { enterSite, lockOf, siteOf, writingOn } from './actions.ts'
export { calendarOf, nextNumber, revisionOf, siteFacts } from './queries.ts'

/** What a new site has of an area: rows made in the transaction of the site, all or none. Run again after an upgrade it adds only what the site never had. */
export type Seed = {
  area: string
  run(ctx: Ctx, site_id: Id): Promise<void>
  copy?(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]>
}
/** What the law, or a legal hold, still wants kept of a site. */
export type Hold = {
  area: string
  holds(ctx: Ctx, site_id: Id): Promise<{ kind: string; id: Id; label: string; retain_until: string | null }[]>
}
/** A site setting: its shape and who may set it. */
export type Setting = { name: string; schema: TSchema; permission: string }
/** Numbers of the permits that are live, by site: lock and deletion ask it (`no_live_permits`). */
export type Liveness = (ctx: Ctx, site_ids: readonly Id[]) => Promise<Map<Id, string[]>>
/** A figure on the card of a site (`include=counts`). */
export type SiteCount = { name: 'live_permits' | 'open_alerts'; of(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, number>> }
/** What hangs on wall time and is derived again when a site's zone is corrected; answers how many instants moved (`map.md` §0.5). */
export type Rederive = (ctx: Ctx, site_id: Id, timezone: string) => Promise<number>

/** What a member's app needs to know of a site beside their rights (`auth/me`). */
export type SiteFlags = (ctx: Ctx, site_ids: readonly Id[]) => Promise<Map<Id, Record<string, unknown>>>

/** How many things of an area lie further outside of a ground than they may (`map.md` §0.2, rule 2): asked when the boundary moves. */
export type OutsideCount = { name: 'features' | 'tokens'; of(ctx: Ctx, site_id: Id, ground: Ground): Promise<number> }
/** A record whose place is only words, which nothing on the site has matched yet. */
export type UnplacedRecord = { kind: string; id: Id; label: string; location: string | null; zone: string | null; level: string | null }
/** Records that wait for their place, as far as the caller may see them: imported permits. */
export type Unplaced = (ctx: Ctx, site_id: Id) => Promise<UnplacedRecord[]>

/** All that rooms plug into a site. */
export type SitePlugs = {
  seeds: Seed[]
  holds: Hold[]
  settings: Setting[]
  liveness: Liveness[]
  counts: SiteCount[]
  rederive: Rederive[]
  flags: SiteFlags[]
  outside: OutsideCount[]
  unplaced: Unplaced[]
}

const plugs: SitePlugs = {
  seeds: [],
  holds: [],
  settings: [],
  liveness: [],
  counts: [],
  rederive: [],
  flags: [],
  outside: [],
  unplaced: [],
}

/** Plugs what all rooms have of a site in, once at start. */
export function plugSite(all: SitePlugs): void {
  Object.assign(plugs, all)
}

/** Every area's seed, in order of the rooms. */
export const allSeeds = (): readonly Seed[] => plugs.seeds
/** Every area's retention periods on a site. */
export const retentionHolds = async (ctx: Ctx, site_id: Id) => (await Promise.all(plugs.holds.map(h => h.holds(ctx, site_id)))).flat()
/** Every site setting there is. */
export const allSettings = (): readonly Setting[] => plugs.settings

/** Numbers of the live permits of sites. */
export async function livePermits(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, string[]>> {
  const live = new Map<Id, string[]>()
  for (const ask of plugs.liveness) {
    for (const [site_id, numbers] of await ask(ctx, site_ids)) live.set(site_id, [...(live.get(site_id) ?? []), ...numbers])
  }
  return live
}

/** The figures on the cards of sites. */
export async function countsOf(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, Map<SiteCount['name'], number>>> {
  const out = new Map<Id, Map<SiteCount['name'], number>>(site_ids.map(id => [id, new Map()]))
  for (const count of plugs.counts) {
    for (const [site_id, n] of await count.of(ctx, site_ids)) out.get(site_id)?.set(count.name, n)
  }
  return out
}

/** Derives again what hangs on the wall time of a site; answers how many instants moved. */
export async function recalculated(ctx: Ctx, site_id: Id, timezone: string): Promise<number> {
  let moved = 0
  for (const derive of plugs.rederive) moved += await derive(ctx, site_id, timezone)
  return moved
}

/** Flags of sites for the app, from all areas. */
export async function flagsOf(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, Record<string, unknown>>> {
  const out = new Map<Id, Record<string, unknown>>(site_ids.map(id => [id, {}]))
  for (const ask of plugs.flags) for (const [id, flags] of await ask(ctx, site_ids)) Object.assign(out.get(id) ?? {}, flags)
  return out
}

/** What of each area lies too far outside of a ground. */
export async function outsideOf(ctx: Ctx, site_id: Id, ground: Ground): Promise<Record<OutsideCount['name'], number>> {
  const found = { features: 0, tokens: 0 }
  for (const count of plugs.outside) found[count.name] += await count.of(ctx, site_id, ground)
  return found
}

/** Every record of a site that waits for its place. */
export const unplacedOn = async (ctx: Ctx, site_id: Id): Promise<UnplacedRecord[]> =>
  (await Promise.all(plugs.unplaced.map(ask => ask(ctx, site_id)))).flat()
