import { isOneOf, keysOf } from '../../../shared/narrow.ts'
import type { Instant } from '../../../shared/time.ts'
import { jobActor, type Role } from '../../base/actor.ts'
import type { Ctx, House } from '../../base/ctx.ts'
import type { Because } from '../../base/errors.ts'
import { type Id, ids } from '../../base/ids.ts'
import { BANDS, type Band } from '../access/domain.ts'
import { inRounds } from '../jobs/door.ts'
import { type Concerned, concernedByAny, type Heard } from '../live/door.ts'
import { writingOn } from '../site/door.ts'
import { addresseeKey, linkOf, type Raised, type Resolution, type TaskKind } from './domain.ts'
import {
  type Addressed,
  addressedBy,
  begunBetween,
  handToBand,
  markOverdue,
  membersAmong,
  moveRows,
  raiseRows,
  resolveRows,
  type Stand,
  sitesWithOverdue,
  standsOf,
  type TaskRow,
  tasksOnlyFor,
} from './queries.ts'

export type { Raised, Resolution, TaskKind } from './domain.ts'
export {
  acknowledgeRow,
  countWaiting,
  type ListedTask,
  namesOfPeople,
  resolveOne,
  type Stand,
  type TaskRow,
  tasksOn,
  unseenOn,
} from './queries.ts'

const kinds = new Map<string, TaskKind>()

/** Registers the task kinds of all rooms, once, at startup. */
export function plugTasks(all: readonly TaskKind[]): void {
  kinds.clear()
  for (const one of all) {
    if (kinds.has(one.kind)) throw new Error(`Two rooms have a task ${one.kind}.`)
    kinds.set(one.kind, one)
  }
}

/** Returns the task kind with this name. */
export function taskKind(kind: string): TaskKind {
  const found = kinds.get(kind)
  if (found === undefined) throw new Error(`No room has a task ${kind}.`)
  return found
}
/** Lists every task kind, by area and kind. */
export const allTasks = (): TaskKind[] => [...kinds.values()].sort((a, b) => (`${a.area} ${a.kind}` < `${b.area} ${b.kind}` ? -1 : 1))

/** Creates a task in this transaction. If the task is open already, its due time is moved instead, so that a step done twice leaves one task. */
export const raiseTask = (ctx: Ctx, site_id: Id, task: Raised): Promise<void> => raiseTasks(ctx, site_id, [task])

/** Creates several tasks of a site in one statement. */
export async function raiseTasks(ctx: Ctx, site_id: Id, tasks: readonly Raised[]): Promise<void> {
  const rows = tasks.map(task => {
    const kind = taskKind(task.kind)
    return {
      id: ids.next(),
      kind: task.kind,
      subject_kind: task.subject.kind,
      subject_id: task.subject.id,
      subject_label: task.subject.label,
      addressee_key: addresseeKey(task),
      bands: [...(task.bands ?? [])],
      user_ids: [...(task.user_ids ?? [])],
      contractor_id: task.contractor_id ?? null,
      urgency: kind.urgency,
      link: linkOf(kind.link_pattern, site_id, task.subject.id),
      raised_at: ctx.now,
      attention_at: task.attention_at ?? ctx.now,
      due_at: task.due_at ?? null,
    }
  })
  const fresh = await raiseRows(ctx.db, site_id, rows)
  for (const { id, kind, subject_kind, subject_id, subject_label, due_at } of rows) {
    if (!fresh.has(id)) continue
    ctx.trail.placed.push({ site_id, id, kind: 'task' })
    ctx.emit({
      kind: 'task.raised',
      site_id,
      subject: { kind: 'task', id, label: taskKind(kind).title },
      payload: { task_id: id, kind, subject: { kind: subject_kind, id: subject_id, label: subject_label }, due_at },
    })
  }
}

/** Resolves the open tasks of subjects, because their step was done or they left the state that required it. */
export async function resolveTasks(
  ctx: Ctx,
  site_id: Id,
  subjects: Id | readonly Id[],
  filter: { only?: readonly string[]; except?: readonly string[] },
  resolution: Resolution,
): Promise<void> {
  const subject_ids = typeof subjects === 'string' ? [subjects] : subjects
  const ended = await resolveRows(ctx.db, site_id, subject_ids, filter, { at: ctx.now, by: ctx.actor.id, resolution })
  for (const { id, kind, subject_id, subject_label } of ended) {
    ctx.emit({
      kind: 'task.resolved',
      site_id,
      subject: { kind: 'task', id, label: taskKind(kind).title },
      payload: { task_id: id, kind, subject: { id: subject_id, label: subject_label }, resolution },
    })
  }
}

