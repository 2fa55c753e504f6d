import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, reading } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import type { Heard } from '../queries.ts'

/** Something that can be waiting for people. */
export type Wait = {
  /** Counts what is waiting for the caller. */
  count(ctx: Ctx): Promise<number>
  /** Returns the people whose count these events of a site can have changed; null: everyone’s. */
  concerns(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<ReadonlySet<Id> | null>
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

/** Returns the people whose counts these events of a site can have changed; null: everyone’s. */
export const concernedBy = (ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Set<Id> | null> =>
  concernedByAny(known.values(), ctx, site_id, events)

/** Returns the people whose counts these events of a site can have changed; everyone (null), too, if that can’t be found out. */
export const concernedNow = (house: House, site_id: Id, events: readonly Heard[]): Promise<Set<Id> | null> =>
  concernedBy(reading(house, { actor: LIVE, cause: 'live' }), site_id, events).catch(error => {
    house.log.warn({ err: error }, 'live: concerned')
    return null
  })
