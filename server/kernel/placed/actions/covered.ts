// What permits can cover, among what is on the map: its permits, the badges, and the filters by them (`map.md` §0.8).
import { textsIn } from '../../../../shared/narrow.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { notFound, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { coverage, isUncovered, linkOf } from '../../covers/door.ts'
import { noPermitFilter, permitFilter } from '../../covers/schema.ts'
import type { Filter } from '../../listing/door.ts'
import { aliveAt } from '../queries.ts'
import type { columnsIn } from './columns.ts'
import type { There } from './there.ts'

type Columns = ReturnType<typeof columnsIn>

/** Makes the filters of a list of what permits can cover. `there`: which of its records are there at all. */
export const coverageFilters = (there: There<never> | undefined): Record<string, Filter> => ({
  permit_id: {
    schema: permitFilter,
    column: 'id',
    where: (_column, permit_ids) => sql`exists (select 1 ${linkOf} and l.permit_id = any(${permit_ids}::uuid[]))`,
  },
  no_permit: {
    schema: noPermitFilter,
    column: 'id',
    where: (_column, wanted, { now }) =>
      sql`(${aliveAt(now)} ${there === undefined ? sql`` : sql`and ${there.where(now, now)}`} and ${isUncovered}) = ${wanted}`,
  },
})

/** Refuses a filter by permits of which the caller doesn’t see one. */
export async function seesPermitOf(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<void> {
  for (const permit_id of textsIn(query.permit_id)) if (!(await coverage().sees(ctx, site_id, permit_id))) refuse(notFound())
}

/** Returns the computed fields of what permits can cover. */
export async function coverageOf(ctx: Ctx, rows: readonly Columns[], at: Instant): Promise<Record<string, unknown>[]> {
  const [first] = rows
  if (first === undefined) return []
  const found = await coverage().read(ctx, first.site_id, rows, at)
  return rows.map(row => found.get(row.id) ?? { permits: [], no_permit: false, live_permit: false })
}
