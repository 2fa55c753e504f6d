import { dateOn, plusDays, startOfDay } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type Because, enforce, explain, guard, invalidField, refuse, type Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { PAGE, positionIn, slice } from '../../../base/paging.ts'
import type { Static } from '../../../base/schema.ts'
import { shownFlags } from '../../../kernel/access/domain.ts'
import { caughtUp } from '../../../kernel/events/door.ts'
import { lockOf, siteOf } from '../../../kernel/site/door.ts'
import { isOverdue, urgencyOf } from '../../../kernel/tasks/domain.ts'
import {
  acknowledgeRow,
  actFlag,
  allTasks,
  countWaiting,
  type ListedTask,
  namesOfPeople,
  type Otherwise,
  pendingOn,
  placesOf,
  resolveOne,
  type Stand,
  type TaskRow,
  taskKind,
  tasksOn,
  unseenOn,
} from '../../../kernel/tasks/door.ts'
import type { ResolveTask, TaskFilter, WaitingQuery } from './schema.ts'

function resolvable(task: TaskRow) {
  const kind = taskKind(task.kind)
  return kind.manual_resolve
    ? null
    : guard('manual_resolve', `You can’t mark this task as resolved yourself. To resolve it, ${kind.resolves_when}.`, {
        resolves_when: kind.resolves_when,
      })
}

/** Returns whether the caller can see what the subject of a task of others is called: whose request to join waits, for example. */
const seesLabel = ({ actor }: Ctx, { kind }: TaskRow): boolean => {
  const { label_seen_with } = taskKind(kind)
  return label_seen_with === undefined || actor.can(label_seen_with)
}

/** Returns tasks as the API shows them. `all`: they are those of the whole site, and not only the caller’s. */
async function shown(ctx: Ctx, tasks: readonly ListedTask[], all = false): Promise<Record<string, unknown>[]> {
  const acts = await actFlag(ctx, tasks)
  const locks = new Map<Id, Verdict>()
  for (const site_id of new Set(tasks.map(task => task.site_id))) locks.set(site_id, await lockOf(ctx, site_id))
  return tasks.map(task => {
    const overdue = isOverdue(task, ctx.now)
    const { seen_by_me, subject_kind, subject_id, subject_label, ...row } = task
    const act: { allowed: boolean; because: Because[] } = acts.get(task.id) ?? { allowed: task.status === 'open', because: [] }
    return {
      ...row,
      title: taskKind(task.kind).title,
      subject: { kind: subject_kind, id: subject_id, label: !all || seesLabel(ctx, task) ? subject_label : '' },
      overdue,
      urgency: urgencyOf(task.urgency, overdue),
      acknowledged_by_me: seen_by_me,
      permissions: shownFlags({ resolve: explain([resolvable(task), locks.get(task.site_id) ?? null]), act }),
    }
  })
}

/** Lists the tasks of the caller on all their sites (or one): attention first, then overdue, urgency, due time. */
export async function listTasks(ctx: Ctx, filter: TaskFilter): Promise<{ rows: unknown[]; next: string | null }> {
  if (ctx.actor.id === null) return { rows: [], next: null }
  const all = filter.scope === 'site'
  if (all)
    enforce([filter.site_id === undefined ? invalidField('site_id', 'is required for scope=site.') : ctx.actor.lacks('task_view_all')])
  const limit = filter.limit ?? PAGE
  const position = positionIn(filter.cursor)
  const most = position.after + limit
  const found: ListedTask[] = []
  for (const stand of await upToDatePlaces(ctx, filter.site_id)) found.push(...(await tasksAt(ctx, stand, filter, all, most + 1)))
  const { rows, next } = slice(found.sort(inOrder(ctx.now)).slice(0, most), position, limit, found.length > most)
  return { rows: await shown(ctx, rows, all), next }
}

function tasksAt(ctx: Ctx, stand: Stand, filter: TaskFilter, all: boolean, limit: number): Promise<ListedTask[]> {
  return tasksOn(ctx.db, stand, ctx.actor.id ?? '', {
    all,
    status: filter.status ?? ['open'],
    ...(filter.id === undefined ? {} : { ids: filter.id }),
    ...(filter.kind === undefined ? {} : { kinds: filter.kind }),
    ...(filter.subject_kind === undefined ? {} : { subject_kind: filter.subject_kind }),
    ...(filter.subject_id === undefined ? {} : { subject_id: filter.subject_id }),
    ...(filter.acknowledged === undefined ? {} : { acknowledged: filter.acknowledged }),
    ...(filter.overdue === undefined ? {} : { overdue: filter.overdue }),
    ...(filter.attention === undefined ? {} : { attention: filter.attention }),
    ...(filter.from === undefined ? {} : { due_from: filter.from }),
    ...(filter.to === undefined ? {} : { due_to: filter.to }),
    now: ctx.now,
    limit,
  })
}

