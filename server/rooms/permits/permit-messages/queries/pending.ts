import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'

/** A permit that waits for one person: for their countersignature or corrections, or for a decision on its extension request. */
export type PendingRow = PermitRow & {
  waits_for: 'countersign' | 'corrections' | 'extension'
  asked_at: string | null
  asked_end_at: string | null
}

/** Returns the permits of a site that wait for this person as receiver or requestor, and every one with an open extension request. */
export async function pendingRows(db: Db, site_id: Id, user_id: Id): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select p.*, 'countersign' as waits_for, null::timestamptz(3) as asked_at, null::timestamptz(3) as asked_end_at from permit p
      where p.site_id = ${site_id} and p.status = 'approved' and p.issue_signed_at is not null and p.receiver_id = ${user_id}
    union all
    select p.*, 'corrections', null, null from permit p
      where p.site_id = ${site_id} and p.status = 'corrections_requested' and p.requestor_id = ${user_id}
    union all
    select p.*, 'extension', e.requested_at, e.requested_end_at from permit_extension e join permit p on p.site_id = e.site_id and p.id = e.permit_id
      where e.site_id = ${site_id} and e.status = 'requested' and p.status = 'issued'`.execute(db)
  return rows
}

/** Lists the receivers and requestors of these permits. */
export async function peopleOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Id[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ user_id: Id }>`
    select distinct u.user_id from permit p cross join lateral unnest(array[p.receiver_id, p.requestor_id]) u (user_id)
    where p.site_id = ${site_id} and p.id = any(${ids}::uuid[]) and u.user_id is not null`.execute(db)
  return rows.map(row => row.user_id)
}
