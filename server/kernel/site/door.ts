import type { Ctx } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import type { FieldFault } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'
import type { TSchema } from '../../base/schema.ts'
import type { Ground } from '../geometry/domain/outside.ts'
import { hold } from '../records/door.ts'
import { insertSeeds, type SeededKey, seedsOf, sitesWithoutSeeds } from './queries.ts'

export { enterSite, lockOf, siteOf, whileSettled, whileUnchanged, writingOn } from './actions.ts'
export { attentionOf } from './domain.ts'
export {
  belongsTo,
  calendarOf,
  countByContractor,
  type LedPeriod,
  lastBeforeSeal,
  lastNumber,
  ledBy,
  nextNumber,
  nextReference,
  ownerThen,
  revisionOf,
  siteFacts,
} from './queries.ts'

/**
 * What an area gives to a site, by key: everything in the transaction that creates the site, and after an upgrade what the site never had, so that nothing
 * that people deleted comes back (`site-and-people.md` §1). What is there already stays as it is. Without keys, a site gets it only when it is created.
 */
export type Seed = {
  area: string
  keys: readonly string[]
  run?(ctx: Ctx, site_id: Id, fresh: { keys: readonly string[]; new_site: boolean }): Promise<void>
  /** Gives a new site what another one has; returns what was switched off and why, because it refers to what only the other site has. */
  copy?(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]>
}
/** Records of a site that the law or a legal hold still requires us to keep. */
export type Hold = {
  area: string
  holds(ctx: Ctx, site_id: Id): Promise<{ kind: string; id: Id; label: string; retain_until: string | null }[]>
}
/** A site setting: its schema, and the permission to change it. */
export type Setting = { name: string; schema: TSchema; permission: string }
/** Returns the numbers of live permits, by site. Locking and deleting a site check them (`no_live_permits`). */
export type Liveness = (ctx: Ctx, site_ids: readonly Id[], most: number | null) => Promise<Map<Id, string[]>>
/** A count on the card of a site (`include=counts`). */
export type SiteCount = { name: 'live_permits' | 'open_alerts'; of(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, number>> }
/** Recomputes everything that depends on wall-clock time, after a site's time zone is corrected; returns how many instants changed (`map.md` §0.5). */
export type Rederive = (ctx: Ctx, site_id: Id, timezone: string) => Promise<number>

/** Returns what a member's app needs to know about a site, in addition to their permissions (`auth/me`). */
export type SiteFlags = (ctx: Ctx, site_ids: readonly Id[]) => Promise<Map<Id, Record<string, unknown>>>

/** Counts an area's records that are too far outside the site (`map.md` §0.2, rule 2). Called when the boundary changes. */
export type OutsideCount = { name: 'features' | 'tokens'; of(ctx: Ctx, site_id: Id, ground: Ground): Promise<number> }
/** A record whose place is described in words only, which match nothing on the site yet. */
export type UnplacedRecord = { kind: string; id: Id; label: string; location: string | null; zone: string | null; level: string | null }
/** Lists the records that the caller can see and that have no place on the map: imported permits. */
export type Unplaced = (ctx: Ctx, site_id: Id) => Promise<UnplacedRecord[]>

/** Returns the faults of a pin, below `path`: a place on the plan, on a level of a building if it has one. */
export type PinCheck = (ctx: Ctx, site_id: Id, pin: { feature_id: Id; level_index: number | null }, path: string) => Promise<FieldFault[]>

/** Everything that rooms register for sites. */
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
  pins: PinCheck[]
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
  pins: [],
}

/** Registers what all rooms have for sites, once, at startup. */
export function plugSite(all: SitePlugs): void {
  Object.assign(plugs, all)
}

/** Gives a new site what every area has for it, or a copy of another site's; returns what points to people, places or records that the new site doesn't have. */
export async function seedNewSite(ctx: Ctx, site_id: Id, from_site_id: Id | null): Promise<string[]> {
  const attention: string[] = []
  for (const seed of plugs.seeds) {
    if (from_site_id !== null && seed.copy !== undefined) attention.push(...(await seed.copy(ctx, site_id, from_site_id)))
    else await seed.run?.(ctx, site_id, { keys: seed.keys, new_site: true })
  }
  await insertSeeds(ctx.db, site_id, allKeys())
  return attention
}

