import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { allKinds, type Kind } from '../records/door.ts'

/** The part of an event that an open app can receive, and the facts that decide whether it can. */
export type Heard = {
  id: Id
  site_id: Id
  event_no: number
  kind: string
  at: Instant
  actor_id: Id | null
  subject_kind: string
  subject_id: Id
  /** The records of the kind of its subject that it is about; null if that is the subject alone. */
  ids: readonly Id[] | null
  request_id: string
  /** What decided who sees its subject, as far as its request has changed that: the earlier values, by column; null if nothing of it has changed. */
  before: Record<string, unknown> | null
}

/** Returns the last event number and the map revision of these sites. */
export async function headsOf(db: Db, site_ids: readonly Id[]): Promise<Map<Id, { event_no: number; revision: number }>> {
  if (site_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_head')
    .select(['site_id', 'event_no', 'revision'])
    .where('site_id', 'in', [...site_ids])
    .execute()
  return new Map(rows.map(({ site_id, event_no, revision }) => [site_id, { event_no, revision }]))
}

/**
 * Lists a site's events after one number and up to another, in commit order. What has changed who sees a record is in its audit log, which is searched only for kinds
 * that say which columns decide that. A record that was created was not seen before.
 */
export async function eventsAfter(db: Db, site_id: Id, after: number, to: number, limit: number): Promise<Heard[]> {
  const decide = allKinds().flatMap(({ name, sight }) => sight.map(column => `${name}.${column}`))
  const decided = allKinds().flatMap(({ name, sight }) => (sight.length > 0 ? [name] : []))
  const { rows } = await sql<Heard>`
    select id, site_id, event_no, kind, at, actor_id, subject_kind, subject_id, request_id,
      case when starts_with(kind, 'map_entity.') and payload ->> 'kind' = subject_kind then payload -> 'ids' end as ids,
      case when subject_kind = any(${decided}::text[]) then (
        select jsonb_object_agg(c.value ->> 'path', c.value -> 'before')
        from (
          select seq, changes from audit_entry a where a.site_id = e.site_id and a.entity_id = e.subject_id and a.request_id = e.request_id
            and a.entity_type = e.subject_kind order by seq desc limit 1
        ) a, jsonb_array_elements(a.changes) c
        where e.subject_kind || '.' || (c.value ->> 'path') = any(${decide}::text[])
          and exists (select 1 from audit_entry p where p.site_id = e.site_id and p.entity_id = e.subject_id and p.seq < a.seq)
      ) end as before
    from event e
    where site_id = ${site_id} and event_no > ${after} and event_no <= ${to} order by event_no limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns what decides who sees the records of a kind that a request has written, as they are and as they were before: each combination once, because an import has
 * thousands of records and few contractors.
 */
export async function sightsWritten(db: Db, kind: Kind, site_id: Id, request_id: string): Promise<Record<string, unknown>[]> {
  const facts = sql`jsonb_build_object(${sql.join(kind.sight.flatMap(column => [sql.lit(column), sql.ref(`t.${column}`)]))})`
  const { rows } = await sql<{ facts: Record<string, unknown> }>`
    with written as materialized (
      select entity_id, seq, changes from audit_entry where site_id = ${site_id} and request_id = ${request_id} and entity_type = ${kind.name}
    )
    select ${facts} as facts from written w join ${sql.table(kind.table)} t on t.site_id = ${site_id} and t.id = w.entity_id
    union
    select coalesce(${facts}, '{}') || coalesce(b.earlier, '{}') from written w
      left join ${sql.table(kind.table)} t on t.site_id = ${site_id} and t.id = w.entity_id
      cross join lateral (
        select jsonb_object_agg(c.value ->> 'path', c.value -> 'before') as earlier from jsonb_array_elements(w.changes) c
        where c.value ->> 'path' = any(${kind.sight}::text[])
      ) b
      where (t.id is not null or b.earlier is not null)
        and exists (select 1 from audit_entry p where p.site_id = ${site_id} and p.entity_id = w.entity_id and p.seq < w.seq)`.execute(db)
  return rows.map(row => row.facts)
}

/** Returns the number of the first event of a site since this time; one more than the last if there is none. */
export async function firstSince(db: Db, site_id: Id, since: Instant, head: number): Promise<number> {
  // Numbers follow commits, so the newest event before the time bounds the rest: read backwards from the end, at most as many as can be replayed.
  const { rows } = await sql<{ first: number | null }>`
    select min(event_no) as first from (select event_no, at from event where site_id = ${site_id} order by event_no desc limit 10000) e where at >= ${since}`.execute(
    db,
  )
  return rows[0]?.first ?? head + 1
}

/** Returns the sites on which a person is an active member. */
export async function sitesOfMember(db: Db, user_id: Id): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select m.site_id from membership m join site s on s.site_id = m.site_id and s.deleted_at is null and s.nuked_at is null
    where m.user_id = ${user_id} and m.status = 'active' order by m.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/** What an open app was signed in with: `family` is its session of the built-in provider, if it has one. */
export type OpenAccess = { user_id: Id; family: string | null; is_superadmin: boolean }

/** Returns those of these apps whose session or account has ended, or whose person became a superadmin or is no longer one. */
export async function changedAccess(db: Db, open: readonly OpenAccess[]): Promise<(OpenAccess & { ended: boolean })[]> {
  if (open.length === 0) return []
  const { rows } = await sql<OpenAccess & { ended: boolean }>`
    select * from (
      select distinct o.user_id, o.family, o.is_superadmin, coalesce(u.is_superadmin, false) as is_superadmin_now,
        u.id is null or u.disabled_at is not null
          or (o.family is not null and not exists (select 1 from oidc_item g where g.kind = 'Grant' and g.grant_hash = o.family)) as ended
      from unnest(${open.map(one => one.user_id)}::uuid[], ${open.map(one => one.family)}::text[], ${open.map(one => one.is_superadmin)}::boolean[])
        o (user_id, family, is_superadmin)
      left join app_user u on u.id = o.user_id
    ) o where ended or is_superadmin <> is_superadmin_now`.execute(db)
  return rows
}

/** The open sockets that a process has reported. */
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

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    'live_process.state': LiveRow['state']
  }
}

/** Reports the open sockets of a process. */
export async function saveProcess(db: Db, row: LiveRow): Promise<void> {
  const state = jsonb(row.state)
  await db
    .insertInto('live_process')
    .values({ ...row, state })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ at: row.at, state }))
    .execute()
}

/** Deletes the report of a process that has ended. */
export async function dropProcess(db: Db, id: Id): Promise<void> {
  await db.deleteFrom('live_process').where('id', '=', id).execute()
}

/** Lists the processes that have reported since this time. */
export async function liveProcesses(db: Db, since: Instant): Promise<LiveRow[]> {
  return db.selectFrom('live_process').selectAll().where('at', '>=', since).orderBy('id').execute()
}
