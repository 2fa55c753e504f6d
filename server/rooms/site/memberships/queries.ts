import type { Instant } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A membership as the database has it. */
export type MembershipRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  updated_at: Instant
  user_id: Id
  role: Role
  contractor_id: Id | null
  status: 'pending' | 'active' | 'ended'
  why_pending: string | null
  requested_contractor_name: string | null
  invite_id: Id | null
  approved_by: Id | null
  approved_at: Instant | null
  ended_at: Instant | null
  ended_by: Id | null
}

/** Adds a membership. */
export async function insertMembership(db: Db, row: Omit<MembershipRow, 'version' | 'created_at' | 'updated_at'>): Promise<void> {
  await db.insertInto('membership').values(row).execute()
}

/** Changes a membership. */
export async function saveMembership(
  db: Db,
  site_id: Id,
  id: Id,
  set: Partial<Omit<MembershipRow, 'site_id' | 'id' | 'version' | 'created_at' | 'updated_at'>>,
): Promise<void> {
  await db.updateTable('membership').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the membership of a person that has not ended, locked. */
export async function membershipOf(db: Db, site_id: Id, user_id: Id): Promise<MembershipRow | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('user_id', '=', user_id)
    .where('status', '!=', 'ended')
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Returns a membership by its id. */
export async function membershipById(db: Db, site_id: Id, id: Id): Promise<MembershipRow | null> {
  const row = await db.selectFrom('membership').selectAll().where('site_id', '=', site_id).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Returns the open tasks of a kind about memberships, on all sites, each with the person. */
export const openTasksOf = (db: Db, kind: string): Promise<{ site_id: Id; id: Id; user_id: Id; says: string }[]> =>
  db
    .selectFrom('task as t')
    .innerJoin('membership as m', join => join.onRef('m.site_id', '=', 't.site_id').onRef('m.id', '=', 't.subject_id'))
    .select(['m.site_id', 'm.id', 'm.user_id', 't.subject_label as says'])
    .where('t.kind', '=', kind)
    .where('t.status', '=', 'open')
    .orderBy('m.site_id')
    .execute()

/** Locks the open task of a kind about a membership; false if there is none any longer. */
export async function lockTaskOf(db: Db, site_id: Id, id: Id, kind: string): Promise<boolean> {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('site_id', '=', site_id)
    .where('subject_id', '=', id)
    .where('kind', '=', kind)
    .where('status', '=', 'open')
    .forNoKeyUpdate()
    .execute()
  return rows.length > 0
}

/** Lists the memberships of a person on a site that have ended. */
export async function endedMemberships(db: Db, site_id: Id, user_id: Id): Promise<Id[]> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('site_id', '=', site_id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'ended')
    .execute()
  return rows.map(r => r.id)
}

/** Counts the other active members who can manage members and can still sign in: a person whose account is disabled stays a member, but can do nothing. Their rows are locked, so that two of them can't leave at the same time. */
export async function otherAdministrators(db: Db, site_id: Id, but: Id): Promise<number> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('site_id', '=', site_id)
    .where('status', '=', 'active')
    .where('role', 'in', ['admin', 'site_manager'])
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('app_user')
          .select('app_user.id')
          .whereRef('app_user.id', '=', 'membership.user_id')
          .where('app_user.disabled_at', 'is', null),
      ),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.filter(row => row.id !== but).length
}

/** A pending membership request, with its person and the invitation that they used. */
export type PendingRow = MembershipRow & {
  user_name: string
  email: string | null
  email_verified: boolean
  invite_kind: 'email' | 'link' | null
  invite_label: string | null
  invited_by: string | null
}

/** Lists pending membership requests, oldest first: a page, and one row more if there are more. */
export async function pendingOn(
  db: Db,
  site_id: Id,
  limit: number,
  after: readonly (string | number | null)[] | null,
): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select m.*, u.name as user_name, u.email, u.email_verified, i.kind as invite_kind, i.label as invite_label, b.name as invited_by
    from membership m join app_user u on u.id = m.user_id
    left join invite i on i.site_id = m.site_id and i.id = m.invite_id left join app_user b on b.id = i.created_by
    where m.site_id = ${site_id} and m.status = 'pending'
      ${after === null ? sql`` : sql`and (m.created_at, m.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by m.created_at, m.id limit ${limit + 1}`.execute(db)
  return rows
}

/** Lists the memberships of all sites that have been pending for longer than allowed. */
export async function waitingSince(db: Db, before: Instant, limit: number): Promise<{ site_id: Id; id: Id }[]> {
  return db
    .selectFrom('membership')
    .select(['site_id', 'id'])
    .where('status', '=', 'pending')
    .where('created_at', '<', before)
    .orderBy('site_id')
    .limit(limit)
    .execute()
}

/** Returns the names of those of these people who are or were members of the site. */
export async function memberNames(db: Db, site_id: Id, user_ids: readonly Id[]): Promise<Map<Id, string>> {
  const { rows } = await sql<{ id: Id; name: string }>`
    select u.id, u.name from app_user u where u.id = any(${user_ids}::uuid[])
      and exists (select 1 from membership m where m.site_id = ${site_id} and m.user_id = u.id and m.approved_at is not null)`.execute(db)
  return new Map(rows.map(row => [row.id, row.name]))
}

/** A person's memberships and requests on every site that isn't deleted, with their name, always in the same order. */
const placesOf = (db: Db, user_id: Id) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .innerJoin('site as s', 's.site_id', 'm.site_id')
    .select(['m.site_id', 'm.id', 'u.name'])
    .where('m.user_id', '=', user_id)
    .where('s.deleted_at', 'is', null)
    .where('s.nuked_at', 'is', null)
    .orderBy('m.site_id')

/** Returns a person's active memberships, with their name, always in the same order. */
export const activePlacesOf = (db: Db, user_id: Id): Promise<{ site_id: Id; id: Id; name: string }[]> =>
  placesOf(db, user_id).where('m.status', '=', 'active').execute()

/** Returns the memberships and the requests of a person who is erased, on every site that isn't deleted. */
export const placesToErase = (db: Db, user_id: Id): Promise<{ site_id: Id; id: Id }[]> =>
  placesOf(db, user_id).where('m.status', '!=', 'ended').execute()
