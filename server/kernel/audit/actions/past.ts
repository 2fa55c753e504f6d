import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type AnyRow, type Kind, rowFrom, rowOf } from '../../records/door.ts'
import { lastValues } from '../queries.ts'

/** Returns a record that no longer exists: one that is only marked as deleted, or its last state if it has no row. */
export async function lastState(ctx: Ctx, kind: Kind, site_id: Id, id: Id): Promise<AnyRow | null> {
  const row = await rowOf(ctx.db, kind.table, kind.platform ? null : site_id, id, false)
  if (row !== null) return row
  const values = await lastValues(ctx.db, site_id, kind.name, id)
  if (values === null) return null
  // Who sees a record doesn't depend on person data, which is encrypted here.
  for (const field of kind.personal) values[field] = null
  return rowFrom(ctx.db, kind.table, { ...values, id, site_id })
}

/** Returns the record, also one that is only marked as deleted, or its last state if it no longer has a row. */
export const asItWas = async (ctx: Ctx, kind: Kind, site_id: Id, id: Id): Promise<AnyRow | null> =>
  (await kind.find(ctx, site_id, id, false)) ?? (await lastState(ctx, kind, site_id, id))
