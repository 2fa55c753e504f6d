// The conflicts between permits as they are stored, for lists and badges. What a step depends on is read afresh instead: `freshConflicts`.
import type { Clash } from '../../../../../shared/conflicts/clashes.ts'
import { conflictsOf } from '../../../../../shared/conflicts/permit-conflicts.ts'
import { somewhereIn } from '../../../../../shared/conflicts/sides.ts'
import { indexOf, sweep } from '../../../../../shared/conflicts/sweep.ts'
import { type Instant, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { whileUnchanged } from '../../../../kernel/site/door.ts'
import { timeOf } from '../../kit/domain/permit-sides.ts'
import { keptOf } from '../../kit/domain/stored.ts'
import { countedPermits, permitSideRows } from '../../kit/queries/permits.ts'
import { type Badge, badgesOf, clashesBetween, reachOf } from '../queries.ts'
import { type FoundConflicts, sidesOf } from './permits.ts'
import { comparesPermits, type InForce, rulesInForce, siteFactsOf } from './rules.ts'

/**
 * Returns the conflicts after the horizon of the stored clashes: a permit can be requested for any time. Few are, so that there is seldom anything to compare; found once
 * for each state of the site, and again after a minute, because conditions can ask for the time.
 */
async function beyondHorizon(ctx: Ctx, site_id: Id, in_force: InForce): Promise<readonly Clash[]> {
  if (!comparesPermits(in_force)) return []
  const clashes = await whileUnchanged(ctx, site_id, 'conflicts between permits after the horizon', () =>
    sweptAfter(ctx, site_id, in_force),
  )
  return clashes.filter(clash => clash.to > ms(ctx.now))
}

async function sweptAfter(ctx: Ctx, site_id: Id, { set }: InForce): Promise<Clash[]> {
  const { horizon_to, more } = await reachOf(ctx.db, site_id)
  if (!more) return []
  // Where nothing was computed yet, all of it is beyond.
  const from: Instant = horizon_to === null || horizon_to < ctx.now ? ctx.now : horizon_to
  const sides = await sidesOf(ctx, site_id, await countedPermits(ctx.db, site_id, { from, to: null, box: null }))
  const site = await siteFactsOf(ctx, site_id, somewhereIn(sides))
  return sweep(indexOf(sides, set, site), { from: ms(from), to: Number.POSITIVE_INFINITY }, ms(ctx.now))
}

/** Returns what is known of the conflicts of these permits. Those that don’t count have no entry. */
export async function storedConflicts(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<FoundConflicts> {
  const now = ms(ctx.now)
  const [in_force, found] = await Promise.all([rulesInForce(ctx, site_id), permitSideRows(ctx.db, site_id, ids)])
  const rows = found.filter(row => (timeOf(row)?.to ?? now) > now)
  const ruled = comparesPermits(in_force)
  // What has a drawn place is there for its whole time; of others, the things that are linked to them and the zones and buildings say where they are.
  const undrawn = rows.filter(({ place_geometry }) => place_geometry === null || place_geometry.type === 'LineString')
  const [sides, stored, more] = await Promise.all([
    sidesOf(ctx, site_id, undrawn),
    ruled
      ? clashesBetween(
          ctx.db,
          site_id,
          rows.map(row => row.id),
          ctx.now,
        )
      : [],
    beyondHorizon(ctx, site_id, in_force),
  ])
  const unplaced = new Set(sides.filter(side => side.footprint.length === 0).map(side => side.id))
  const clashes = new Map<Id, Clash[]>()
  for (const clash of [...stored.map(keptOf), ...more])
    for (const { id } of [clash.a, clash.b]) {
      const list = clashes.get(id)
      if (list === undefined) clashes.set(id, [clash])
      else list.push(clash)
    }
  return {
    ruled,
    of: new Map(rows.map(({ id }) => [id, { placed: !unplaced.has(id), conflicts: conflictsOf(id, clashes.get(id) ?? [], now) }])),
  }
}

/** Counts with how many other permits each permit conflicts now or later, for the permits that meet a condition on `p` (`conflict-and-planning.md` §4.6). */
export async function conflictCounts(ctx: Ctx, site_id: Id, sees: ReturnType<typeof sql>): Promise<Badge[]> {
  const in_force = await rulesInForce(ctx, site_id)
  const more = await beyondHorizon(ctx, site_id, in_force)
  const also = more.map(({ a, b, severity }) => ({ a_id: a.id, b_id: b.id, severity }))
  return badgesOf(ctx.db, site_id, { now: ctx.now, sees, also })
}
