import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import type { TSchema } from '../../base/schema.ts'

export { enterSite, siteLocked, siteOf, writingOn } from './actions.ts'
export { calendarOf, lockedSite, nextNumber, revisionOf, siteFacts } from './queries.ts'

/** What a new site has of an area: rows made in the transaction of the site, all or none. Run again after an upgrade it adds only what the site never had. */
export type Seed = { area: string; run(ctx: Ctx, site_id: Id): Promise<void>; copy?(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]> }
/** What the law, or a legal hold, still wants kept of a site. */
export type Hold = { area: string; holds(ctx: Ctx, site_id: Id): Promise<{ kind: string; id: Id; label: string; retain_until: string | null }[]> }
/** A site setting: its shape and who may set it. */
export type Setting = { name: string; schema: TSchema; permission: string }
/** What still lives on a site, as lock and deletion ask (`no_live_permits`). */
export type Liveness = (ctx: Ctx, site_id: Id) => Promise<{ permit_numbers: string[] }>

const seeds: Seed[] = []
const holds: Hold[] = []
const settings: Setting[] = []
let liveness: Liveness = async () => ({ permit_numbers: [] })

/** Plugs what all rooms have of a site in, once at start. */
export function plugSite(all: { seeds: readonly Seed[]; holds: readonly Hold[]; settings: readonly Setting[]; liveness?: Liveness }): void {
  seeds.splice(0, seeds.length, ...all.seeds)
  holds.splice(0, holds.length, ...all.holds)
  settings.splice(0, settings.length, ...all.settings)
  liveness = all.liveness ?? (async () => ({ permit_numbers: [] }))
}

/** Every area's seed, in order of the rooms. */
export const allSeeds = (): readonly Seed[] => seeds
/** Every area's retention holds on a site. */
export const retentionHolds = async (ctx: Ctx, site_id: Id) => (await Promise.all(holds.map(h => h.holds(ctx, site_id)))).flat()
/** Every site setting there is. */
export const allSettings = (): readonly Setting[] => settings
/** Numbers of the permits that are live on a site. */
export const livePermits = (ctx: Ctx, site_id: Id) => liveness(ctx, site_id)
