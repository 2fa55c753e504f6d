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

/** A batch of permits of a sweep, locked. `more`: there may be others. */
export type SweptPermits = { permits: PermitRow[]; more: boolean }

/**
 * Returns and locks the first permits that fit this condition. Rows that another transaction has locked are left for later; when nothing else is left, it waits for
 * one of them, and never for another with the lock of the first: a close-out of both, which locks them in another order, would wait for this transaction.
 */
async function lockFirstOf(db: Db, site_id: Id, fits: ReturnType<typeof sql>, limit: number): Promise<SweptPermits> {
  const all = sql`from permit p join site s on s.site_id = p.site_id where p.site_id = ${site_id} and ${fits}`
  const inOrder = sql`order by p.end_at, p.id`
  const { rows } = await sql<PermitRow>`select p.* ${all} ${inOrder} limit ${limit} for no key update of p skip locked`.execute(db)
  if (rows.length > 0) return { permits: rows, more: true }
  const { rows: locked } = await sql<{ id: Id }>`select p.id ${all} ${inOrder} limit 1`.execute(db)
  const [first] = locked
  if (first === undefined) return { permits: [], more: false }
  const { rows: awaited } = await sql<PermitRow>`select p.* ${all} and p.id = ${first.id} for no key update of p`.execute(db)
  return { permits: awaited, more: true }
}

/** Returns issued permits of a site whose window has ended, longest ago first, locked. */
export const lockEnded = (db: Db, site_id: Id, now: Instant, except: readonly Id[], limit: number): Promise<SweptPermits> =>
  lockFirstOf(db, site_id, sql`p.status = 'issued' and p.end_at <= ${now} and p.id <> all(${except}::uuid[])`, limit)

/** Expires these permits. */
export async function expireRows(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`update permit set status = 'expired', expired_at = ${now} where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}

/** Returns permits of a site that are about to end and that nobody was warned about, the first to end first, locked in the same way. */
export const lockEndingSoon = (db: Db, site_id: Id, now: Instant, limit: number): Promise<SweptPermits> =>
  lockFirstOf(db, site_id, endingSoon(now), limit)

/** Records that the people of these permits were warned. */
export async function markWarned(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`update permit set expiring_warned_at = ${now} where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}
