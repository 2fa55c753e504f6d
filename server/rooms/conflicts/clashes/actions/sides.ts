// The sides of a site: everything that the rules compare, read from the rows as they are committed.
import { kindNumber, type RuleSet } from '../../../../../shared/conflicts/compile.ts'
import { boxOf, type Period, type Side } from '../../../../../shared/conflicts/sides.ts'
import { widened } from '../../../../../shared/geometry/plane.ts'
import { instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { boxAround } from '../../../../kernel/placed/domain.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { sidesOf } from '../../comparisons/door.ts'
import { thingSide } from '../../kit/domain/thing-sides.ts'
import { countedPermits, permitSideRows } from '../../kit/queries/permits.ts'
import { thingRows, type WantedThings } from '../../kit/queries/things.ts'

async function things(ctx: Ctx, site_id: Id, wanted: WantedThings): Promise<Side[]> {
  const { timezone } = await siteOf(ctx, site_id)
  return (await thingRows(ctx.db, site_id, wanted, ctx.now)).map(row => thingSide(row, timezone, ctx.now))
}

/** Returns the sides with these ids, whenever they are there. Those that no longer exist are left out. */
export async function sidesById(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Side[]> {
  if (ids.length === 0) return []
  const permits = await sidesOf(ctx, site_id, await permitSideRows(ctx.db, site_id, ids))
  // A draft counts only for its owner, and is never stored.
  const counted = permits.filter(side => !side.facts.permit_statuses.includes('draft'))
  return [...counted, ...(await things(ctx, site_id, { ids }))]
}

/** Returns every side of a site that is there at some time of a period. */
export async function sidesDuring(ctx: Ctx, site_id: Id, { from, to }: Period): Promise<Side[]> {
  const period = { from: instant(from), to: instant(to) }
  const permits = await sidesOf(ctx, site_id, await countedPermits(ctx.db, site_id, { ...period, box: null }))
  return [...permits, ...(await things(ctx, site_id, { ...period, near: null }))]
}

/** Returns every side that a rule may compare with these in a period: near enough in place and time. */
export async function sidesAround(ctx: Ctx, site_id: Id, sides: readonly Side[], rules: RuleSet, period: Period): Promise<Side[]> {
  const stretches = sides.flatMap(side => side.footprint)
  const boxes = stretches.map(({ ground }) => boxOf(ground))
  const from = Math.max(period.from, Math.min(...stretches.map(one => one.from)) - 2 * rules.buffer) - rules.buffer
  const to = Math.min(period.to, Math.max(...stretches.map(one => one.to)) + 2 * rules.buffer) + rules.buffer
  if (stretches.length === 0 || from >= to) return []
  const reach = Math.max(0, ...sides.map(side => rules.reaches[kindNumber(side.kind)] ?? 0))
  const box = widened(boxAround(boxes), reach + 1)
  const zoned = rules.zones.includes(true)
  const zone_ids = zoned ? [...new Set(stretches.flatMap(one => one.zone_ids))] : []
  const [, south, , north] = box
  const lat = 1 / 111_000
  const metre = { lat, lon: lat / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180) }
  const times = { from: instant(from), to: instant(to) }
  const found = await things(ctx, site_id, { ...times, near: { box, metre, zone_ids } })
  if ((rules.reaches[kindNumber('permit')] ?? -1) < 0) return found
  const permits = await countedPermits(ctx.db, site_id, { ...times, box: zoned ? null : box })
  return [...found, ...(await sidesOf(ctx, site_id, permits))]
}
