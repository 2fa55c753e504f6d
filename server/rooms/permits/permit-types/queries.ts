import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { PermitType } from './domain/sets.ts'

/** A type as the database has it. */
export type TypeRow = PermitType & {
  site_id: Id
  id: Id
  version: number
  created_at: string
  updated_at: string
  system_key: string | null
}

type Columns = Omit<TypeRow, 'version' | 'created_at' | 'updated_at'>

const written = (set: Partial<Columns>): Record<string, unknown> => ({
  ...set,
  ...(set.pre_checks === undefined ? {} : { pre_checks: jsonb(set.pre_checks) }),
  ...(set.expected_attachments === undefined ? {} : { expected_attachments: jsonb(set.expected_attachments) }),
})

/** Lists a site's types, by code. */
export async function typesOn(db: Db, site_id: Id, filter: { ids?: readonly Id[]; active?: boolean } = {}): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`
    select * from permit_type where site_id = ${site_id}
      ${filter.ids === undefined ? sql`` : sql`and id = any(${filter.ids}::uuid[])`}
      ${filter.active === undefined ? sql`` : sql`and active = ${filter.active}`}
    order by code`.execute(db)
  return rows
}

/** Adds types. */
export async function insertTypes(db: Db, rows: readonly Columns[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('permit_type')
      .values(rows.map(row => written(row) as Columns & { pre_checks: string; expected_attachments: string }))
      .execute() // `written` only turns lists to JSON
}

/** Changes a type. */
export async function saveType(db: Db, site_id: Id, id: Id, set: Partial<Omit<Columns, 'site_id' | 'id'>>): Promise<void> {
  if (Object.keys(set).length > 0)
    await db.updateTable('permit_type').set(written(set)).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns a site's regime; null when none was applied. */
export async function regimeOf(db: Db, site_id: Id): Promise<string | null> {
  const row = await db.selectFrom('permit_config').select('regime').where('site_id', '=', site_id).executeTakeFirst()
  return row?.regime ?? null
}