/** Moves the due time of a subject's open task. */
export const moveTask = (
  ctx: Ctx,
  site_id: Id,
  subject_id: Id,
  kind: string,
  to: { due_at: string | null; attention_at: string },
): Promise<void> => moveRows(ctx.db, site_id, subject_id, kind, to)

/** Hands tasks that were addressed only to this person to the fall-back band of their kind, after the membership has ended. */
export async function handTasksOver(ctx: Ctx, site_id: Id, user_id: Id): Promise<void> {
  for (const task of await tasksOnlyFor(ctx.db, site_id, user_id))
    await handToBand(ctx.db, site_id, task.id, taskKind(task.kind).falls_back_to)
}

const bandsOf = (role: Role): Band[] => keysOf(BANDS).filter(band => isOneOf<string>(BANDS[band], role))

/** Returns the sites on which a person is an active member, with the bands of their role there. Bands are read each time, so that a new hse member has the tasks immediately. */
export async function placesOf(ctx: Pick<Ctx, 'db'>, user_id: Id, site_id: Id | null): Promise<Stand[]> {
  const stands = await standsOf(ctx.db, user_id, site_id)
  return stands.map(stand => ({ ...stand, bands: bandsOf(stand.role) }))
}

/** How many tasks are marked overdue in one transaction. */
const OVERDUE_AT_ONCE = 200

/** Publishes one event for each task whose due time has passed, site by site in turn. Reminders of a locked site rest, except for work in the field. */
export async function reportOverdue(house: House): Promise<{ told: number }> {
  const work = { actor: jobActor('tasks_due'), cause: 'task.overdue' }
  const on_locked = allTasks().flatMap(({ kind, on_locked_site }) => (on_locked_site ? [kind] : []))
  const batch = (site_id: Id) =>
    writingOn(
      house,
      work,
      site_id,
      async ctx => {
        const tasks = await markOverdue(ctx.db, site_id, ctx.now, OVERDUE_AT_ONCE, ctx.site?.locked_at == null ? null : on_locked)
        for (const { id, kind, subject_kind, subject_id, subject_label, due_at } of tasks)
          ctx.emit({
            kind: 'task.overdue',
            site_id,
            subject: { kind: 'task', id, label: taskKind(kind).title },
            payload: { task_id: id, kind, subject: { kind: subject_kind, id: subject_id, label: subject_label }, due_at },
          })
        return { done: tasks.length, more: tasks.length === OVERDUE_AT_ONCE }
      },
      { passes_lock: true },
    )
  return { told: await inRounds(house, { due: () => sitesWithOverdue(house.database.db, house.clock.now(), on_locked), batch }) }
}

/** A person on a site. */
export type PersonOnSite = { site_id: Id; user_id: Id }

/** Lists what each of these people is responsible for, in words: receiver of an open permit, only issuer of a type, owner of an open record. */
export type Duties = (ctx: Ctx, people: readonly PersonOnSite[]) => Promise<string[][]>

const duties: Duties[] = []

/** Registers what people can be responsible for, once, at startup. */
export function plugDuties(all: readonly Duties[]): void {
  duties.splice(0, duties.length, ...all)
}

/** Lists everything that each of these people is responsible for, in their order. */
export async function dutiesOf(ctx: Ctx, people: readonly PersonOnSite[]): Promise<string[][]> {
  const said = people.map((): string[] => [])
  for (const ask of duties) for (const [i, own] of (await ask(ctx, people)).entries()) said[i]?.push(...own)
  return said
}

/** Called when a person has joined or left a site: tasks change their addressees. */
export type ComingAndGoing = (ctx: Ctx, site_id: Id, user_id: Id) => Promise<void>

const comings: ComingAndGoing[] = []

/** Registers what happens when a person joins or leaves, once, at startup. */
export function plugComings(all: readonly ComingAndGoing[]): void {
  comings.splice(0, comings.length, ...all)
}

/** Does everything that follows when a person has joined or left a site. */
export async function cameOrWent(ctx: Ctx, site_id: Id, user_id: Id): Promise<void> {
  for (const follow of comings) await follow(ctx, site_id, user_id)
}

