import { type Db, sql } from '../../base/db.ts'

/** The shortest question to the database. */
export const ping = (db: Db) => sql`select 1`.execute(db)

/** Seconds that the oldest waiting job (of one kind) is ready; null when none waits, or the queue is not set up. */
export async function oldestJobSeconds(db: Db, now: string, kind: string | null = null): Promise<number | null> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return null
  const { rows: oldest } = await sql<{ seconds: number | null }>`
    select extract(epoch from (${now}::timestamptz - min(start_after)))::float8 as seconds from pgboss.job where state in ('created', 'retry') and start_after <= ${now}::timestamptz and (${kind}::text is null or name = ${kind})`.execute(
    db,
  )
  return oldest[0]?.seconds ?? null
}

/** Whether anybody runs this installation. */
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
