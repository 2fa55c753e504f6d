import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import { nameKey } from '../clash-rules/door.ts'

/** A profile as it is stored. */
export type ProfileRow = Row<'rule_profile'>

/** Lists the profiles of a site: the active one first, then by name. */
export const profileRows = (db: Db, site_id: Id): Promise<ProfileRow[]> =>
  db
    .selectFrom('rule_profile')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('deleted_at', 'is', null)
    .orderBy('is_active', 'desc')
    .orderBy('name')
    .orderBy('id')
    .execute()

/** Returns a profile, unless it is deleted; with `lock`, locks it for a change. */
export async function profileRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<ProfileRow | null> {
  const query = db
    .selectFrom('rule_profile')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** Stores a profile and returns its id. */
export async function insertProfile(db: Db, row: { site_id: Id; name: string; description: string; based_on_id: Id | null }): Promise<Id> {
  const id = ids.next()
  await db
    .insertInto('rule_profile')
    .values({ id, ...row, name_key: nameKey(row.name) })
    .execute()
  return id
}

/** Changes a profile. */
export async function updateProfile(db: Db, site_id: Id, id: Id, set: { name: string; description: string }): Promise<void> {
  await db
    .updateTable('rule_profile')
    .set({ ...set, name_key: nameKey(set.name) })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a profile with its rules. */
export async function deleteProfile(db: Db, site_id: Id, id: Id, now: Instant): Promise<void> {
  await db.updateTable('rule_profile').set({ deleted_at: now }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Makes a profile the active one, and ends the period of the one before. */
export async function activateRow(db: Db, site_id: Id, id: Id, now: Instant, by: Id | null): Promise<void> {
  await db.updateTable('rule_profile').set({ is_active: false }).where('site_id', '=', site_id).where('is_active', '=', true).execute()
  await db
    .updateTable('rule_profile')
    .set({ is_active: true, activated_at: now, activated_by: by })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
  await sql`update rule_profile_period set to_at = ${now} where site_id = ${site_id} and to_at is null`.execute(db)
  await sql`
    insert into rule_profile_period (site_id, profile_id, from_at, activated_by) values (${site_id}, ${id}, ${now}, ${by})
    on conflict (site_id, profile_id, from_at) do update set to_at = null`.execute(db)
}

/** What the rules of a profile are, for its card. */
export type Counts = { profile_id: Id; rules: number; enabled: number; standard: { key: string; revision: number }[] }

/** Counts the rules of every profile of a site. */
export async function ruleCounts(db: Db, site_id: Id): Promise<Map<Id, Counts>> {
  const { rows } = await sql<Counts>`
    select profile_id, count(*)::int as rules, (count(*) filter (where enabled))::int as enabled,
      coalesce(jsonb_agg(jsonb_build_object('key', system_key, 'revision', system_revision)) filter (where system_key is not null), '[]') as standard
    from clash_rule where site_id = ${site_id} and deleted_at is null group by profile_id`.execute(db)
  return new Map(rows.map(row => [row.profile_id, row]))
}
