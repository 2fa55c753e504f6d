import type { SwitchableGroup } from '../../../../shared/groups.ts'
import type { Role } from '../../../base/actor.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** The caller, as the identity tables have them. */
export type MeRow = {
  id: Id
  subject: string
  email: string | null
  email_verified: boolean
  name: string
  locale: string | null
  is_superadmin: boolean
  email_suppressed: boolean
}

/** Returns the caller's own account. */
export async function meRow(db: Db, user_id: Id): Promise<MeRow | null> {
  const { rows } = await sql<MeRow>`
    select u.id, u.subject, u.email, u.email_verified, u.name, u.locale, u.is_superadmin,
      exists (select 1 from email_suppression s where s.email = lower(u.email) and s.cleared_at is null) as email_suppressed
    from app_user u where u.id = ${user_id}`.execute(db)
  return rows[0] ?? null
}

/** A person's membership of a site. */
export type MyMembershipRow = {
  id: Id
  site_id: Id
  site_code: string
  site_name: string
  timezone: string
  role: Role
  contractor_id: Id | null
  contractor_name: string | null
  status: 'pending' | 'active'
  locked: boolean
  groups_off: SwitchableGroup[]
}

/** Lists a person's memberships of existing sites, by name of the site. */
export async function myMemberships(db: Db, user_id: Id): Promise<MyMembershipRow[]> {
  const { rows } = await sql<MyMembershipRow>`
    select m.id, m.site_id, s.code as site_code, s.name as site_name, s.timezone, m.role, m.contractor_id, c.name as contractor_name, m.status, s.locked_at is not null as locked,
      coalesce(s.settings->'groups'->'off', '[]'::jsonb) as groups_off
    from membership m join site s on s.site_id = m.site_id and s.deleted_at is null and s.nuked_at is null
    left join contractor c on c.site_id = m.site_id and c.id = m.contractor_id
    where m.user_id = ${user_id} and m.status in ('active', 'pending') order by lower(s.name), m.site_id`.execute(db)
  return rows
}
