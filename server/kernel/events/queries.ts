import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import { type Id, PLATFORM } from '../../base/ids.ts'
import type { EventRow } from './domain.ts'

/** Locks a consumer's cursor on a site until the end of the transaction; null while another process has the lock. */
export async function holdCursor(db: Db, site_id: Id, consumer: string): Promise<number | null> {
  await sql`insert into event_cursor (site_id, consumer) values (${site_id}, ${consumer}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{
    event_no: number
  }>`select event_no from event_cursor where site_id = ${site_id} and consumer = ${consumer} for update skip locked`.execute(db)
  return rows[0]?.event_no ?? null
}

/** Moves a cursor that this transaction has locked. */
export async function moveCursor(db: Db, site_id: Id, consumer: string, event_no: number): Promise<void> {
  await db.updateTable('event_cursor').set({ event_no }).where('site_id', '=', site_id).where('consumer', '=', consumer).execute()
}

/** Lists the sites on which one of these consumers is behind, or has an event to try again now. Deleted sites are left out until they are restored. */
export async function sitesBehind(db: Db, consumers: readonly string[], now: Instant): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select h.site_id from site_head h join site s on s.site_id = h.site_id and s.deleted_at is null and s.nuked_at is null
    where exists (select 1 from unnest(${consumers}::text[]) n (consumer)
      left join event_cursor c on c.site_id = h.site_id and c.consumer = n.consumer where coalesce(c.event_no, 0) < h.event_no)
    union
    select w.site_id from event_waiting w join site s on s.site_id = w.site_id and s.deleted_at is null and s.nuked_at is null
    where w.consumer = any(${consumers}::text[]) and w.parked_at is null and (w.next_at is null or w.next_at <= ${now})
      and not exists (select 1 from event_waiting b where b.site_id = w.site_id and b.consumer = w.consumer and b.subject_id = w.subject_id and b.event_no < w.event_no)`.execute(
    db,
  )
  return rows.map(row => row.site_id)
}

/** Returns how many events these consumers still have to handle, and the time of the oldest one. */
export async function backlog(db: Db, consumers: readonly string[]): Promise<{ pending: number; oldest_at: Instant | null }> {
  const { rows } = await sql<{ pending: number; oldest_at: Instant | null }>`
    select coalesce(sum(h.event_no - coalesce(c.event_no, 0)), 0)::bigint as pending,
      min((select e.at from event e where e.site_id = h.site_id and e.event_no = coalesce(c.event_no, 0) + 1)) as oldest_at
    from site_head h join site s on s.site_id = h.site_id and s.deleted_at is null and s.nuked_at is null
    cross join unnest(${consumers}::text[]) n (consumer)
    left join event_cursor c on c.site_id = h.site_id and c.consumer = n.consumer
    where h.event_no > coalesce(c.event_no, 0) and h.site_id <> ${PLATFORM}`.execute(db)
  return rows[0] ?? { pending: 0, oldest_at: null }
}

