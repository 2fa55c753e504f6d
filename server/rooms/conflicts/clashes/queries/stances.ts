import type { Severity } from '../../../../../shared/conflicts/rules.ts'
import type { StanceKind } from '../../../../../shared/conflicts/stances.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'

/** What a person decided, as it is stored. */
export type StanceRow = Row<'clash_stance'> & { kind: StanceKind; accepted_severity: Severity }

/** Returns the active decisions about episodes, locked for a change. */
export async function lockInForce(db: Db, site_id: Id, episode_ids: readonly Id[]): Promise<StanceRow[]> {
  if (episode_ids.length === 0) return []
  const { rows } = await sql<StanceRow>`
    select s.* from clash_stance s where s.site_id = ${site_id} and s.episode_id = any(${episode_ids}::uuid[])
      and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null order by s.id for no key update`.execute(db)
  return rows
}

/** Ends decisions whose facts no longer hold. */
export async function lapseRows(db: Db, site_id: Id, lapsed: readonly { id: Id; reason: string }[], now: Instant): Promise<void> {
  if (lapsed.length === 0) return
  await sql`
    update clash_stance s set lapsed_at = ${now}, lapse_reason = r.reason from jsonb_to_recordset(${jsonb(lapsed)}::jsonb) r (id uuid, reason text)
    where s.site_id = ${site_id} and s.id = r.id`.execute(db)
}

/** Ends decisions because of others, or because people withdrew them. */
export async function endRows(
  db: Db,
  site_id: Id,
  stance_ids: readonly Id[],
  how: 'replaced_at' | 'withdrawn_at',
  now: Instant,
): Promise<void> {
  if (stance_ids.length === 0) return
  await db
    .updateTable('clash_stance')
    .set({ [how]: now })
    .where('site_id', '=', site_id)
    .where('id', 'in', [...stance_ids])
    .execute()
}

/** A decision to store. */
export type NewStance = Pick<
  StanceRow,
  | 'episode_id'
  | 'kind'
  | 'reason'
  | 'controls'
  | 'owner_user_id'
  | 'owner_contractor_id'
  | 'due_at'
  | 'covers_until'
  | 'accepted_severity'
  | 'accepted_distance_m'
  | 'contractor_a'
  | 'contractor_b'
>

/** Stores decisions; returns them in their order. */
export async function insertStances(db: Db, site_id: Id, rows: readonly NewStance[], now: Instant, by: Id | null): Promise<StanceRow[]> {
  const values = rows.map(row => ({ site_id, id: ids.next(), set_at: now, set_by: by, ...row }))
  await db.insertInto('clash_stance').values(values).execute()
  const { rows: stored } = await sql<StanceRow>`
    select * from clash_stance where site_id = ${site_id} and id = any(${values.map(row => row.id)}::uuid[])`.execute(db)
  const byId = new Map(stored.map(row => [row.id, row]))
  return values.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Counts, for each of these people, the open clashes that they are to resolve. */
export async function resolvedBy(db: Db, people: readonly { site_id: Id; user_id: Id }[]): Promise<number[]> {
  const { rows } = await sql<{ clashes: number }>`
    select (select count(*)::integer from clash_episode e join clash_stance s on s.site_id = e.site_id and s.episode_id = e.id
      and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null
      where e.site_id = w.site_id and e.status = 'open' and s.kind = 'resolving' and s.owner_user_id = w.user_id) as clashes
    from unnest(${people.map(one => one.site_id)}::uuid[], ${people.map(one => one.user_id)}::uuid[]) with ordinality w (site_id, user_id, n) order by w.n`.execute(
    db,
  )
  return rows.map(row => row.clashes)
}

/** Returns decisions by their ids. */
export async function stancesById(db: Db, site_id: Id, stance_ids: readonly Id[]): Promise<Map<Id, StanceRow>> {
  if (stance_ids.length === 0) return new Map()
  const { rows } = await sql<StanceRow>`select * from clash_stance where site_id = ${site_id} and id = any(${stance_ids}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, row]))
}
