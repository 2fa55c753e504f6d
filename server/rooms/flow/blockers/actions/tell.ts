import type { Ctx } from '../../../../base/ctx.ts'
import { type BlockerRow, entriesOf } from '../queries.ts'
import { permitsOfBlockers } from './near.ts'

/** Publishes what happened to a blocker. */
export async function tell(ctx: Ctx, verb: 'declared' | 'affected_changed' | 'resolved' | 'deleted', row: BlockerRow): Promise<void> {
  const entries = await entriesOf(ctx.db, row.site_id, [row.id])
  const affected_contractor_ids = [...new Set(entries.map(entry => entry.contractor_id))]
  const permits = (await permitsOfBlockers(ctx, row.site_id, [row])).get(row.id) ?? []
  const worst = (['stops', 'slows', 'none'] as const).find(effect => entries.some(entry => entry.effect === effect)) ?? 'none'
  ctx.emit({
    kind: `blocker.${verb}`,
    site_id: row.site_id,
    subject: { kind: 'blocker', id: row.id, label: row.number },
    payload: {
      ...{ blocker_id: row.id, category: row.category, effect: worst, affected_contractor_ids, started_at: row.started_at },
      ...{ responsible_contractor_id: row.responsible_contractor_id, declared_by_id: row.created_by },
      permit_ids: [...permits].sort(),
      still_stopped: entries.some(entry => entry.to_at === null),
    },
    contractor_ids: [...new Set([...affected_contractor_ids, ...[row.responsible_contractor_id].flatMap(id => id ?? [])])],
  })
}
