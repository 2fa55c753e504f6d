import { conflictsOf, type PermitConflicts } from '../../../../../shared/conflicts/permit-conflicts.ts'
import { boxOf, type Side, somewhereIn } from '../../../../../shared/conflicts/sides.ts'
import { indexOf, type SideIndex, sweepOne } from '../../../../../shared/conflicts/sweep.ts'
import { widened } from '../../../../../shared/geometry/plane.ts'
import { type Instant, instant, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { boxAround } from '../../../../kernel/placed/domain.ts'
import { namedBy, type PermitSideRow, permitSide, timeOf } from '../../kit/domain/permit-sides.ts'
import { countedPermits, linkedThings, permitSideRows, shapesNamed } from '../../kit/queries/permits.ts'
import { comparesPermits, type InForce, rulesInForce, siteFactsOf } from './rules.ts'

/** Makes the sides of permits, with the things that are linked to them. */
export async function sidesOf(ctx: Ctx, site_id: Id, rows: readonly PermitSideRow[]): Promise<Side[]> {
  const ids = rows.map(row => row.id)
  const linked = await linkedThings(ctx.db, site_id, ids, ctx.now)
  const shapes = await shapesNamed(ctx.db, site_id, namedBy(rows, linked), ctx.now)
  const byPermit = Map.groupBy(linked, one => one.permit_id)
  return rows.map(row => permitSide(row, byPermit.get(row.id) ?? [], shapes))
}

/** A permit whose conflicts are asked for: as it is stored, or as someone might change it. */
export type Subject = PermitSideRow

/** Permits with everything that could conflict with them. */
export type Compared = { index: SideIndex; in_force: InForce; subjects: readonly Side[] }

/** Returns the time in which something could conflict with these, as instants; the end is null while it is open. */
function periodOf(sides: readonly Side[], margin: number): { from: Instant; to: Instant | null } | null {
  const stretches = sides.flatMap(side => side.footprint)
  if (stretches.length === 0) return null
  const from = stretches.reduce((least, one) => Math.min(least, one.from), Number.POSITIVE_INFINITY) - margin
  const to = stretches.reduce((most, one) => Math.max(most, one.to), Number.NEGATIVE_INFINITY) + margin
  return { from: instant(from), to: Number.isFinite(to) ? instant(to) : null }
}

/**
 * Reads everything that could conflict with these permits and hasn't ended, afresh. `margin`: what else is read, because someone might move
 * a permit there: before and after its time, in milliseconds, and around its place, in metres.
 */
export async function comparedWith(
  ctx: Ctx,
  site_id: Id,
  rows: readonly Subject[],
  margin: { time: number; metres: number } = { time: 0, metres: 0 },
): Promise<Compared> {
  const [in_force, subjects] = await Promise.all([rulesInForce(ctx, site_id), sidesOf(ctx, site_id, rows)])
  const boxes = subjects.flatMap(side => side.footprint.map(({ ground }) => boxOf(ground)))
  const site = await siteFactsOf(ctx, site_id, somewhereIn(subjects))
  const compared = { index: indexOf(subjects, in_force.set, site), in_force, subjects }
  if (boxes.length === 0 || !comparesPermits(in_force)) return compared
  const { set } = in_force
  const period = periodOf(subjects, margin.time + 2 * set.buffer)
  if (period === null) return compared
  const reach = Math.max(0, ...set.reaches)
  const from = period.from > ctx.now ? period.from : ctx.now
  // Zones can be larger than any reach, so a rule that looks for them needs everything.
  const box = set.zones.includes(true) ? null : widened(boxAround(boxes), reach + margin.metres + 1)
  const own = new Set(rows.map(row => row.id))
  const others = (await countedPermits(ctx.db, site_id, { ...period, from, box })).filter(row => !own.has(row.id))
  for (const side of await sidesOf(ctx, site_id, others)) compared.index.put(side)
  return compared
}

/** Returns the conflicts of one of the permits that were compared. */
export function conflictsIn({ index }: Pick<Compared, 'index'>, side: Side, now: Instant): PermitConflicts {
  const clashes = sweepOne(index, side.id, { from: ms(now), to: Number.POSITIVE_INFINITY }, ms(now))
  return { placed: side.footprint.length > 0, conflicts: conflictsOf(side.id, clashes, ms(now)) }
}

/** What is known about the conflicts of permits, and whether a rule looks for them. */
export type FoundConflicts = { ruled: boolean; of: ReadonlyMap<Id, PermitConflicts> }

/** Returns what conflicts with these permits now, read afresh: in a write, with everything that the write has changed. Permits that don't count have no entry. */
export async function freshConflicts(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<FoundConflicts> {
  const now = ms(ctx.now)
  const rows = await permitSideRows(ctx.db, site_id, ids)
  const compared = await comparedWith(
    ctx,
    site_id,
    rows.filter(row => (timeOf(row)?.to ?? now) > now),
  )
  return {
    ruled: comparesPermits(compared.in_force),
    of: new Map(compared.subjects.map(side => [side.id, conflictsIn(compared, side, ctx.now)])),
  }
}
