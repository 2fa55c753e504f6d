import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { DEFAULT_POLICY } from '../../permit-config/domain.ts'
import type { PermitRow } from './permits.ts'

/** Live permits whose window is over, of all sites. */
export async function overWindows(db: Db, now: Instant, limit: number): Promise<{ site_id: Id; id: Id }[]> {
  const { rows } = await sql<{
    site_id: Id
    id: Id
  }>`select site_id, id from permit where status = 'issued' and end_at <= ${now} order by end_at limit ${limit}`.execute(db)
  return rows
}

/** Live permits that end within their site's warning lead, not warned of since they were last armed, of all sites. */
export async function runningOut(db: Db, now: Instant, limit: number): Promise<{ site_id: Id; id: Id }[]> {
  const { rows } = await sql<{ site_id: Id; id: Id }>`
    select p.site_id, p.id from permit p left join permit_config c on c.site_id = p.site_id
    where p.status = 'issued' and p.expiring_warned_at is null and p.end_at > ${now}
      and p.end_at <= ${now}::timestamptz + make_interval(hours => coalesce(c.expiring_warning_lead_hours, ${DEFAULT_POLICY.expiring_warning_lead_hours})) and p.end_at <= ${now}::timestamptz + interval '720 hours'
    order by p.end_at limit ${limit}`.execute(db)
  return rows
}

/** Open permits of which somebody is the receiver, and types of which he alone is appointed: what waits for another hand when he leaves. */
export async function dutiesIn(
  db: Db,
  site_id: Id,
  user_id: Id,
): Promise<{ received: PermitRow['permit_number'][]; only_issuer_of: string[] }> {
  const { rows } = await sql<{ received: (string | null)[]; only_issuer_of: string[] }>`
    select
      coalesce((select array_agg(coalesce(permit_number, 'a draft') order by permit_number) from permit where site_id = ${site_id} and receiver_id = ${user_id} and status not in ('closed', 'rejected', 'withdrawn')), '{}') as received,
      coalesce((select array_agg(t.code order by t.code) from permit_type t where t.site_id = ${site_id} and t.active
        and exists (select 1 from permit_appointment a where a.site_id = t.site_id and a.user_id = ${user_id} and a.revoked_at is null and (a.permit_type_id = t.id or a.permit_type_id is null))
        and not exists (select 1 from permit_appointment a join membership m on m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active'
          where a.site_id = t.site_id and a.user_id <> ${user_id} and a.revoked_at is null and (a.permit_type_id = t.id or a.permit_type_id is null))), '{}') as only_issuer_of`.execute(
    db,
  )
  return rows[0] ?? { received: [], only_issuer_of: [] }
}
