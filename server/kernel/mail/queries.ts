import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { mentions } from '../listing/door.ts'

/** Why an address is suppressed. */
export type Suppression = {
  email: string
  reason: 'hard_bounce' | 'repeated_soft' | 'complaint'
  diagnostic: string | null
  since: Instant
}

/** Returns the active suppression of an address, given its key; null if the address isn't suppressed. */
export async function suppressionOf(db: Db, email_key: string): Promise<Suppression | null> {
  const row = await db
    .selectFrom('email_suppression')
    .select(['email', sql<Suppression['reason']>`reason`.as('reason'), 'diagnostic', 'first_at as since'])
    .where('email', '=', email_key)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Suppresses an address, or counts another reason. Returns whether it was not suppressed already. */
export async function insertSuppression(
  db: Db,
  row: { email: string; reason: Suppression['reason']; status: string | null; diagnostic: string | null; at: Instant },
): Promise<boolean> {
  const { rows } = await sql<{ fresh: boolean }>`
    insert into email_suppression as s (email, reason, status, diagnostic, first_at, last_at)
    values (${row.email}, ${row.reason}, ${row.status}, ${row.diagnostic}, ${row.at}, ${row.at})
    on conflict (email) do update set reason = excluded.reason, status = excluded.status, diagnostic = excluded.diagnostic, last_at = excluded.last_at,
      first_at = case when s.cleared_at is null then s.first_at else excluded.first_at end,
      count = case when s.cleared_at is null then s.count + 1 else 1 end, cleared_at = null, cleared_by = null
    returning (s.count = 1) as fresh`.execute(db)
  return rows[0]?.fresh ?? false
}

/** Lists the people who have an address. */
export function ownersOf(db: Db, email_key: string): Promise<{ id: Id; name: string }[]> {
  return db.selectFrom('app_user').select(['id', 'name']).where(sql<string>`lower(email)`, '=', email_key).orderBy('id').execute()
}

/** Records a report; false if it has already been recorded. */
export async function insertReport(
  db: Db,
  row: {
    event_id: string
    email: string
    type: string
    class: string | null
    status: string | null
    at: Instant
    message_id: string | null
    diagnostic: string | null
  },
): Promise<boolean> {
  const { event_id, email, type, status, at, message_id, diagnostic } = row
  const made = await db
    .insertInto('email_report')
    .values({ event_id, email, type, class: row.class, status, at, message_id, diagnostic })
    .onConflict(conflict => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return made !== undefined
}

/** Counts the soft bounces of an address since this time, its last delivery and its last clearing, and the days on which they happened. */
export async function softBounces(db: Db, email: string, since: Instant): Promise<{ count: number; days: number }> {
  const { rows } = await sql<{ count: number; days: number }>`
    select count(*) as count, count(distinct (at at time zone 'UTC')::date) as days from email_report
    where email = ${email} and type = 'bounce' and class = 'soft' and at > greatest(${since}::timestamptz,
      (select max(at) from email_report where email = ${email} and type = 'delivered'),
      (select cleared_at from email_suppression where email = ${email}))`.execute(db)
  return rows[0] ?? { count: 0, days: 0 }
}

/** Deletes reports from before this time, which no longer count. */
export async function dropOldReports(db: Db, before: Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('email_report').where('at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** A suppression, as operators see it. */
export type SuppressionRow = Omit<Suppression, 'since'> & {
  status: string | null
  first_at: Instant
  last_at: Instant
  count: number
  cleared_at: Instant | null
  cleared_by: Id | null
}

/** Lists suppressions, newest first. */
export async function suppressionsOf(
  db: Db,
  filter: {
    active: boolean
    reason?: readonly string[]
    q?: string
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<SuppressionRow[]> {
  const { rows } = await sql<SuppressionRow>`
    select email, reason, status, diagnostic, first_at, last_at, count, cleared_at, cleared_by from email_suppression
    where (cleared_at is null) = ${filter.active}
      ${filter.reason === undefined ? sql`` : sql`and reason = any(${filter.reason}::text[])`}
      ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`email`], filter.q)}`}
      ${filter.after === null ? sql`` : sql`and (last_at, email) < (${filter.after[0]}::timestamptz, ${filter.after[1]})`}
    order by last_at desc, email desc limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Ends the active suppression of an address; null if there is none. */
export async function clearSuppression(db: Db, email: string, end: { at: Instant; by: Id | null }): Promise<SuppressionRow | null> {
  const { rows } = await sql<SuppressionRow>`
    update email_suppression set cleared_at = ${end.at}, cleared_by = ${end.by} where email = ${email} and cleared_at is null
    returning email, reason, status, diagnostic, first_at, last_at, count, cleared_at, cleared_by`.execute(db)
  return rows[0] ?? null
}
