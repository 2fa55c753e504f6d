import { type Db, sql } from '../../../base/db.ts'

/** Sends the database the shortest possible query. */
export const ping = (db: Db) => sql`select 1`.execute(db)

/** Returns how many seconds the oldest waiting job (of one kind) has been ready; null when none is waiting, or the queue isn't set up. */
export async function oldestJobSeconds(db: Db, now: string, kind: string | null = null): Promise<number | null> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return null
  const { rows: oldest } = await sql<{ seconds: number | null }>`
    select extract(epoch from (${now}::timestamptz - min(start_after)))::float8 as seconds from pgboss.job where state in ('created', 'retry') and start_after <= ${now}::timestamptz and (${kind}::text is null or name = ${kind})`.execute(
    db,
  )
  return oldest[0]?.seconds ?? null
}

/** Returns whether this installation has a superadmin. */
export async function anySuperadmin(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where('is_superadmin', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
