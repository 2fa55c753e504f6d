import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Facts } from '../../../kernel/placed/door.ts'

/** What decides whether a gang is in two places. */
export type Booking = { site_id: Id; id: Id; contractor_id: Id | null; name: string; start_at: Instant; end_at: Instant }

/** Returns the records of the same gang that are at another place during the same time, the first hundred by start. */
export async function bookedTwice(db: Db, { site_id, id, contractor_id, name, start_at, end_at }: Booking): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from worker t
    where t.site_id = ${site_id} and t.contractor_id is not distinct from ${contractor_id} and lower(t.name) = lower(${name}) and t.deleted_at is null
      and t.id <> ${id} and tstzrange(t.start_at, t.end_at) && tstzrange(${start_at}::timestamptz, ${end_at}::timestamptz)
    order by t.start_at, t.id limit 100`.execute(db)
  return rows.map(row => row.id)
}

/** What conditions can ask about workers and gangs, besides what everything on the map has. */
export const facts: Facts = () => ({ trade: sql`t.trade`, headcount: sql`t.headcount`, schedule_group_id: sql`t.schedule_group_id` })