/** Says for tasks on one kind of record whether the caller can do what a task asks for, by the rules of the record, so that a card can explain itself. */
export type ActFlags = {
  subject_kind: string
  of(ctx: Ctx, tasks: readonly TaskRow[]): Promise<Map<Id, { allowed: boolean; because: Because[] }>>
}

const actFlags: ActFlags[] = []

/** Registers the rules of subjects, once, at startup. */
export function plugActs(all: readonly ActFlags[]): void {
  actFlags.splice(0, actFlags.length, ...all)
}

/** Something that is waiting for one person and isn't a task of a band: it follows from a record and ends with it. */
export type Pending = {
  kind: string
  /** Title of the card, such as "Countersign". */
  title: string
  subject: { kind: string; id: Id; label: string }
  link: string
  since: Instant
  due_at: Instant | null
  /** Whether the caller can do it now, and if not, why. */
  act: { allowed: boolean; because: Because[] }
  /** Who else can do it while the caller can't. */
  otherwise: Otherwise
}

/** Who can do in place of one person what waits for that person alone. */
export type Otherwise = 'nobody' | 'superadmin'

/** What can be waiting for one person in a room, in addition to tasks. */
export type PendingOn = {
  /** Lists what is waiting for the caller on a site. */
  list(ctx: Ctx, site_id: Id): Promise<Pending[]>
  /** Returns the people whose list these events of a site can have changed; null: everyone’s. */
  concerns(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<readonly Id[] | null>
}

const pendings: PendingOn[] = []

/** Registers what is waiting in addition to tasks, once, at startup. */
export function plugPending(all: readonly PendingOn[]): void {
  pendings.splice(0, pendings.length, ...all)
}

/** Lists what is waiting for the caller on a site, in addition to tasks. */
export const pendingOn = async (ctx: Ctx, site_id: Id): Promise<Pending[]> =>
  (await Promise.all(pendings.map(room => room.list(ctx, site_id)))).flat()

/** Adds the addressees of tasks to these people, each with the tasks that are named. */
async function withAddressees(ctx: Ctx, site_id: Id, tasks: readonly Addressed[], people: Map<Id, Id[]>): Promise<Map<Id, Id[]>> {
  if (tasks.length === 0) return people
  const bands = new Set(tasks.flatMap(task => task.bands))
  const members = await membersAmong(ctx.db, site_id, {
    roles: [...new Set(keysOf(BANDS).flatMap(band => (bands.has(band) ? [...BANDS[band]] : [])))],
    user_ids: tasks.flatMap(task => task.user_ids),
    contractor_ids: tasks.flatMap(task => task.contractor_id ?? []),
  })
  for (const { user_id, role, contractor_id } of members) {
    const own = new Set<string>(bandsOf(role))
    const mine = (task: Addressed) =>
      task.bands.some(band => own.has(band)) || task.user_ids.includes(user_id) || (contractor_id ?? '') === task.contractor_id
    const ids = tasks.flatMap(task => (mine(task) ? task.ids : []))
    people.set(user_id, ids)
  }
  return people
}

/** Returns the people whose tasks, or what else a room has for them, these events of a site can have changed, with the tasks that did. */
export async function concernedByTasks(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Concerned> {
  const others = await concernedByAny(pendings, ctx, site_id, events)
  const tasks = await addressedBy(ctx.db, site_id, [...new Set(events.map(event => event.subject_id))])
  const people = new Map([...(others ?? [])].map((user_id): [Id, Id[]] => [user_id, []]))
  return { everyone: others === null, people: await withAddressees(ctx, site_id, tasks, people) }
}

/** Returns the people who have tasks on a site that began to count after one time and up to another. */
export async function tasksBegun(ctx: Ctx, site_id: Id, after: Instant, to: Instant): Promise<Concerned> {
  const tasks = await begunBetween(ctx.db, site_id, after, to)
  return { everyone: false, people: await withAddressees(ctx, site_id, tasks, new Map()) }
}

/** Returns whether the caller can act, for each task whose subject has rules for it. */
export async function actFlag(ctx: Ctx, tasks: readonly TaskRow[]): Promise<Map<Id, { allowed: boolean; because: Because[] }>> {
  const out = new Map<Id, { allowed: boolean; because: Because[] }>()
  for (const flags of actFlags) {
    const own = tasks.filter(task => task.subject_kind === flags.subject_kind && task.status === 'open')
    if (own.length > 0) for (const [id, flag] of await flags.of(ctx, own)) out.set(id, flag)
  }
  return out
}
