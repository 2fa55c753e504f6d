import type { WorkDate } from '../../../../shared/time.ts'
import { newColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { NewRow, Row } from '../../../base/rows.ts'
import type { Break } from '../../../kernel/site/domain.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'shift.breaks': Break[]
  }
}

/** A shift as the database has it. */
export type ShiftRow = Row<'shift'>

/** Lists a site's shifts: the site's first, then by start and name. */
export async function shiftsOf(
  db: Db,
  site_id: Id,
  filter: { from?: WorkDate; contractors?: readonly (Id | null)[]; ids?: readonly Id[] },
): Promise<ShiftRow[]> {
  const { contractors } = filter
  const { rows } = await sql<ShiftRow>`
    select * from shift where site_id = ${site_id}
      ${filter.from === undefined ? sql`` : sql`and (valid_to is null or valid_to > ${filter.from}::date)`}
      ${contractors === undefined ? sql`` : sql`and (contractor_id = any(${contractors.filter(id => id !== null)}::uuid[]) or (contractor_id is null and ${contractors.includes(null)}))`}
      ${filter.ids === undefined ? sql`` : sql`and id = any(${filter.ids}::uuid[])`}
    order by contractor_id nulls first, start_time, lower(name), id limit 1000`.execute(db)
  return rows
}

/** Adds a shift. */
export async function insertShift(db: Db, row: NewRow<'shift'>): Promise<void> {
  await db.insertInto('shift').values(newColumns('shift', row)).execute()
}

/** Ends a shift on a day. */
export async function endShift(db: Db, site_id: Id, id: Id, valid_to: WorkDate): Promise<void> {
  await db.updateTable('shift').set({ valid_to }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Deletes a shift that never started. */
export async function dropShift(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('shift').where('site_id', '=', site_id).where('id', '=', id).execute()
}
