import { isOneOf } from '../../../shared/narrow.ts'
import type { Instant } from '../../../shared/time.ts'
import { ROLES, type Role } from '../../base/actor.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { andAmong } from '../../base/plans.ts'
import type { Resolution } from './domain.ts'

/** A stored task. */
export type TaskRow = {
  site_id: Id
  id: Id
  kind: string
  subject_kind: string
  subject_id: Id
  subject_label: string
  addressee_key: string
  bands: string[]
  user_ids: Id[]
  contractor_id: Id | null
  status: 'open' | 'resolved'
  urgency: 'info' | 'attention' | 'critical'
  link: string
  raised_at: Instant
  attention_at: Instant
  due_at: Instant | null
  overdue_told_at: Instant | null
  resolved_at: Instant | null
  resolved_by: Id | null
  resolution: Resolution | null
  note: string | null
}

/** The columns that are set when a task is created. */
export type RaisedRow = Pick<
  TaskRow,
  | 'id'
  | 'kind'
  | 'subject_kind'
  | 'subject_id'
  | 'subject_label'
  | 'addressee_key'
  | 'bands'
  | 'user_ids'
  | 'contractor_id'
  | 'urgency'
  | 'link'
  | 'raised_at'
  | 'attention_at'
  | 'due_at'
>

/**
 * Creates tasks of a site in one statement; one that is open already is updated (due time, start of attention, recipients) instead. Returns the ids of
 * the new ones.
 */
export async function raiseRows(db: Db, site_id: Id, tasks: readonly RaisedRow[]): Promise<Set<Id>> {
  if (tasks.length === 0) return new Set()
  const { rows } = await sql<{ id: Id; fresh: boolean }>`
    insert into task (site_id, id, kind, subject_kind, subject_id, subject_label, addressee_key, bands, user_ids, contractor_id, urgency, link, raised_at, attention_at, due_at)
    select ${site_id}::uuid, r.id, r.kind, r.subject_kind, r.subject_id, r.subject_label, r.addressee_key, r.bands, r.user_ids, r.contractor_id, r.urgency, r.link, r.raised_at,
      r.attention_at, r.due_at
    from jsonb_to_recordset(${jsonb(tasks)}::jsonb) as r(id uuid, kind text, subject_kind text, subject_id uuid, subject_label text, addressee_key text, bands text[],
      user_ids uuid[], contractor_id uuid, urgency text, link text, raised_at timestamptz, attention_at timestamptz, due_at timestamptz)
    order by r.subject_id
    on conflict (site_id, subject_id, kind, addressee_key) where status = 'open'
    do update set due_at = excluded.due_at, attention_at = excluded.attention_at, subject_label = excluded.subject_label, user_ids = excluded.user_ids, bands = excluded.bands,
      overdue_told_at = case when excluded.due_at is distinct from task.due_at then null else task.overdue_told_at end
    returning id, (xmax = 0) as fresh`.execute(db)
  return new Set(rows.filter(row => row.fresh).map(row => row.id))
}

/** Resolves the open tasks of subjects, of all kinds or of these; returns those that it ended. */
export async function resolveRows(
  db: Db,
  site_id: Id,
  subject_ids: readonly Id[],
  filter: { only?: readonly string[]; except?: readonly string[] },
  end: { at: Instant; by: Id | null; resolution: Resolution },
): Promise<{ id: Id; kind: string; subject_id: Id; subject_label: string }[]> {
  const { rows } = await sql<{ id: Id; kind: string; subject_id: Id; subject_label: string }>`
    update task set status = 'resolved', resolved_at = ${end.at}, resolved_by = ${end.by}, resolution = ${end.resolution}
    where site_id = ${site_id} and subject_id = any(${subject_ids}::uuid[]) and status = 'open'
      ${filter.only === undefined ? sql`` : sql`and kind = any(${filter.only}::text[])`}
      ${filter.except === undefined ? sql`` : sql`and kind <> all(${filter.except}::text[])`}
    returning id, kind, subject_id, subject_label`.execute(db)
  return rows
}

