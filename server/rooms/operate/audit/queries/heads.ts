import { type Db, sql } from '../../../../base/db.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'

/** Returns the head of every log, including the platform's. */
export async function headsNow(db: Db): Promise<{ site_id: Id; seq: number; hash: string }[]> {
  return db.selectFrom('site_head').select(['site_id', 'seq', 'hash']).where('seq', '>', 0).orderBy('site_id').execute()
}

/** Returns the people who get the heads by email: superadmins those of all logs (`site_ids` null), administrators those of their sites. */
export async function peopleToTell(db: Db): Promise<{ user_id: Id; site_ids: Id[] | null }[]> {
  const { rows } = await sql<{ user_id: Id; site_ids: Id[] | null }>`
    select u.id as user_id, case when u.is_superadmin then null else array_agg(m.site_id::text order by m.site_id) end as site_ids
    from app_user u left join (membership m join site s on s.site_id = m.site_id and s.deleted_at is null) on m.user_id = u.id and m.status = 'active' and m.role = 'admin'
    where u.email is not null and u.email_verified and u.disabled_at is null and (u.is_superadmin or m.id is not null)
    group by u.id order by u.id`.execute(db)
  return rows
}

/** Returns the person that an email goes to; null if they no longer have an address. */
export async function personTold(db: Db, user_id: Id): Promise<{ name: string; email: string; locale: string | null } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['name', 'email', 'locale'])
    .where('id', '=', user_id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row === undefined || row.email === null ? null : { ...row, email: row.email }
}

/** Returns the names of sites, by id. */
export async function namesOfSites(db: Db, site_ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await db
    .selectFrom('site')
    .select(['site_id', 'name'])
    .where('site_id', 'in', [PLATFORM, ...site_ids])
    .execute()
  return new Map(rows.map(row => [row.site_id, row.name]))
}
