// Stored clashes between permits. Read only: the room that follows the site writes them.
import { COUNTED } from '../../../../shared/conflicts/effective.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { ComparedRow } from '../kit/domain/stored.ts'

type Condition = ReturnType<typeof sql>

// As the index `clash_between_permits` has it.
const BETWEEN_PERMITS = sql`c.a ->> 'kind' = 'permit' and c.b ->> 'kind' = 'permit'`
const current = (now: Instant): Condition => sql`(c.to_at > ${now}::timestamptz or c.to_at is null)`

/** How far clashes are stored on a site; null if none were computed yet. `more`: whether permits can clash for the first time after that. */
export type Reach = { horizon_to: Instant | null; more: boolean }

/** Returns how far the conflicts between the permits of a site are stored. */
export async function reachOf(db: Db, site_id: Id): Promise<Reach> {
  const { rows } = await sql<Reach>`
    select h.horizon_to, h.horizon_to is null or exists (
      select 1 from permit p
        left join lateral (select true as linked from permit_entity l where l.site_id = p.site_id and l.permit_id = p.id limit 1) l on true
      where p.site_id = ${site_id} and p.end_at > h.horizon_to and p.status = any(${COUNTED}::text[]) and (p.start_at >= h.horizon_to or l.linked)) as more
    from (select (select k.horizon_to from clash_site k where k.site_id = ${site_id}) as horizon_to) h`.execute(db)
  return rows[0] ?? { horizon_to: null, more: true }
}

/** Returns the stored clashes of these permits with others that aren’t over. */
export async function clashesBetween(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<ComparedRow[]> {
  if (ids.length === 0) return []
  const of = (column: string): Condition => sql`
    select c.id, c.episode_id, c.rule_id, c.rule_version, c.origin_id, c.severity, c.from_at, c.to_at, c.a, c.b, c.distance_m, c.level_gap, c.nearest, c.reasons
    from clash c where c.site_id = ${site_id} and c.${sql.ref(column)} = any(${ids}::uuid[]) and ${current(now)} and ${BETWEEN_PERMITS}`
  const { rows } = await sql<ComparedRow>`${of('a_id')} union ${of('b_id')}`.execute(db)
  return rows
}

/** Two permits with a conflict that isn’t stored. */
export type Pair = { a_id: Id; b_id: Id; severity: 'red' | 'amber' }
/** With how many other permits a permit conflicts, by the worst conflict with each. */
export type Badge = { permit_id: Id; red: number; amber: number }

/** Counts the conflicts of all permits that count and meet a condition on `p`, in one statement. `also`: conflicts that aren’t stored. */
export async function badgesOf(
  db: Db,
  site_id: Id,
  { now, sees, also }: { now: Instant; sees: Condition; also: readonly Pair[] },
): Promise<Badge[]> {
  const { rows } = await sql<Badge>`
    with worst as (
      select o.permit_id, o.other_id, bool_or(x.severity = 'red') as is_red
      from (
        select c.a_id, c.b_id, c.severity from clash c where c.site_id = ${site_id} and ${current(now)} and ${BETWEEN_PERMITS}
        union all select l.a_id, l.b_id, l.severity from jsonb_to_recordset(${jsonb(also)}::jsonb) l (a_id uuid, b_id uuid, severity text)) x
      cross join lateral (values (x.a_id, x.b_id), (x.b_id, x.a_id)) o (permit_id, other_id)
      group by o.permit_id, o.other_id)
    select w.permit_id, count(*) filter (where w.is_red)::integer as red, count(*) filter (where not w.is_red)::integer as amber
    from worst w join permit p on p.site_id = ${site_id} and p.id = w.permit_id
    where p.status = any(${COUNTED}::text[]) and ${sees}
    group by w.permit_id order by w.permit_id`.execute(db)
  return rows
}