const URGENCIES = ['critical', 'attention', 'info']

type Ordered = Pick<ListedTask, 'attention_at' | 'due_at' | 'urgency'> & { id?: Id; key?: string; status?: string }

const late = (one: Ordered, now: string) => isOverdue({ status: one.status ?? 'open', due_at: one.due_at }, now)

const inOrder = (now: string) => (a: Ordered, b: Ordered) =>
  Number(a.attention_at > now) - Number(b.attention_at > now) ||
  Number(late(b, now)) - Number(late(a, now)) ||
  URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency) ||
  (a.due_at ?? '9').localeCompare(b.due_at ?? '9') ||
  (a.id ?? a.key ?? '').localeCompare(b.id ?? b.key ?? '')

/** Returns the caller's sites, or the given one; none for a caller who isn’t a person. */
const ownPlaces = async (ctx: Ctx, site_id?: Id): Promise<Stand[]> =>
  ctx.actor.id === null ? [] : placesOf(ctx, ctx.actor.id, site_id ?? null)

/** Returns the same. Waits, at most two seconds, for the tasks of what happened there before this request. */
async function upToDatePlaces(ctx: Ctx, site_id?: Id): Promise<Stand[]> {
  const places = await ownPlaces(ctx, site_id)
  await caughtUp(
    ctx.house,
    places.map(place => place.site_id),
    ({ raises_tasks }) => raises_tasks === true,
  )
  return places
}

const WAITING_PAGE = 500
type WaitingRow = Pick<ListedTask, 'site_id' | 'kind' | 'link' | 'attention_at' | 'due_at' | 'urgency' | 'acknowledged_by'> & {
  key: string
  task_id: Id | null
  title: string
  subject: { kind: string; id: Id; label: string }
  since: string
  who_can: { id: Id; name: string }[]
  otherwise: Otherwise | null
  act: { allowed: boolean; because: Because[] }
}

/** Lists what is waiting for the caller: open tasks addressed to them, and what records need from them alone. */
export async function listWaiting(ctx: Ctx, query: WaitingQuery): Promise<{ rows: unknown[]; next: string | null }> {
  const limit = query.limit ?? WAITING_PAGE
  const position = positionIn(query.cursor)
  const most = position.after + limit
  const rows: WaitingRow[] = []
  for (const stand of await upToDatePlaces(ctx, query.site_id)) {
    const tasks = await tasksAt(ctx, stand, {}, false, most + 1)
    const acts = await actFlag(ctx, tasks)
    const barred = tasks.filter(task => acts.get(task.id)?.allowed === false)
    const names = await namesOfPeople(
      ctx.db,
      barred.flatMap(task => task.user_ids),
    )
    for (const task of tasks) {
      const act = acts.get(task.id) ?? { allowed: true, because: [] }
      const others = act.allowed ? [] : task.user_ids.filter(id => id !== ctx.actor.id)
      rows.push({
        key: task.id,
        task_id: task.id,
        site_id: task.site_id,
        kind: task.kind,
        title: taskKind(task.kind).title,
        subject: { kind: task.subject_kind, id: task.subject_id, label: task.subject_label },
        link: task.link,
        since: task.raised_at,
        attention_at: task.attention_at,
        due_at: task.due_at,
        urgency: task.urgency,
        acknowledged_by: task.acknowledged_by,
        who_can: others.flatMap(id => (names.has(id) ? [{ id, name: names.get(id) ?? '' }] : [])),
        otherwise: null,
        act,
      })
    }
    for (const { since, act, otherwise, ...one } of await pendingOn(ctx, stand.site_id))
      rows.push({
        ...one,
        key: `${one.kind} ${one.subject.id}`,
        task_id: null,
        site_id: stand.site_id,
        since,
        attention_at: since,
        urgency: 'attention',
        acknowledged_by: [],
        who_can: [],
        otherwise: act.allowed ? null : otherwise,
        act,
      })
  }
  const page = slice(rows.sort(inOrder(ctx.now)).slice(0, most), position, limit, rows.length > most)
  const shown = page.rows.map(({ act, urgency, ...row }) => {
    const overdue = isOverdue({ status: 'open', due_at: row.due_at }, ctx.now)
    return { ...row, overdue, urgency: urgencyOf(urgency, overdue), permissions: shownFlags({ act }) }
  })
  return { rows: shown, next: page.next }
}

