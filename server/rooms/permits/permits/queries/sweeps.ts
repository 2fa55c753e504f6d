import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { DEFAULT_POLICY } from '../../kit/domain/policy.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'

const live = sql`s.deleted_at is null and s.nuked_at is null`

/** Returns the sites (or this one, if it is among them) with an issued permit whose window has ended. */
export async function sitesWithEnded(db: Db, now: Instant, only?: Id): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where ${live} ${only === undefined ? sql`` : sql`and s.site_id = ${only}`}
      and exists (select 1 from permit p where p.site_id = s.site_id and p.status = 'issued' and p.end_at <= ${now})
    order by s.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

const leadOf = sql`least(interval '720 hours', make_interval(hours => coalesce(
  (select c.expiring_warning_lead_hours from permit_config c where c.site_id = s.site_id), ${DEFAULT_POLICY.expiring_warning_lead_hours})))`
const endingSoon = (now: Instant) =>
  sql`p.status = 'issued' and p.expiring_warned_at is null and p.end_at > ${now} and p.end_at <= ${now}::timestamptz + ${leadOf}`

/** Returns the sites with an issued permit that ends within the site's warning lead, and whose present end nobody was warned about. */
export async function sitesWithEndingSoon(db: Db, now: Instant): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where ${live}
      and exists (select 1 from permit p where p.site_id = s.site_id and ${endingSoon(now)})
    order by s.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/**
 * Returns issued permits of a site whose window has ended, longest ago first, locked. Rows that another transaction has locked are left for later; when
 * nothing else is left, it waits for one of them.
 */
export async function lockEnded(db: Db, site_id: Id, now: Instant, except: readonly Id[], limit: number): Promise<PermitRow[]> {
  const take = (count: number, how: ReturnType<typeof sql>) =>
    sql<PermitRow>`
      select * from permit where site_id = ${site_id} and status = 'issued' and end_at <= ${now} and id <> all(${except}::uuid[])
      order by end_at, id limit ${count} for no key update ${how}`.execute(db)
  const { rows } = await take(limit, sql`skip locked`)
  return rows.length > 0 ? rows : (await take(1, sql``)).rows
}

/** Expires these permits. */
export async function expireRows(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`update permit set status = 'expired', expired_at = ${now} where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}

/** Returns permits of a site that are about to end and that nobody was warned about, the first to end first, locked in the same way. */
export async function lockEndingSoon(db: Db, site_id: Id, now: Instant, limit: number): Promise<PermitRow[]> {
  const take = (count: number, how: ReturnType<typeof sql>) =>
    sql<PermitRow>`
      select p.* from permit p join site s on s.site_id = p.site_id where p.site_id = ${site_id} and ${endingSoon(now)}
      order by p.end_at, p.id limit ${count} for no key update of p ${how}`.execute(db)
  const { rows } = await take(limit, sql`skip locked`)
  return rows.length > 0 ? rows : (await take(1, sql``)).rows
}

/** Records that the people of these permits were warned. */
export async function markWarned(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`update permit set expiring_warned_at = ${now} where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}
