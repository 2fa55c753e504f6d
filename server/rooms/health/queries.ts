import { type Db, sql } from '../../base/db.ts'

/** The shortest question to the database. */
export const ping = (db: Db) => sql`select 1`.execute(db)

/** Seconds that the oldest waiting job is ready; null when none waits, or the queue is not set up. */
export async function oldestJobSeconds(db: Db, now: string): Promise<number | null> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return null
  const { rows: oldest } = await sql<{ seconds: number | null }>`
    select extract(epoch from (${now}::timestamptz - min(start_after)))::float8 as seconds from pgboss.job where state in ('created', 'retry') and start_after <= ${now}::timestamptz`.execute(
    db,
  )
  return oldest[0]?.seconds ?? null
}
