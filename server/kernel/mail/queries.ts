import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** Why an address gets no mail. */
export type Suppression = {
  email: string
  reason: 'hard_bounce' | 'repeated_soft' | 'complaint'
  diagnostic: string | null
  since: Instant
}

/** The suppression of an address that is in force; null when it gets mail. Asked by the key of the address. */
export async function suppressionOf(db: Db, email_key: string): Promise<Suppression | null> {
  const row = await db
    .selectFrom('email_suppression')
    .select(['email', 'reason', 'diagnostic', 'first_at as since'])
    .where('email', '=', email_key)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  return (row ?? null) as Suppression | null // reasons as this kernel writes them
}

/** Puts an address on the list, or counts it once more. Answers whether it was not on it. */
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

/** People who have an address. */
export function ownersOf(db: Db, email_key: string): Promise<{ id: Id; name: string }[]> {
  return db.selectFrom('app_user').select(['id', 'name']).where(sql<string>`lower(email)`, '=', email_key).orderBy('id').execute()
}
