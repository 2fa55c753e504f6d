import { newColumns, setColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { PermitType } from './domain/sets.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'permit_type.pre_checks': PermitType['pre_checks']
    'permit_type.expected_attachments': PermitType['expected_attachments']
  }
}

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
      .values(rows.map(row => newColumns('permit_type', row)))
      .execute()
}

/** Changes a type. */
export async function saveType(db: Db, site_id: Id, id: Id, set: Partial<Omit<Columns, 'site_id' | 'id'>>): Promise<void> {
  if (Object.keys(set).length > 0)
    await db.updateTable('permit_type').set(setColumns('permit_type', set)).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns a site's regime; null when none was applied. */
export async function regimeOf(db: Db, site_id: Id): Promise<string | null> {
  const row = await db.selectFrom('permit_config').select('regime').where('site_id', '=', site_id).executeTakeFirst()
  return row?.regime ?? null
}
