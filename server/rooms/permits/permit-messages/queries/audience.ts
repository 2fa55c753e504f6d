// Who hears about permits: appointed people, and permits with an open task.
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'

/** Returns the active members whose active appointments cover all of these codes, who can issue, and those who are appointed for any of them. */
export async function appointedFor(db: Db, site_id: Id, codes: readonly string[]): Promise<{ all: Id[]; any: Id[] }> {
  const { rows } = await sql<{ user_id: Id; covers: number; whole: boolean }>`
    select a.user_id, count(distinct t.code)::int as covers, bool_or(a.permit_type_id is null) as whole
    from permit_appointment a
    join membership m on m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active'
    left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id and t.code = any(${codes}::text[])
    where a.site_id = ${site_id} and a.revoked_at is null and (a.permit_type_id is null or t.code is not null)
    group by a.user_id order by a.user_id`.execute(db)
  return { all: rows.filter(r => r.whole || r.covers >= codes.length).map(r => r.user_id), any: rows.map(r => r.user_id) }
}

/** Locks the open tasks of these kinds of permits, and returns the permits, oldest first. */
export async function lockGated(db: Db, site_id: Id, kinds: readonly string[]): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`
    select p.* from task t join permit p on p.site_id = t.site_id and p.id = t.subject_id
    where t.site_id = ${site_id} and t.status = 'open' and t.kind = any(${kinds}::text[]) order by p.id, t.id for no key update of t`.execute(
    db,
  )
  return [...new Map(rows.map(row => [row.id, row])).values()]
}

/** Returns what people's active appointments cover, all types or some by code; people without any are left out. */
export async function appointmentsOf(db: Db, site_id: Id, user_ids: readonly Id[]): Promise<Map<Id, { all: boolean; codes: string[] }>> {
  const { rows } = await sql<{ user_id: Id; all: boolean; codes: string[] }>`
    select a.user_id, bool_or(a.permit_type_id is null) as all, coalesce(array_agg(t.code) filter (where t.code is not null), '{}') as codes
    from permit_appointment a left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id
    where a.site_id = ${site_id} and a.user_id = any(${user_ids}::uuid[]) and a.revoked_at is null group by a.user_id`.execute(db)
  return new Map(rows.map(({ user_id, ...covers }) => [user_id, covers]))
}
