import type { Clash } from '../../../../../shared/conflicts/clashes.ts'
import { conflictsOf, type PermitConflicts } from '../../../../../shared/conflicts/permit-conflicts.ts'
import { somewhereIn } from '../../../../../shared/conflicts/sides.ts'
import { indexOf, sweep } from '../../../../../shared/conflicts/sweep.ts'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { whileUnchanged } from '../../../../kernel/site/door.ts'
import { countedPermits } from '../../kit/queries/permits.ts'
import { sidesOf } from './permits.ts'
import { comparesPermits, rulesInForce, siteFactsOf } from './rules.ts'

/** All conflicts between the permits of a site. */
export type SiteConflicts = {
  /** Whether a rule looks for conflicts between permits. */
  ruled: boolean
  /** Returns what is known of a permit; null if it doesn't count. */
  of(id: Id): PermitConflicts | null
  /** The permits that count. */
  ids: readonly Id[]
}

type Found = { ruled: boolean; placed: ReadonlyMap<Id, boolean>; clashes: ReadonlyMap<Id, readonly Clash[]> }

/**
 * Returns all conflicts between the permits of a site, for lists: found once for each state of the site, and again after a minute, because conditions can ask for the time. In
 * a write they would lack what it has changed itself: `freshConflicts`.
 */
export async function siteConflicts(ctx: Ctx, site_id: Id): Promise<SiteConflicts> {
  const now = ms(ctx.now)
  const { ruled, placed, clashes } = await whileUnchanged(ctx, site_id, 'conflicts between permits', () => found(ctx, site_id, now))
  return {
    ruled,
    ids: [...placed.keys()],
    of: id => (placed.has(id) ? { placed: placed.get(id) === true, conflicts: conflictsOf(id, clashes.get(id) ?? [], now) } : null),
  }
}

async function found(ctx: Ctx, site_id: Id, now: number): Promise<Found> {
  const in_force = await rulesInForce(ctx, site_id)
  const rows = await countedPermits(ctx.db, site_id, { from: ctx.now, to: null, box: null })
  const sides = await sidesOf(ctx, site_id, rows)
  const site = await siteFactsOf(ctx, site_id, somewhereIn(sides))
  const clashes = new Map<Id, Clash[]>()
  if (comparesPermits(in_force))
    for (const clash of sweep(indexOf(sides, in_force.set, site), { from: now, to: Number.POSITIVE_INFINITY }, now))
      for (const { id } of [clash.a, clash.b]) {
        const list = clashes.get(id)
        if (list === undefined) clashes.set(id, [clash])
        else list.push(clash)
      }
  return { ruled: comparesPermits(in_force), placed: new Map(sides.map(side => [side.id, side.footprint.length > 0])), clashes }
}
