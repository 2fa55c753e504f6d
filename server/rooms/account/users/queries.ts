import type { Role } from '../../../base/actor.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A person who is or was on a site with the caller. */
export type KnownUser = { id: Id; name: string; disabled: boolean; role: Role | null; contractor_id: Id | null }

/** Returns those of these people that the caller can know: themselves, and everyone who is or was on a site with them. A request that was never approved makes nobody known. */
export async function knownUsers(
  db: Db,
  caller: { id: Id; is_superadmin: boolean },
  ids: readonly Id[],
  site_id: Id | null,
): Promise<KnownUser[]> {
  const { rows } = await sql<KnownUser>`
    select u.id, u.name, u.disabled_at is not null as disabled, m.role, m.contractor_id
    from app_user u left join membership m on m.site_id = ${site_id} and m.user_id = u.id and m.status = 'active'
    where u.id = any(${ids}::uuid[]) and (u.id = ${caller.id} or ${caller.is_superadmin} or exists (
      select 1 from membership mine join membership theirs on theirs.site_id = mine.site_id
      where mine.user_id = ${caller.id} and theirs.user_id = u.id and mine.approved_at is not null and theirs.approved_at is not null))`.execute(
    db,
  )
  return rows
}
