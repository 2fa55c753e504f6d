import { csvOf } from '../../../../../shared/csv.ts'
import { wallOf } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { timelineOf } from '../queries/timeline.ts'

/** Returns `audit.csv` of a permit: one row for each event, in UTC and site time, with the note of its step, the hash of its own signature, and the absent receiver of a hand-back. */
export async function auditCsv(ctx: Ctx, permit: PermitRow): Promise<string> {
  const { timezone } = await siteOf(ctx, permit.site_id)
  const rows = (await timelineOf(ctx.db, permit.site_id, permit.id)).map(event => {
    const wall = wallOf(timezone, event.at)
    const { from_status, status } = event.payload as { from_status?: string; status?: string } // tellPermit wrote it
    return [
      event.at,
      `${wall.date} ${wall.time}`,
      event.actor_name,
      event.kind.replace('permit.', ''),
      from_status ?? '',
      status ?? '',
      event.note ?? '',
      event.hash ?? '',
      event.on_behalf_of ?? '',
    ]
  })
  return csvOf(['at', `at (${timezone})`, 'actor', 'action', 'from', 'to', 'note', 'hash', 'on_behalf_of'], rows)
}