/** Resolves one task for the person who marked it as done. */
export async function resolveOne(
  db: Db,
  site_id: Id,
  id: Id,
  end: { at: Instant; by: Id | null; resolution: Resolution; note: string | null },
): Promise<void> {
  await db
    .updateTable('task')
    .set({ status: 'resolved', resolved_at: end.at, resolved_by: end.by, resolution: end.resolution, note: end.note })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Moves the due time (and the time from which it counts) of a subject's open tasks of a kind. */
export async function moveRows(
  db: Db,
  site_id: Id,
  subject_id: Id,
  kind: string,
  to: { due_at: Instant | null; attention_at: Instant },
): Promise<void> {
  await sql`update task set due_at = ${to.due_at}, attention_at = ${to.attention_at}, overdue_told_at = case when due_at is distinct from ${to.due_at}::timestamptz then null else overdue_told_at end
    where site_id = ${site_id} and subject_id = ${subject_id} and kind = ${kind} and status = 'open'`.execute(db)
}

/** Records that a person has seen a task. Returns whether that, or whether they are working on it, is new. */
export async function acknowledgeRow(db: Db, site_id: Id, task_id: Id, user_id: Id, at: Instant, taking: boolean): Promise<boolean> {
  const { rows } = await sql`
    insert into task_acknowledgement as a (site_id, task_id, user_id, at, taking) values (${site_id}, ${task_id}, ${user_id}, ${at}, ${taking})
    on conflict (site_id, task_id, user_id) do update set taking = excluded.taking where a.taking <> excluded.taking returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/** A person's membership of a site, as task lists need it. */
export type Stand = { site_id: Id; role: Role; contractor_id: Id | null; bands: string[] }

/** Returns the sites on which a person is an active member. */
export async function standsOf(db: Db, user_id: Id, site_id: Id | null): Promise<Omit<Stand, 'bands'>[]> {
  const rows = await db
    .selectFrom('membership as m')
    .innerJoin('site as s', 's.site_id', 'm.site_id')
    .select(['m.site_id', 'm.role', 'm.contractor_id'])
    .where('m.user_id', '=', user_id)
    .where('m.status', '=', 'active')
    .where('s.deleted_at', 'is', null)
    .where('s.nuked_at', 'is', null)
    .$if(site_id !== null, query => query.where('m.site_id', '=', site_id ?? ''))
    .execute()
  return rows.flatMap(({ role, ...row }) => (isOneOf(ROLES, role) ? [{ ...row, role }] : []))
}

/** A task in a list, with the people who have seen it. */
export type ListedTask = TaskRow & { acknowledged_by: { user_id: Id; name: string; at: Instant; taking: boolean }[]; seen_by_me: boolean }

/** Lists the tasks of one site, all of them or those addressed to this member. */
export async function tasksOn(
  db: Db,
  stand: Stand,
  user_id: Id,
  filter: {
    all: boolean
    status: readonly string[]
    ids?: readonly Id[]
    kinds?: readonly string[]
    subject_kind?: readonly string[]
    subject_id?: readonly Id[]
    attention?: boolean
    acknowledged?: boolean
    overdue?: boolean
    due_from?: Instant
    due_to?: Instant
    now: Instant
    limit: number
  },
): Promise<ListedTask[]> {
  const { rows } = await sql<ListedTask>`
    select t.*, coalesce((select jsonb_agg(jsonb_build_object('user_id', a.user_id, 'name', u.name, 'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'taking', a.taking) order by a.at)
        from task_acknowledgement a join app_user u on u.id = a.user_id where a.site_id = t.site_id and a.task_id = t.id), '[]') as acknowledged_by,
      exists (select 1 from task_acknowledgement a where a.site_id = t.site_id and a.task_id = t.id and a.user_id = ${user_id}) as seen_by_me
    from task t
    where t.site_id = ${stand.site_id} and t.status = any(${filter.status}::text[])
      ${filter.all ? sql`` : sql`and (t.bands && ${stand.bands}::text[] or ${user_id}::uuid = any(t.user_ids) or (t.contractor_id is not null and t.contractor_id = ${stand.contractor_id}::uuid))`}
      ${filter.ids === undefined ? sql`` : sql`and t.id = any(${filter.ids}::uuid[])`}
      ${filter.kinds === undefined ? sql`` : sql`and t.kind = any(${filter.kinds}::text[])`}
      ${andAmong('t.subject_kind', filter.subject_kind, 'text')}
      ${andAmong('t.subject_id', filter.subject_id, 'uuid')}
      ${filter.attention === undefined ? sql`` : filter.attention ? sql`and t.attention_at <= ${filter.now}` : sql`and t.attention_at > ${filter.now}`}
      ${filter.overdue === undefined ? sql`` : filter.overdue ? sql`and t.due_at < ${filter.now} and t.status = 'open'` : sql`and not coalesce(t.due_at < ${filter.now} and t.status = 'open', false)`}
      ${filter.acknowledged === undefined ? sql`` : sql`and exists (select 1 from task_acknowledgement a where a.site_id = t.site_id and a.task_id = t.id and a.user_id = ${user_id}) = ${filter.acknowledged}`}
      ${filter.due_from === undefined ? sql`` : sql`and t.due_at >= ${filter.due_from}`}
      ${filter.due_to === undefined ? sql`` : sql`and t.due_at < ${filter.due_to}`}
    order by (t.attention_at > ${filter.now}), (not coalesce(t.due_at < ${filter.now} and t.status = 'open', false)), case t.urgency when 'critical' then 0 when 'attention' then 1 else 2 end, t.due_at nulls last, t.id
    limit ${filter.limit}`.execute(db)
  return rows
}

/** Counts the tasks that are waiting for a member, have started to count and were not seen by them, by kind. `today` is the present site day. */
export async function unseenOn(
  db: Db,
  stand: Stand,
  user_id: Id,
  at: { now: Instant; today: { from: Instant; to: Instant } },
): Promise<{ kind: string; unread: number; overdue: number; due_today: number }[]> {
  const { rows } = await sql<{ kind: string; unread: number; overdue: number; due_today: number }>`
    select t.kind, count(*) as unread, count(*) filter (where t.due_at < ${at.now}) as overdue,
      count(*) filter (where t.due_at >= ${at.today.from} and t.due_at < ${at.today.to}) as due_today
    from task t where t.site_id = ${stand.site_id} and t.status = 'open' and t.attention_at <= ${at.now}
      and (t.bands && ${stand.bands}::text[] or ${user_id}::uuid = any(t.user_ids) or (t.contractor_id is not null and t.contractor_id = ${stand.contractor_id}::uuid))
      and not exists (select 1 from task_acknowledgement a where a.site_id = t.site_id and a.task_id = t.id and a.user_id = ${user_id})
    group by t.kind`.execute(db)
  return rows
}

/** Counts the open tasks on a site that are addressed to a member and have started to count, seen or not. */
export async function countWaiting(db: Db, stand: Stand, user_id: Id, now: Instant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from task t where t.site_id = ${stand.site_id} and t.status = 'open' and t.attention_at <= ${now}
      and (t.bands && ${stand.bands}::text[] or ${user_id}::uuid = any(t.user_ids) or (t.contractor_id is not null and t.contractor_id = ${stand.contractor_id}::uuid))`.execute(
    db,
  )
  return Number(rows[0]?.n ?? 0)
}

/** The addressees of tasks, and those of these tasks that are named by an event or a time. */
export type Addressed = Pick<TaskRow, 'bands' | 'user_ids' | 'contractor_id'> & { ids: Id[] }

/** Lists the addressees of the tasks with these ids, each with these tasks, and of the open tasks of these records. */
export async function addressedBy(db: Db, site_id: Id, ids: readonly Id[]): Promise<Addressed[]> {
  const { rows } = await sql<Addressed>`
    select bands, user_ids, contractor_id, coalesce(array_agg(id order by id) filter (where id = any(${ids}::uuid[])), '{}') as ids from task
    where site_id = ${site_id} and (id = any(${ids}::uuid[]) or (subject_id = any(${ids}::uuid[]) and status = 'open'))
    group by bands, user_ids, contractor_id`.execute(db)
  return rows
}

/** Lists the addressees of the open tasks that began to count after one time and up to another, each with these tasks. */
export async function begunBetween(db: Db, site_id: Id, after: Instant, to: Instant): Promise<Addressed[]> {
  const { rows } = await sql<Addressed>`
    select bands, user_ids, contractor_id, array_agg(id order by id) as ids from task
    where site_id = ${site_id} and status = 'open' and attention_at > ${after} and attention_at <= ${to} and attention_at > raised_at
    group by bands, user_ids, contractor_id`.execute(db)
  return rows
}

/** Lists the active members of a site who have one of these roles, belong to one of these contractors or are among these people. */
export async function membersAmong(
  db: Db,
  site_id: Id,
  of: { roles: readonly string[]; user_ids: readonly Id[]; contractor_ids: readonly Id[] },
): Promise<{ user_id: Id; role: Role; contractor_id: Id | null }[]> {
  const { rows } = await sql<{ user_id: Id; role: Role; contractor_id: Id | null }>`
    select user_id, role, contractor_id from membership where site_id = ${site_id} and status = 'active'
      and (role = any(${of.roles}::text[]) or user_id = any(${of.user_ids}::uuid[]) or contractor_id = any(${of.contractor_ids}::uuid[]))`.execute(
    db,
  )
  return rows
}

/** Returns the names of people by id. */
export async function namesOfPeople(db: Db, user_ids: readonly Id[]): Promise<Map<Id, string>> {
  if (user_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(user_ids)])
    .execute()
  return new Map(rows.map(row => [row.id, row.name]))
}

/** Lists the open tasks on a site that are addressed to this person alone: they move to a band if the person leaves. */
export async function tasksOnlyFor(db: Db, site_id: Id, user_id: Id): Promise<TaskRow[]> {
  const { rows } =
    await sql<TaskRow>`select * from task where site_id = ${site_id} and status = 'open' and user_ids = array[${user_id}::uuid] and bands = '{}' and contractor_id is null for update`.execute(
      db,
    )
  return rows
}

/** Gives a task to a band. */
export async function handToBand(db: Db, site_id: Id, id: Id, band: string): Promise<void> {
  await sql`update task set bands = array[${band}], user_ids = '{}', addressee_key = 'gate' where site_id = ${site_id} and id = ${id}`.execute(
    db,
  )
}

/** Lists the sites with an open task that is past its due time and has not been reported yet. */
export async function sitesWithOverdue(db: Db, now: Instant, on_locked: readonly string[]): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where s.deleted_at is null and s.nuked_at is null
      and exists (select 1 from task t where t.site_id = s.site_id and t.status = 'open' and t.overdue_told_at is null and t.due_at < ${now}
        and (s.locked_at is null or t.kind = any(${on_locked}::text[])))
    order by s.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/** Marks tasks of a site (of these kinds; null for all) as overdue, oldest first, up to a limit; leaves out those that another process is marking. */
export async function markOverdue(db: Db, site_id: Id, now: Instant, limit: number, kinds: readonly string[] | null): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    update task set overdue_told_at = ${now} where site_id = ${site_id} and id in (
      select id from task where site_id = ${site_id} and status = 'open' and overdue_told_at is null and due_at < ${now}
        and (${kinds}::text[] is null or kind = any(${kinds}::text[]))
      order by due_at, id limit ${limit} for no key update skip locked)
    returning *`.execute(db)
  return rows
}
