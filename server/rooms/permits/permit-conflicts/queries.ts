import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { PermitRow } from '../kit/queries/permits.ts'

/** With how many other permits a permit conflicts. */
export type Counts = { red: number; amber: number }

/** Returns the permits of these episodes between two permits, each with the counts of the last event. */
export async function permitsOfEpisodes(db: Db, site_id: Id, episode_ids: readonly Id[]): Promise<(PermitRow & { told: Counts })[]> {
  const { rows } = await sql<PermitRow & { told: Counts }>`
    select p.*, jsonb_build_object('red', coalesce(t.red, 0), 'amber', coalesce(t.amber, 0)) as told
    from permit p left join permit_conflicts_told t on t.site_id = p.site_id and t.permit_id = p.id
    where p.site_id = ${site_id} and p.id in (
      select unnest(array[e.lineage_a, e.lineage_b]) from clash_episode e
      where e.site_id = ${site_id} and e.id = any(${episode_ids}::uuid[]) and e.a ->> 'kind' = 'permit' and e.b ->> 'kind' = 'permit')
    order by p.id`.execute(db)
  return rows
}

/** Keeps the counts that an event has. */
export async function saveTold(db: Db, site_id: Id, counts: readonly (Counts & { permit_id: Id })[]): Promise<void> {
  if (counts.length === 0) return
  await sql`
    insert into permit_conflicts_told (site_id, permit_id, red, amber)
    select ${site_id}::uuid, r.permit_id, r.red, r.amber from jsonb_to_recordset(${jsonb(counts)}::jsonb) r (permit_id uuid, red integer, amber integer)
    on conflict (site_id, permit_id) do update set red = excluded.red, amber = excluded.amber`.execute(db)
}
