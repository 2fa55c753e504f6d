import { type Db, sql } from '../../../base/db.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'
import type { Member, Wanted } from '../domain/audience.ts'
import type { Preference } from '../domain/channels.ts'

/**
 * Lists the active members of a site that any of these terms can mean, with the address at which email can reach them. Erased and disabled people are left out.
 */
export async function membersFor(db: Db, site_id: Id, wanted: readonly Wanted[]): Promise<Member[]> {
  const roles = [...new Set(wanted.flatMap(w => w.roles))]
  const user_ids = [...new Set(wanted.flatMap(w => w.user_ids))]
  const contractor_ids = [...new Set(wanted.flatMap(w => w.contractor_ids))]
  const { rows } = await sql<Member>`
    select m.user_id, m.id as membership_id, u.name, m.role, m.contractor_id, u.locale,
      case when u.email is not null and u.email_verified and x.email is null then u.email end as email,
      case when u.email is null then 'no_address' when not u.email_verified then 'not_verified' when x.email is not null then 'suppressed' end as no_email
    from membership m join app_user u on u.id = m.user_id and u.disabled_at is null and u.erased_at is null
    left join email_suppression x on x.email = lower(u.email) and x.cleared_at is null
    where m.site_id = ${site_id} and m.status = 'active'
      and (m.role = any(${roles}::text[]) or m.user_id = any(${user_ids}::uuid[]) or m.contractor_id = any(${contractor_ids}::uuid[]))
    order by m.user_id`.execute(db)
  return rows
}

/** Returns one person as a member of a site; null if they aren't one. */
export async function memberOn(db: Db, site_id: Id, user_id: Id): Promise<Member | null> {
  const [member] = await membersFor(db, site_id, [{ roles: [], user_ids: [user_id], contractor_ids: [], contractor_roles: [] }])
  return member ?? null
}

/** Returns the address at which email can reach a person, on any site. */
export async function mailOf(db: Db, user_id: Id): Promise<Pick<Member, 'email' | 'no_email'>> {
  const { rows } = await sql<Pick<Member, 'email' | 'no_email'>>`
    select case when u.email is not null and u.email_verified and x.email is null then u.email end as email,
      case when u.email is null then 'no_address' when not u.email_verified then 'not_verified' when x.email is not null then 'suppressed' end as no_email
    from app_user u left join email_suppression x on x.email = lower(u.email) and x.cleared_at is null where u.id = ${user_id}`.execute(db)
  return rows[0] ?? { email: null, no_email: 'no_address' }
}

/** Returns people's preferences that can affect these kinds on a site; without a site, those for all sites. */
export async function preferencesOf(
  db: Db,
  user_ids: readonly Id[],
  kinds: readonly string[] | null,
  site_id: Id | null,
): Promise<Preference[]> {
  if (user_ids.length === 0) return []
  const sites = site_id === null ? [PLATFORM] : [PLATFORM, site_id]
  const { rows } = await sql<Preference>`
    select site_id, user_id, kind, channel, enabled, delivery, quiet_hours, digest_at, digest_weekdays, version from notification_preference
    where site_id = any(${sites}::uuid[]) and user_id = any(${user_ids}::uuid[])
      ${kinds === null ? sql`` : sql`and kind = any(${[...kinds, 'all']}::text[])`}`.execute(db)
  return rows
}

/** Stores a preference, or changes the given fields of one, with the next version. */
export async function savePreference(db: Db, row: Preference & { updated_at: string }): Promise<void> {
  const { site_id, user_id, kind, channel, version: _before, ...set } = row
  const values = { ...set, quiet_hours: set.quiet_hours === null ? null : JSON.stringify(set.quiet_hours) }
  await db
    .insertInto('notification_preference')
    .values({ site_id, user_id, kind, channel, ...values })
    .onConflict(conflict =>
      conflict
        .columns(['site_id', 'user_id', 'kind', 'channel'])
        .doUpdateSet({ ...values, version: sql<number>`notification_preference.version + 1` }),
    )
    .execute()
}

/** Switches off emails of these kinds wherever a person has switched them on for a single site. */
export async function switchOffEverywhere(db: Db, user_id: Id, kinds: readonly string[], now: string): Promise<void> {
  await db
    .updateTable('notification_preference')
    .set({ enabled: false, updated_at: now, version: sql<number>`version + 1` })
    .where('user_id', '=', user_id)
    .where('kind', 'in', [...kinds])
    .where('channel', '=', 'email')
    .where('enabled', '=', true)
    .execute()
}

/** Deletes a preference; false if there was none. */
export async function dropPreference(db: Db, site_id: Id, user_id: Id, kind: string, channel: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_preference')
    .where('site_id', '=', site_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return Number(numDeletedRows) > 0
}

/** Returns the names of people who are or were on this site, or are superadmins, and of its contractors, by id. The ids of a preview come from its caller, who mustn’t learn names of other sites. */
export async function namesOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; name: string }>`
    select u.id, u.name from app_user u where u.id = any(${ids}::uuid[])
      and (u.is_superadmin or exists (select 1 from membership m where m.site_id = ${site_id} and m.user_id = u.id))
    union all select c.id, c.name from contractor c where c.site_id = ${site_id} and c.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.name]))
}
