import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** The part of an event that an open app can receive, with what decides whether it can. */
export type Heard = {
  site_id: Id
  event_no: number
  kind: string
  at: Instant
  actor_id: Id | null
  subject_kind: string
  subject_id: Id
  request_id: string
}

/** Where the events of these sites are, and what their maps look like. */
export async function headsOf(db: Db, site_ids: readonly Id[]): Promise<Map<Id, { event_no: number; revision: number }>> {
  if (site_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_head')
    .select(['site_id', 'event_no', 'revision'])
    .where('site_id', 'in', [...site_ids])
    .execute()
  return new Map(rows.map(({ site_id, event_no, revision }) => [site_id, { event_no, revision }]))
}

/** Events of a site behind one number up to another, in commit order. */
export async function eventsAfter(db: Db, site_id: Id, after: number, to: number, limit: number): Promise<Heard[]> {
  const { rows } = await sql<Heard>`
    select site_id, event_no, kind, at, actor_id, subject_kind, subject_id, request_id from event
    where site_id = ${site_id} and event_no > ${after} and event_no <= ${to} order by event_no limit ${limit}`.execute(db)
  return rows
}

/** Number of the first event of a site since then; one more than the last where there is none. */
export async function firstSince(db: Db, site_id: Id, since: Instant, head: number): Promise<number> {
  // Numbers follow commits, so the newest that is older bounds the rest: read backwards from the end, at most as many as can be played again.
  const { rows } = await sql<{ first: number | null }>`
    select min(event_no) as first from (select event_no, at from event where site_id = ${site_id} order by event_no desc limit 10000) e where at >= ${since}`.execute(
    db,
  )
  return rows[0]?.first ?? head + 1
}

/** What a process said that it has open. */
export type LiveRow = {
  id: Id
  at: Instant
  state: {
    connections: number
    users: number
    subscriptions: number
    queue_frames: number
    lag_ms: number
    sites: Record<Id, { subscribers: number; users: number }>
    last_minute: Record<string, number>
  }
}

/** Says what a process has open. */
export async function saveProcess(db: Db, row: LiveRow): Promise<void> {
  const state = jsonb(row.state)
  await db
    .insertInto('live_process')
    .values({ ...row, state })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ at: row.at, state }))
    .execute()
}

/** A process has ended. */
export async function dropProcess(db: Db, id: Id): Promise<void> {
  await db.deleteFrom('live_process').where('id', '=', id).execute()
}

/** Processes that spoke since then. */
export async function liveProcesses(db: Db, since: Instant): Promise<LiveRow[]> {
  const rows = await db.selectFrom('live_process').selectAll().where('at', '>=', since).orderBy('id').execute()
  return rows as unknown as LiveRow[] // state as this kernel writes it
}
