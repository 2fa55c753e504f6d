import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** Returns the name of the rule with each origin: that of the active profile, or else the one that was changed last. */
export async function ruleNames(
  db: Db,
  site_id: Id,
  origin_ids: readonly Id[],
): Promise<Map<Id, { name: string; system_key: string | null }>> {
  if (origin_ids.length === 0) return new Map()
  const { rows } = await sql<{ origin_id: Id; name: string; system_key: string | null }>`
    select distinct on (r.origin_id) r.origin_id, r.name, r.system_key from clash_rule r
    join rule_profile p on p.site_id = r.site_id and p.id = r.profile_id
    where r.site_id = ${site_id} and r.origin_id = any(${origin_ids}::uuid[])
    order by r.origin_id, p.is_active desc, r.deleted_at is null desc, r.updated_at desc, r.id`.execute(db)
  return new Map(rows.map(row => [row.origin_id, row]))
}

/** Returns the rules whose clashes the clock alone can change: their conditions compare something with now or today, or ask for the state of an examination. */
export async function rulesByClock(db: Db, site_id: Id): Promise<Set<Id>> {
  const { rows } = await sql<{ id: Id }>`
    select id from clash_rule where site_id = ${site_id} and (content -> 'when')::text ~ '"now":|"today":|examination_state|group_ids'`.execute(
    db,
  )
  return new Set(rows.map(row => row.id))
}
