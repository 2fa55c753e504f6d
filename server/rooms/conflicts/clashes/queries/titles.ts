// What is done under permits. Read only: the rooms of permits write this table.
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** How much of a description is read where a permit has no title. */
const MOST = 200

/** Returns what is done under permits: their title, or else their description; those with neither are left out. */
export async function permitTitles(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; title: string }>`
    select p.id, p.title from (select id, coalesce(nullif(title, ''), nullif(left(description, ${MOST}), '')) as title
      from permit where site_id = ${site_id} and id = any(${ids}::uuid[])) p
    where p.title is not null`.execute(db)
  return new Map(rows.map(row => [row.id, row.title]))
}
