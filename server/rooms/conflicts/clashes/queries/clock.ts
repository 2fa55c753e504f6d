import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

const over = (now: Instant) => sql`e.status = 'open' and e.look_at <= ${now}::timestamptz`
const toAsk = (now: Instant) => sql`a.task_at <= ${now}::timestamptz and not a.task_raised`
const late = (now: Instant) => sql`a.overdue_at <= ${now}::timestamptz and not a.overdue_raised`

/** Returns the sites on which the clock alone has changed something. */
export async function sitesToFollow(db: Db, now: Instant): Promise<Id[]> {
  const asked = (condition: ReturnType<typeof sql>) =>
    sql`exists (select 1 from clash_asked a where a.site_id = k.site_id and ${condition})`
  const { rows } = await sql<{ site_id: Id }>`
    select k.site_id from clash_site k join site s on s.site_id = k.site_id and s.deleted_at is null and s.nuked_at is null
    where exists (select 1 from clash_episode e where e.site_id = k.site_id and ${over(now)}) or ${asked(toAsk(now))} or ${asked(late(now))} or exists (
      select 1 from delivery t where t.site_id = k.site_id and t.status = 'arrived' and t.left_at is null and t.deleted_at is null
        and t.slot_end_at > k.followed_to and t.slot_end_at <= ${now}::timestamptz)`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns the episodes whose people have to be asked now. */
export async function episodesToAsk(db: Db, site_id: Id, now: Instant, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select a.episode_id as id from clash_asked a where a.site_id = ${site_id} and (${toAsk(now)} or ${late(now)}) order by a.episode_id limit ${limit}`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns the sites whose horizon has to be moved. */
export async function sitesToMove(db: Db, before: Instant): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select k.site_id from clash_site k join site s on s.site_id = k.site_id and s.deleted_at is null and s.nuked_at is null
    where k.horizon_to <= ${before}::timestamptz`.execute(db)
  return rows.map(row => row.site_id)
}