/** Gives a site what it never had, because it is older than this version; returns how many keys it got. */
export async function seedOldSite(ctx: Ctx, site_id: Id): Promise<number> {
  await hold(ctx, 'site seeds', site_id)
  const had = await seedsOf(ctx.db, site_id)
  const fresh: SeededKey[] = []
  for (const { area, keys, run } of plugs.seeds) {
    const missing = keys.filter(key => !had.some(one => one.area === area && one.key === key))
    if (missing.length > 0) await run?.(ctx, site_id, { keys: missing, new_site: false })
    fresh.push(...missing.map(key => ({ area, key })))
  }
  await insertSeeds(ctx.db, site_id, fresh)
  return fresh.length
}

const allKeys = () => plugs.seeds.flatMap(({ area, keys }) => keys.map(key => ({ area, key })))
/** Lists the sites that never had something that a new site has. */
export const sitesToSeed = (db: Db): Promise<Id[]> => sitesWithoutSeeds(db, allKeys())
/** Returns the retention periods of all areas on a site. */
export const retentionHolds = async (ctx: Ctx, site_id: Id) => (await Promise.all(plugs.holds.map(h => h.holds(ctx, site_id)))).flat()

/** Returns the numbers of the live permits of sites, at most `most` of each; all of them if it is null. */
export async function livePermits(ctx: Ctx, site_ids: readonly Id[], most: number | null): Promise<Map<Id, string[]>> {
  const live = new Map<Id, string[]>()
  if (site_ids.length === 0) return live
  for (const ask of plugs.liveness) {
    for (const [site_id, numbers] of await ask(ctx, site_ids, most)) live.set(site_id, [...(live.get(site_id) ?? []), ...numbers])
  }
  return live
}

/** Returns the counts on the cards of sites. */
export async function countsOf(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, Map<SiteCount['name'], number>>> {
  const out = new Map<Id, Map<SiteCount['name'], number>>(site_ids.map(id => [id, new Map()]))
  for (const count of plugs.counts) {
    for (const [site_id, n] of await count.of(ctx, site_ids)) out.get(site_id)?.set(count.name, n)
  }
  return out
}

/** Recomputes everything that depends on the wall-clock time of a site; returns how many instants changed. */
export async function recalculated(ctx: Ctx, site_id: Id, timezone: string): Promise<number> {
  let moved = 0
  for (const derive of plugs.rederive) moved += await derive(ctx, site_id, timezone)
  return moved
}

/** Returns the flags of sites for the app, from all areas. */
export async function flagsOf(ctx: Ctx, site_ids: readonly Id[]): Promise<Map<Id, Record<string, unknown>>> {
  const out = new Map<Id, Record<string, unknown>>(site_ids.map(id => [id, {}]))
  for (const ask of plugs.flags) for (const [id, flags] of await ask(ctx, site_ids)) Object.assign(out.get(id) ?? {}, flags)
  return out
}

/** Counts the records of each area that are too far outside the site. */
export async function outsideOf(ctx: Ctx, site_id: Id, ground: Ground): Promise<Record<OutsideCount['name'], number>> {
  const found = { features: 0, tokens: 0 }
  for (const count of plugs.outside) found[count.name] += await count.of(ctx, site_id, ground)
  return found
}

/** Lists every record of a site that has no place on the map yet. */
export const unplacedOn = async (ctx: Ctx, site_id: Id): Promise<UnplacedRecord[]> =>
  (await Promise.all(plugs.unplaced.map(ask => ask(ctx, site_id)))).flat()

/** Returns the faults of a pin on a site, below `path`. */
export const pinFaults = async (ctx: Ctx, site_id: Id, pin: Parameters<PinCheck>[2], path: string): Promise<FieldFault[]> =>
  (await Promise.all(plugs.pins.map(check => check(ctx, site_id, pin, path)))).flat()
