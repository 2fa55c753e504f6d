import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { aliveAt, type Facts } from '../../../kernel/placed/door.ts'
import { countByContractor } from '../../../kernel/site/door.ts'
import { LONGEST_HOURS } from './domain.ts'

/** What decides whether a gang is in two places: who it is, and when it works. */
export type Gang = { site_id: Id; contractor_id: Id | null; name: string }
/** A time for which a gang is on the map. */
export type Booking = { id: Id; start_at: Instant; end_at: Instant }

const MOST = 100

/** Returns for each booking of a gang the records of the same gang at other places during that time, the first hundred by start; none for one without any. */
export async function bookedTwice(db: Db, { site_id, contractor_id, name }: Gang, bookings: readonly Booking[]): Promise<Map<Id, Id[]>> {
  // `is not distinct from` would scan all workers of the site; no worker is on the map for longer than the limit, so only the days around are read.
  const owner = contractor_id === null ? sql`t.contractor_id is null` : sql`t.contractor_id = ${contractor_id}`
  const { rows } = await sql<{ of: Id; id: Id }>`
    select b.id as of, t.id
    from unnest(${bookings.map(({ id }) => id)}::uuid[], ${bookings.map(one => one.start_at)}::timestamptz[],
      ${bookings.map(one => one.end_at)}::timestamptz[]) b (id, start_at, end_at)
    cross join lateral (
      select t.id, t.start_at from worker t
      where t.site_id = ${site_id} and ${owner} and lower(t.name) = lower(${name}) and t.deleted_at is null and t.id <> b.id
        and t.start_at < b.end_at and t.start_at > b.start_at - ${LONGEST_HOURS} * interval '1 hour' and t.end_at > b.start_at
      order by t.start_at, t.id limit ${MOST}) t
    order by t.start_at, t.id`.execute(db)
  return new Map([...Map.groupBy(rows, row => row.of)].map(([of, found]) => [of, found.map(({ id }) => id)]))
}

/** Counts the workers and gangs of contractors that are on the map at an instant; one without a contractor is the main contractor's. */
export const workersAt = (db: Db, site_id: Id, contractor_ids: readonly Id[], at: Instant): Promise<Map<Id, number>> =>
  countByContractor(db, 'worker', site_id, contractor_ids, aliveAt(at))

/** What conditions can ask about workers and gangs, besides what everything on the map has. */
export const facts: Facts = () => ({ trade: sql`t.trade`, headcount: sql`t.headcount`, schedule_group_id: sql`t.schedule_group_id` })
