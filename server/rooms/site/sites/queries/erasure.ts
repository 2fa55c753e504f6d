import type { Instant } from '../../../../../shared/time.ts'
import type { Db } from '../../../../base/db.ts'
import { sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** Tables that have no rows of a site by themselves, or are deleted last. */
export const KEPT = ['site', 'audit_draft', 'audit_open', 'job_run']

/** Returns the tables that have rows of sites, children before parents. */
export async function tablesToErase(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select c.relname as name, coalesce((select array_agg(distinct p.relname::text) from pg_constraint k join pg_class p on p.oid = k.confrelid where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid), '{}') as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind = 'r' and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped)
    order by c.relname`.execute(db)
  const tables = new Map(rows.filter(r => !KEPT.includes(r.name)).map(r => [r.name, r.parents.filter(p => !KEPT.includes(p))]))
  const order: string[] = []
  while (tables.size > 0) {
    const parents = new Set([...tables.values()].flat())
    const free = [...tables.keys()].filter(name => !parents.has(name))
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...tables.keys()].join(', ')}.`)
    for (const name of free) tables.delete(name)
    order.push(...free)
  }
  return order
}

/** Deletes some rows of a site from a table, without entries in the audit log; returns how many. */
export async function erasePiece(db: Db, table: string, site_id: Id, limit: number): Promise<number> {
  await sql`set local walkdown.erasing = 'on'`.execute(db)
  await sql`update site set main_contractor_id = null where site_id = ${site_id} and main_contractor_id is not null`.execute(db)
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where site_id = ${site_id} limit ${limit}))`.execute(
      db,
    )
  return Number(numAffectedRows ?? 0)
}

/** Deletes the row of a site whose other tables are empty. */
export async function eraseSiteRow(db: Db, site_id: Id): Promise<void> {
  await sql`set local walkdown.erasing = 'on'`.execute(db)
  await sql`delete from site where site_id = ${site_id}`.execute(db)
}

/** Returns a site that has been nuked but isn't erased yet. */
export async function nukedSite(db: Db, site_id: Id): Promise<{ code: string; name: string; nuked_at: Instant } | null> {
  const row = await db
    .selectFrom('site')
    .select(['code', 'name', 'nuked_at'])
    .where('site_id', '=', site_id)
    .where('nuked_at', 'is not', null)
    .executeTakeFirst()
  return row?.nuked_at == null ? null : { code: row.code, name: row.name, nuked_at: row.nuked_at }
}