/** Lists every kind of task, the same for everyone. */
export const listActionKinds = () => allTasks()

const waitingOn = async (ctx: Ctx, stand: Stand): Promise<number> =>
  (await countWaiting(ctx.db, stand, ctx.actor.id ?? '', ctx.now)) + (await pendingOn(ctx, stand.site_id)).length

/** Counts what is waiting for the caller now, on all their sites; the same number as `waiting` of `countUnread`, with less work. */
export async function countAllWaiting(ctx: Ctx): Promise<number> {
  let waiting = 0
  for (const stand of await ownPlaces(ctx)) waiting += await waitingOn(ctx, stand)
  return waiting
}

/** Counts what is waiting for the caller now, and how many of their tasks they haven't seen. */
export async function countUnread(
  ctx: Ctx,
  site_id: Id | undefined,
): Promise<{ unread: number; waiting: number; [more: string]: unknown }> {
  const by_kind: Record<string, number> = {}
  const by_site: { site_id: Id; unread: number; waiting: number }[] = []
  let [unread, overdue, due_today, waiting] = [0, 0, 0, 0]
  for (const stand of await upToDatePlaces(ctx, site_id)) {
    const { timezone } = await siteOf(ctx, stand.site_id)
    const date = dateOn(timezone, ctx.now)
    const today = { from: startOfDay(timezone, date), to: startOfDay(timezone, plusDays(date, 1)) }
    const counts = await unseenOn(ctx.db, stand, ctx.actor.id ?? '', { now: ctx.now, today })
    for (const count of counts) {
      unread += count.unread
      overdue += count.overdue
      due_today += count.due_today
      by_kind[count.kind] = (by_kind[count.kind] ?? 0) + count.unread
    }
    const here = await waitingOn(ctx, stand)
    waiting += here
    const unseen = counts.reduce((sum, count) => sum + count.unread, 0)
    if (unseen > 0 || here > 0) by_site.push({ site_id: stand.site_id, unread: unseen, waiting: here })
  }
  return { waiting, unread, overdue, due_today, by_kind, by_site }
}

/** Acknowledges a task: it no longer counts for the caller, but stays open for everyone. */
export async function acknowledgeTask(ctx: Ctx, task: TaskRow, taking: boolean): Promise<unknown> {
  if (
    ctx.actor.id !== null &&
    task.status === 'open' &&
    (await acknowledgeRow(ctx.db, task.site_id, task.id, ctx.actor.id, ctx.now, taking))
  ) {
    ctx.emit({
      kind: 'task.acknowledged',
      site_id: task.site_id,
      subject: { kind: 'task', id: task.id, label: taskKind(task.kind).title },
      payload: { task_id: task.id, kind: task.kind, taking },
    })
  }
  return reread(ctx, task)
}

/** Marks a task as done, if the platform can't see that for itself. */
export async function resolveTask(ctx: Ctx, task: TaskRow, body: Static<typeof ResolveTask>): Promise<unknown> {
  if (task.status === 'resolved') return reread(ctx, task)
  const refusal = resolvable(task)
  if (refusal !== null) refuse(refusal)
  if (body.outcome === 'not_needed' && (body.note ?? '') === '') refuse(invalidField('note', 'is required: say why the task isn’t needed.'))
  await resolveOne(ctx.db, task.site_id, task.id, { at: ctx.now, by: ctx.actor.id, resolution: body.outcome, note: body.note ?? null })
  ctx.emit({
    kind: 'task.resolved',
    site_id: task.site_id,
    subject: { kind: 'task', id: task.id, label: taskKind(task.kind).title },
    payload: {
      task_id: task.id,
      kind: task.kind,
      subject: { kind: task.subject_kind, id: task.subject_id, label: task.subject_label },
      resolution: body.outcome,
    },
  })
  return reread(ctx, task)
}

async function reread(ctx: Ctx, task: TaskRow): Promise<unknown> {
  const [stand] = await placesOf(ctx, ctx.actor.id ?? '', task.site_id)
  const [row] = stand === undefined ? [] : await tasksAt(ctx, stand, { id: [task.id], status: ['open', 'resolved'] }, true, 1)
  const [one] = row === undefined ? [] : await shown(ctx, [row])
  return one
}
