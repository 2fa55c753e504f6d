import { MINUTE, ms } from '../../../shared/time.ts'
import type { Ctx, House, SiteFacts, Work } from '../../base/ctx.ts'
import { writing } from '../../base/ctx.ts'
import { notFound, refuse, siteLocked, type Verdict } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'
import { enteredSite, siteFacts } from './queries.ts'

/** With `passes_lock`, the write is also allowed on a locked site. With `alone`, it waits for every other write on the site, and blocks new ones. */
export type Entering = { passes_lock?: boolean; alone?: boolean }

/**
 * Begins every write on a site: takes a shared lock on its row, so that a request to lock the site waits for this write, and this write sees whether
 * the site is locked. A locked site refuses writes (`site-and-people.md` §0.3) with few exceptions; a deleted one doesn't exist.
 */
export async function enterSite(ctx: Ctx, site_id: Id, { passes_lock = false, alone = false }: Entering = {}): Promise<SiteFacts> {
  const site = await enteredSite(ctx.db, site_id, alone)
  if (site === null || (site.deleted && !ctx.actor.is_superadmin)) return refuse(notFound())
  if (site.locked_at !== null && !passes_lock) refuse(siteLocked(site))
  ctx.trail.sites.add(site_id)
  ctx.site = site
  return site
}

/** Runs a write on a site outside a request: in jobs, commands and tests. */
export const writingOn = <T>(house: House, work: Work, site_id: Id, task: (ctx: Ctx) => Promise<T>, how: Entering = {}): Promise<T> =>
  writing(house, work, async ctx => {
    await enterSite(ctx, site_id, how)
    return task(ctx)
  })

/** Returns a site's facts; a read fetches them only once. */
export async function siteOf(ctx: Ctx, site_id: Id): Promise<SiteFacts> {
  if (ctx.site?.id === site_id) return ctx.site
  const site = await siteFacts(ctx.db, site_id)
  if (site === null) return refuse(notFound())
  ctx.site = site
  return site
}

/** Returns why a site other than the current one refuses writes; null if it isn't locked. */
export async function lockOf(ctx: Ctx, site_id: Id): Promise<Verdict> {
  const site = await siteFacts(ctx.db, site_id)
  return site === null || site.locked_at === null ? null : siteLocked(site)
}

type Known = { number: number; at: number; value: Promise<unknown> }
/** Values that a process remembers under a number that each request reads together with its person. Beyond `most`, the one that was stored longest ago is dropped. */
type Memory = { number: 'facts_no' | 'entries'; most: number; lasts: number; of: WeakMap<House, Map<string, Known>> }

const settled: Memory = { number: 'facts_no', most: 5000, lasts: Number.POSITIVE_INFINITY, of: new WeakMap() }
const unchanged: Memory = { number: 'entries', most: 500, lasts: MINUTE, of: new WeakMap() }

/** Returns a value that reads share until the number grows. A write always calls `ask`, because it may have changed the value itself. */
function remember<T>({ number, most, lasts, of }: Memory, ctx: Ctx, site_id: Id, key: string, ask: () => Promise<T>): Promise<T> {
  const { standing } = ctx.actor
  const current = standing?.[number]
  if (current === undefined || standing?.site_id !== site_id || ctx.trail.sites.has(site_id)) return ask()
  const known = of.get(ctx.house) ?? new Map<string, Known>()
  of.set(ctx.house, known)
  const name = `${site_id} ${key}`
  const found = known.get(name)
  const at = ms(ctx.now)
  // A request that began before the newest change gets the value after it.
  if (found !== undefined && found.number >= current && Math.abs(at - found.at) <= lasts) return found.value as Promise<T> // each key has one type
  const value = ask()
  known.delete(name)
  known.set(name, { number: current, at, value })
  value.catch(() => known.get(name)?.value === value && known.delete(name))
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return value
}

/**
 * Returns what follows from the settings of a site alone: from the site itself, its contractors and their oversight, and its permit types, policy and
 * appointments.
 * Reads share a value until one of them changes, on whichever node. No caller may change the value.
 */
export const whileSettled = <T>(ctx: Ctx, site_id: Id, key: string, ask: () => Promise<T>): Promise<T> =>
  remember(settled, ctx, site_id, key, ask)

/** Returns what follows from anything on a site. Reads share a value until the site’s history has another entry, for a minute at most. No caller may change the value. */
export const whileUnchanged = <T>(ctx: Ctx, site_id: Id, key: string, ask: () => Promise<T>): Promise<T> =>
  remember(unchanged, ctx, site_id, key, ask)
