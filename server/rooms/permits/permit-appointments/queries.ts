import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** An appointment as the database has it, with names. */
export type AppointmentRow = {
  site_id: Id
  id: Id
  version: number
  created_at: string
  created_by: Id | null
  user_id: Id
  user_name: string
  permit_type_id: Id | null
  permit_type_code: string | null
  revoked_at: string | null
  revoked_by: Id | null
  absent: boolean
}

/** Lists a site's appointments: by name, then by code; active before revoked. */
export async function appointmentsOn(
  db: Db,
  site_id: Id,
  filter: { ids?: readonly Id[]; user_ids?: readonly Id[]; type_ids?: readonly Id[]; revoked?: boolean } = {},
): Promise<AppointmentRow[]> {
  const { rows } = await sql<AppointmentRow>`
    select a.site_id, a.id, a.version, a.created_at, a.created_by, a.user_id, u.name as user_name, a.permit_type_id, t.code as permit_type_code, a.revoked_at, a.revoked_by,
      not exists (select 1 from membership m where m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active') as absent
    from permit_appointment a join app_user u on u.id = a.user_id left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id
    where a.site_id = ${site_id}
      ${filter.ids === undefined ? sql`` : sql`and a.id = any(${filter.ids}::uuid[])`}
      ${filter.user_ids === undefined ? sql`` : sql`and a.user_id = any(${filter.user_ids}::uuid[])`}
      ${filter.type_ids === undefined ? sql`` : sql`and a.permit_type_id = any(${filter.type_ids}::uuid[])`}
      ${filter.revoked === undefined ? sql`` : sql`and (a.revoked_at is not null) = ${filter.revoked}`}
    order by (a.revoked_at is not null), lower(u.name), t.code nulls first, a.created_at, a.id limit 5000`.execute(db)
  return rows
}

/** Appoints a person. */
export async function insertAppointment(db: Db, row: { site_id: Id; id: Id; user_id: Id; permit_type_id: Id | null }): Promise<void> {
  await db.insertInto('permit_appointment').values(row).execute()
}

/** Revokes an appointment; the row stays. */
export async function revokeAppointment(db: Db, site_id: Id, id: Id, at: string, by: Id | null): Promise<void> {
  await db
    .updateTable('permit_appointment')
    .set({ revoked_at: at, revoked_by: by })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Returns whether a person is an active member. */
export async function isMember(db: Db, site_id: Id, user_id: Id): Promise<boolean> {
  return (
    (await db
      .selectFrom('membership')
      .select('id')
      .where('site_id', '=', site_id)
      .where('user_id', '=', user_id)
      .where('status', '=', 'active')
      .executeTakeFirst()) !== undefined
  )
}
