import type { Instant } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, reading } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'
import { type Frame, meFrame } from '../domain.ts'
import type { Heard } from '../queries.ts'

/** The people that something concerns, each with what is new or different for them, by id. `everyone`: other people's counts can have changed, too. */
export type Concerned = { everyone: boolean; people: ReadonlyMap<Id, readonly Id[]> }
/** The people that something concerns, each with the frames that say what is new or different for them. */
export type ForPeople = { everyone: boolean; people: ReadonlyMap<Id, readonly Frame[]> }

/** Something that can be waiting for people. */
export type Wait = {
  /** The name of such a thing in frames. */
  thing: 'notification' | 'task'
  /** Counts what is waiting for the caller. */
  count(ctx: Ctx): Promise<number>
  /** Returns the people whose count these events of a site can have changed, with the things that did. */
  concerns(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Concerned>
  /** Returns the same for things on a site that began to count by themselves after one time, and up to another. */
  begins?(ctx: Ctx, site_id: Id, after: Instant, to: Instant): Promise<Concerned>
}

/** What can be waiting for people, by name. */
export type Waits = Record<string, Wait>

const LIVE = jobActor('live')
const known = new Map<string, Wait>()

/** Registers what can be waiting for a person, once, at startup. */
export function plugWaits(all: readonly [string, Wait][]): void {
  known.clear()
  for (const [name, wait] of all) known.set(name, wait)
}

/** Returns what is waiting for the caller now. */
export async function waitingFor(ctx: Ctx): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, wait] of known) counts[name] = await wait.count(ctx)
  return counts
}

/** Something that knows the people that events concern; null: everyone. */
type Concerning = { concerns(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Iterable<Id> | null> }

/** Returns the people that these events of a site concern, as any of these says; null: everyone. */
export async function concernedByAny(all: Iterable<Concerning>, ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Set<Id> | null> {
  const people = new Set<Id>()
  for (const one of all) {
    const own = await one.concerns(ctx, site_id, events)
    if (own === null) return null
    for (const user_id of own) people.add(user_id)
  }
  return people
}

/** Asks everything that can be waiting for people, and makes the frames of what is new or different for them. */
async function forPeople(site_id: Id, ask: (wait: Wait) => Promise<Concerned> | undefined): Promise<ForPeople> {
  const people = new Map<Id, Frame[]>()
  let everyone = false
  for (const wait of known.values()) {
    const own = await ask(wait)
    if (own === undefined) continue
    everyone ||= own.everyone
    // People with the same changes get the same frame, so that it is written once.
    const frames = new Map<string, Frame>()
    for (const [user_id, ids] of own.people) {
      const list = people.get(user_id) ?? []
      people.set(user_id, list)
      if (ids.length > 0) list.push(remembered(frames, ids.join(), () => meFrame(wait.thing, site_id, ids)))
    }
  }
  return { everyone, people }
}

/** Returns the people whose counts these events of a site can have changed, with the frames that say what did. */
export const concernedBy = (ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<ForPeople> =>
  forPeople(site_id, wait => wait.concerns(ctx, site_id, events))

/** Returns the people whose counts these events of a site can have changed; everyone, if that can’t be found out. */
export const concernedNow = (house: House, site_id: Id, events: readonly Heard[]): Promise<ForPeople> =>
  concernedBy(reading(house, { actor: LIVE, cause: 'live' }), site_id, events).catch(error => {
    house.log.warn({ err: error }, 'live: concerned')
    return { everyone: true, people: new Map() }
  })

/** Returns the people who have something on a site that began to count by itself after one time, and up to another. */
export const begunFor = (house: House, site_id: Id, after: Instant, to: Instant): Promise<ForPeople> =>
  forPeople(site_id, wait => wait.begins?.(reading(house, { actor: LIVE, cause: 'live' }), site_id, after, to))