/** Returns the number of the last committed event of each of these sites. */
export async function lastEvents(db: Db, site_ids: readonly Id[]): Promise<Map<Id, number>> {
  if (site_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_head')
    .select(['site_id', 'event_no'])
    .where('site_id', 'in', [...site_ids])
    .execute()
  return new Map(rows.map(row => [row.site_id, row.event_no]))
}

/** Returns how far a consumer has come on these sites; sites on which it has not started are left out. */
export async function cursorsOf(db: Db, site_ids: readonly Id[], consumer: string): Promise<Map<Id, number>> {
  if (site_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_cursor')
    .select(['site_id', 'event_no'])
    .where('site_id', 'in', [...site_ids])
    .where('consumer', '=', consumer)
    .execute()
  return new Map(rows.map(row => [row.site_id, row.event_no]))
}

/** Returns how many events of these kinds come after a number. */
export async function eventsAfter(db: Db, site_id: Id, after: number, kinds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from event where site_id = ${site_id} and event_no > ${after} and kind = any(${kinds}::text[])`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Lists the events of these kinds after one number and up to another, in commit order. */
export async function eventsBetween(
  db: Db,
  site_id: Id,
  after: number,
  to: number,
  kinds: readonly string[],
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select * from event where site_id = ${site_id} and event_no > ${after} and event_no <= ${to} and kind = any(${kinds}::text[])
    order by event_no limit ${limit}`.execute(db)
  return rows
}

/** Records that a consumer has handled events; returns those that it hadn’t handled before. */
export async function noteReceipts(db: Db, site_id: Id, consumer: string, event_ids: readonly Id[], at: Instant): Promise<Set<Id>> {
  if (event_ids.length === 0) return new Set()
  const { rows } = await sql<{ event_id: Id }>`
    insert into event_receipt (site_id, consumer, event_id, handled_at)
    select ${site_id}, ${consumer}, id, ${at} from unnest(${event_ids}::uuid[]) id
    on conflict do nothing returning event_id`.execute(db)
  return new Set(rows.map(row => row.event_id))
}

/** Deletes receipts that are older than this; the cursors have long passed them. */
export async function dropOldReceipts(db: Db, before: Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('event_receipt').where('handled_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns the subjects that have an event waiting for this consumer. */
export async function subjectsWaiting(db: Db, site_id: Id, consumer: string): Promise<Set<Id>> {
  const { rows } = await sql<{ subject_id: Id }>`
    select distinct subject_id from event_waiting where site_id = ${site_id} and consumer = ${consumer}`.execute(db)
  return new Set(rows.map(row => row.subject_id))
}

/** Sets an event aside: after a failed attempt until `next_at`, or behind another event of its subject. */
export async function putWaiting(
  db: Db,
  event: Pick<EventRow, 'site_id' | 'event_no' | 'subject_id'>,
  consumer: string,
  how: { attempts: number; next_at: Instant | null; error: string | null },
): Promise<void> {
  const { site_id, event_no, subject_id } = event
  await db
    .insertInto('event_waiting')
    .values({ site_id, consumer, event_no, subject_id, ...how })
    .execute()
}

/** Returns the next event that a consumer must try again now: the first of its subject. */
export async function nextWaiting(db: Db, site_id: Id, consumer: string, now: Instant): Promise<(EventRow & { attempts: number }) | null> {
  const { rows } = await sql<EventRow & { attempts: number }>`
    select e.*, w.attempts from event_waiting w join event e on e.site_id = w.site_id and e.event_no = w.event_no
    where w.site_id = ${site_id} and w.consumer = ${consumer} and w.parked_at is null and (w.next_at is null or w.next_at <= ${now})
      and not exists (select 1 from event_waiting b where b.site_id = w.site_id and b.consumer = w.consumer and b.subject_id = w.subject_id and b.event_no < w.event_no)
    order by w.event_no limit 1`.execute(db)
  return rows[0] ?? null
}

/** Ends the waiting of an event that has been handled. */
export async function endWaiting(db: Db, site_id: Id, consumer: string, event_no: number): Promise<void> {
  await db
    .deleteFrom('event_waiting')
    .where('site_id', '=', site_id)
    .where('consumer', '=', consumer)
    .where('event_no', '=', event_no)
    .execute()
}

/** Records that another attempt failed: when the next one is due, or that the event is parked. */
export async function failWaiting(
  db: Db,
  site_id: Id,
  consumer: string,
  event_no: number,
  how: { attempts: number; next_at: Instant | null; parked_at: Instant | null; error: string },
): Promise<void> {
  await db
    .updateTable('event_waiting')
    .set(how)
    .where('site_id', '=', site_id)
    .where('consumer', '=', consumer)
    .where('event_no', '=', event_no)
    .execute()
}

/** Gives every parked event one more attempt: after a restart, the code may have changed. */
export async function unpark(db: Db, now: Instant, attempts: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('event_waiting')
    .set({ parked_at: null, next_at: now, attempts })
    .where('parked_at', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Returns the newest event of a kind on a site since an instant; null if there is none. */
export async function newestOf(
  db: Db,
  site_id: Id,
  kind: string,
  since: Instant | null = null,
  payload: Record<string, unknown> = {},
): Promise<EventRow | null> {
  const { rows } = await sql<EventRow>`
    select * from event where site_id = ${site_id} and kind = ${kind} ${since === null ? sql`` : sql`and at >= ${since}`} and payload @> ${jsonb(payload)}::jsonb
    order by event_no desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Lists the events of a kind on a site since an instant, in commit order. */
export async function eventsSince(db: Db, site_id: Id, kind: string, since: Instant, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select * from (select * from event where site_id = ${site_id} and kind = ${kind} and at >= ${since} order by event_no desc limit ${limit}) e order by event_no`.execute(
    db,
  )
  return rows
}

/** Returns the event with this id; null if the site has none. */
export async function eventById(db: Db, site_id: Id, id: Id): Promise<EventRow | null> {
  const { rows } = await sql<EventRow>`select * from event where site_id = ${site_id} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The channel on which processes notify each other of new events. */
export const NEWS = 'walkdown_events'
/** The message on that channel when a session or an account has ended; the database sends it (`notify_of_access`). */
export const ACCESS = 'access'

/** The `thing` of a message to one person who has become a member of a site. */
export const JOINED = 'membership'

/** What changed for one person alone, for their open apps: notifications that they have read on another device, for example. `more`: there are others than these. */
export type ForPerson = { user_id: Id; thing: string; site_id: Id; ids: readonly Id[]; more: boolean }

/** Notifies the open apps of people, in all processes, once the transaction commits. Like every message between processes, it can be lost, and must have less than 8,000 bytes. */
export async function tellPeople(db: Db, all: readonly ForPerson[]): Promise<void> {
  if (all.length === 0) return
  const texts = all.map(one => JSON.stringify(one))
  await sql`select pg_notify(${NEWS}, t) from unnest(${texts}::text[]) t`.execute(db)
}
