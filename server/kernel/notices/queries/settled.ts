import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** The event that made notifications pointless, with the records that they are about. */
export type Settling = { site_id: Id; id: Id; event_no: number; subject_ids: readonly Id[]; at: Instant }

/** Marks unread notifications of these kinds about some records as read, if they were made for earlier events: what they ask for has been done. */
export async function settleNotifications(
  db: Db,
  { site_id, id, event_no, subject_ids, at }: Settling,
  kinds: readonly string[],
  now: Instant,
): Promise<void> {
  // Two statements, because almost always there are none, and because one with a locked selection in it reads every notification of the site.
  const { rows } = await sql<{ id: Id }>`
    select n.id from notification n where n.site_id = ${site_id} and n.subject_id = any(${subject_ids}::uuid[]) and n.read_at is null
      and n.kind = any(${kinds}::text[]) and n.event_no < ${event_no}`.execute(db)
  const ids = rows.map(row => row.id).sort()
  if (ids.length === 0) return
  await sql`
    update notification set read_at = ${at}, settled_at = ${at}, settled_event_id = ${id}, updated_at = ${now}
    where site_id = ${site_id} and id = any(${ids}::uuid[]) and read_at is null`.execute(db)
}
