import type { Instant } from '../../../../../shared/time.ts'
import type { Role } from '../../../../base/actor.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { mentions } from '../../../../kernel/listing/door.ts'

/** A member as the list shows it. */
export type MemberRow = {
  membership_id: Id
  user_id: Id
  name: string
  email: string | null
  role: Role
  rank: number
  contractor_id: Id | null
  status: 'pending' | 'active' | 'ended'
  since: Instant
  version: number
  sort_name: string
}

/** Lists a site's members: highest rank first, then name and id. `roles` filters to those with a permission. */
export async function membersOf(
  db: Db,
  site_id: Id,
  filter: {
    roles?: readonly Role[]
    held_by?: readonly Role[]
    contractor_ids?: readonly Id[]
    status: readonly string[]
    user_ids?: readonly Id[]
    q?: string
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select * from (
      select m.id as membership_id, m.user_id, u.name, u.email, m.role, m.contractor_id, m.status, coalesce(m.approved_at, m.created_at) as since, m.version, lower(u.name) as sort_name,
        case m.role when 'admin' then 4 when 'site_manager' then 3 when 'coordinator' then 2 when 'hse' then 2 when 'member' then 1 else 0 end as rank
      from membership m join app_user u on u.id = m.user_id
      where m.site_id = ${site_id} and m.status = any(${filter.status}::text[])
        ${filter.roles === undefined ? sql`` : sql`and m.role = any(${filter.roles}::text[])`}
        ${filter.held_by === undefined ? sql`` : sql`and m.role = any(${filter.held_by}::text[])`}
        ${filter.contractor_ids === undefined ? sql`` : sql`and m.contractor_id = any(${filter.contractor_ids}::uuid[])`}
        ${filter.user_ids === undefined ? sql`` : sql`and m.user_id = any(${filter.user_ids}::uuid[])`}
        ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`u.name`], filter.q)}`}
    ) t
    ${filter.after === null ? sql`` : sql`where (-rank, sort_name, membership_id) > (${filter.after[0]}::int, ${filter.after[1]}, ${filter.after[2]}::uuid)`}
    order by -rank, sort_name, membership_id limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Counts the active members of sites. */
export async function memberCounts(db: Db, site_ids: readonly Id[]): Promise<Map<Id, number>> {
  const rows = await db
    .selectFrom('membership')
    .select(['site_id', eb => eb.fn.countAll<number>().as('members')])
    .where('site_id', 'in', [...site_ids])
    .where('status', '=', 'active')
    .groupBy('site_id')
    .execute()
  return new Map(rows.map(r => [r.site_id, Number(r.members)]))
}
