import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { timeOf } from '../../kit/domain/permit-sides.ts'
import { countedPermits } from '../../kit/queries/permits.ts'
import { sidesOf } from './permits.ts'

/** Returns the permits that count now or later and whose place nobody knows, so that they are compared with nothing (`conflict-and-planning.md` §4.2). */
export async function unplacedPermits(ctx: Ctx, site_id: Id): Promise<{ permit_id: Id; permit_number: string | null }[]> {
  const found = await countedPermits(ctx.db, site_id, { from: ctx.now, to: null, box: null, placeless: true })
  const rows = found.filter(row => (timeOf(row)?.to ?? 0) > ms(ctx.now))
  // Those with linked things are where these are.
  const sides = await sidesOf(ctx, site_id, rows)
  const placed = new Set(sides.filter(side => side.footprint.length > 0).map(side => side.id))
  return rows.filter(row => !placed.has(row.id)).map(row => ({ permit_id: row.id, permit_number: row.permit_number }))
}
