// What other rooms ask about permits: which of a site are live, and what a person is responsible for.
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import { countByContractor } from '../../../../kernel/site/door.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'

/** Returns the numbers of the live permits that were applied for, at most `most` of each site; all of them if it is null. */
export async function liveNumbers(db: Db, site_ids: readonly Id[], most: number | null): Promise<Map<Id, string[]>> {
  const { rows } = await sql<{ site_id: Id; numbers: string[] }>`
    select s.site_id, array(select n.permit_number from (select p.permit_number from permit p
      where p.site_id = s.site_id and p.status in ('issued', 'expired') and p.source = 'requested' limit ${most}::bigint) n order by n.permit_number) as numbers
    from unnest(${site_ids}::uuid[]) s (site_id)`.execute(db)
  return new Map(rows.map(row => [row.site_id, row.numbers]))
}

/** Counts the live permits, by site, imported ones too. */
export async function liveCounts(db: Db, site_ids: readonly Id[]): Promise<Map<Id, number>> {
  const { rows } = await sql<{
    site_id: Id
    n: number
  }>`select site_id, count(*) as n from permit where ${among('site_id', site_ids, 'uuid')} and status in ('issued', 'expired') group by site_id`.execute(
    db,
  )
  return new Map(rows.map(row => [row.site_id, row.n]))
}

/** Counts the live permits of contractors of a site; one without a contractor is the main contractor's of its time. */
export const liveOf = (db: Db, site_id: Id, contractor_ids: readonly Id[]): Promise<Map<Id, number>> =>
  countByContractor(db, 'permit', site_id, contractor_ids, sql`t.status in ('issued', 'expired')`)

/** Returns people's duties that need a successor when they leave: open permits with them as the receiver, and types with no other appointed person. */
export async function dutiesIn(
  db: Db,
  people: readonly { site_id: Id; user_id: Id }[],
): Promise<{ received: PermitRow['permit_number'][]; only_issuer_of: string[] }[]> {
  const { rows } = await sql<{ received: PermitRow['permit_number'][]; only_issuer_of: string[] }>`
    select
      coalesce((select array_agg(coalesce(permit_number, 'a draft') order by permit_number) from permit where site_id = w.site_id and receiver_id = w.user_id and status not in ('closed', 'rejected', 'withdrawn')), '{}') as received,
      coalesce((select array_agg(t.code order by t.code) from permit_type t where t.site_id = w.site_id and t.active
        and exists (select 1 from permit_appointment a where a.site_id = t.site_id and a.user_id = w.user_id and a.revoked_at is null and (a.permit_type_id = t.id or a.permit_type_id is null))
        and not exists (select 1 from permit_appointment a join membership m on m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active'
          where a.site_id = t.site_id and a.user_id <> w.user_id and a.revoked_at is null and (a.permit_type_id = t.id or a.permit_type_id is null))), '{}') as only_issuer_of
    from unnest(${people.map(one => one.site_id)}::uuid[], ${people.map(one => one.user_id)}::uuid[]) with ordinality w (site_id, user_id, n) order by w.n`.execute(
    db,
  )
  return rows
}
