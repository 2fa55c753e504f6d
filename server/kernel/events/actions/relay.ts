// The relay delivers committed events to consumers, in commit order by site. Any process that finds a pending event can deliver it: the cursor's row
// is the lock, the consumer's work and the new cursor position commit together, and a message between processes only wakes them.
import { setTimeout as wait } from 'node:timers/promises'
import { later } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { type Db, databaseGone, worthAnotherTry } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { isStopping, noteFailure } from '../../jobs/door.ts'
import { enterSite } from '../../site/door.ts'
import { type EventRow, pauseSeconds, RETRIES } from '../domain.ts'
import {
  cursorsOf,
  endWaiting,
  eventsAfter,
  eventsBetween,
  failWaiting,
  holdCursor,
  lastEvents,
  moveCursor,
  nextWaiting,
  noteReceipts,
  putWaiting,
  sitesBehind,
  subjectsWaiting,
} from '../queries.ts'

/** A consumer of events: its work on an event commits together with the record that it was done. */
export type Consumer = {
  name: string
  /** One sentence for the operator on call. */
  says: string
  /** Kinds of event that it receives. */
  kinds(): readonly string[]
  /** Handles an event, in the transaction that moves the consumer's cursor. If it throws, the event is tried again. */
  handle(ctx: Ctx, event: EventRow): Promise<void>
  /** Handles several events at once, if that is less work than one after the other. */
  handle_all?(ctx: Ctx, events: readonly EventRow[]): Promise<void>
  /** Whether it raises and resolves tasks, so that reads of tasks wait for it. */
  raises_tasks?: true
}

const consumers = new Map<string, Consumer>()

/** Registers the consumers of events, once, at startup. */
export function plugConsumers(all: readonly Consumer[]): void {
  consumers.clear()
  for (const one of all) {
    if (consumers.has(one.name)) throw new Error(`Two consumers are called ${one.name}.`)
    consumers.set(one.name, one)
  }
}

/** Names of all consumers of events. */
export const consumerNames = (): string[] => [...consumers.keys()]

/** How many event numbers one transaction looks through, and how many events it delivers. */
const SPAN = 2000
const PIECE = 25

type Step = { more: boolean; busy: boolean; handled: number }
const NOTHING: Step = { more: false, busy: false, handled: 0 }

const inSite = <T>(house: House, site_id: Id, consumer: Consumer, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  writing(house, { actor: jobActor(consumer.name), cause: 'event.relay' }, async ctx => {
    await enterSite(ctx, site_id, { passes_lock: true }) // events of a locked site are delivered, too
    return work(ctx)
  })

/** The event that a transaction was working on when it failed. */
type At = { event: EventRow | null }

const handOn = (house: House, site_id: Id, consumer: Consumer, limit: number, at: At): Promise<Step> =>
  inSite(house, site_id, consumer, async ctx => {
    const cursor = await holdCursor(ctx.db, site_id, consumer.name)
    if (cursor === null) return { ...NOTHING, busy: true }
    const head = (await lastEvents(ctx.db, [site_id])).get(site_id) ?? 0
    const to = Math.min(head, cursor + SPAN)
    if (to <= cursor) return NOTHING
    const events = await eventsBetween(ctx.db, site_id, cursor, to, consumer.kinds(), limit)
    const behind = events.length === 0 ? new Set<Id>() : await subjectsWaiting(ctx.db, site_id, consumer.name)
    for (const event of events)
      if (behind.has(event.subject_id)) await putWaiting(ctx.db, event, consumer.name, { attempts: 0, next_at: null, error: null })
    const free = events.filter(event => !behind.has(event.subject_id))
    const fresh = await noteReceipts(
      ctx.db,
      site_id,
      consumer.name,
      free.map(event => event.id),
      ctx.now,
    )
    const due = free.filter(event => fresh.has(event.id))
    at.event = due.at(-1) ?? null
    if (due.length > 0 && consumer.handle_all !== undefined) await consumer.handle_all(ctx, due)
    else
      for (const event of due) {
        at.event = event
        await consumer.handle(ctx, event)
      }
    const reached = events.length === limit ? (events.at(-1)?.event_no ?? to) : to
    await moveCursor(ctx.db, site_id, consumer.name, reached)
    return { more: reached < head, busy: false, handled: events.length }
  })

const saidBy = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 2000)

/** Returns whether an error is temporary, so that the event isn't to blame. */
const passing = (error: unknown) => databaseGone(error) || worthAnotherTry(error)

/**
 * Delivers a site's next events to a consumer. An event that it fails on is set aside, together with later events of the same subject; other events
 * are delivered.
 */
async function step(house: House, site_id: Id, consumer: Consumer): Promise<Step> {
  try {
    return await handOn(house, site_id, consumer, PIECE, { event: null })
  } catch (error) {
    if (passing(error)) throw error
  }
  // One of these events is faulty: delivered one by one, they show which.
  const at: At = { event: null }
  try {
    return await handOn(house, site_id, consumer, 1, at)
  } catch (error) {
    const { event } = at
    if (passing(error) || event === null) throw error
    house.log.error({ consumer: consumer.name, event: event.kind, event_id: event.id, err: error }, 'an event was not processed')
    return inSite(house, site_id, consumer, async ctx => {
      const cursor = await holdCursor(ctx.db, site_id, consumer.name)
      if (cursor === null || cursor >= event.event_no) return { ...NOTHING, busy: cursor === null, more: true }
      const next_at = later(ctx.now, pauseSeconds(1) * 1000)
      await putWaiting(ctx.db, event, consumer.name, { attempts: 1, next_at, error: saidBy(error) })
      await moveCursor(ctx.db, site_id, consumer.name, event.event_no)
      return { ...NOTHING, more: true }
    })
  }
}

/** Tries an event again that was set aside. After ten retries it is parked, and is listed among the failed job runs. */
async function again(house: House, site_id: Id, consumer: Consumer): Promise<Step> {
  // Almost always there is none, and a transaction would cost five statements to find that out.
  if ((await nextWaiting(house.database.db, site_id, consumer.name, house.clock.now())) === null) return NOTHING
  const at: { event: (EventRow & { attempts: number }) | null } = { event: null }
  try {
    return await inSite(house, site_id, consumer, async ctx => {
      if ((await holdCursor(ctx.db, site_id, consumer.name)) === null) return { ...NOTHING, busy: true }
      at.event = await nextWaiting(ctx.db, site_id, consumer.name, ctx.now)
      if (at.event === null) return NOTHING
      const { id } = at.event
      if ((await noteReceipts(ctx.db, site_id, consumer.name, [id], ctx.now)).has(id)) await consumer.handle(ctx, at.event)
      await endWaiting(ctx.db, site_id, consumer.name, at.event.event_no)
      return { more: true, busy: false, handled: 1 }
    })
  } catch (error) {
    const { event } = at
    if (passing(error) || event === null) throw error
    const attempts = event.attempts + 1
    const parked = attempts > RETRIES
    await inSite(house, site_id, consumer, async ctx => {
      await failWaiting(ctx.db, site_id, consumer.name, event.event_no, {
        attempts,
        next_at: parked ? null : later(ctx.now, pauseSeconds(attempts) * 1000),
        parked_at: parked ? ctx.now : null,
        error: saidBy(error),
      })
      if (!parked) return
      const message = `${consumer.name} couldn’t process ${event.kind} of ${event.subject_label}. Later events of this record are waiting.`
      const input = { consumer: consumer.name, event_id: event.id, event_no: event.event_no }
      await noteFailure(ctx, { kind: 'relay', site_id, attempts, message, detail: saidBy(error), input })
    })
    house.log.error(
      { consumer: consumer.name, event: event.kind, event_id: event.id, attempts, parked, err: error },
      'an event was not processed',
    )
    return { ...NOTHING, more: true }
  }
}

async function drain(house: House, site_id: Id, consumer: Consumer): Promise<{ handled: number; busy: boolean }> {
  let handled = 0
  for (const one of [again, step]) {
    for (;;) {
      const done = await one(house, site_id, consumer)
      handled += done.handled
      if (done.busy) return { handled, busy: true }
      if (isStopping(house)) return { handled, busy: false }
      if (!done.more) break
    }
  }
  return { handled, busy: false }
}

/** Delivers everything that is committed now, on all sites or on one; returns how many events. It leaves out what another process is delivering. */
export async function relayEvents(house: House, only?: Id): Promise<number> {
  let handled = 0
  const sites = only === undefined ? await sitesBehind(house.database.db, consumerNames(), house.clock.now()) : [only]
  for (const site_id of sites) for (const consumer of consumers.values()) handled += (await drain(house, site_id, consumer)).handled
  return handled
}

/** Returns how many events of a site a consumer still has to handle. */
export async function marksBehind(db: Db, site_id: Id, name: string): Promise<number> {
  const kinds = consumers.get(name)?.kinds() ?? []
  return eventsAfter(db, site_id, (await cursorsOf(db, [site_id], name)).get(site_id) ?? 0, kinds)
}

const PATIENCE_MS = 2000
const PAUSE_MS = 15

/**
 * Read your writes (`messages.md` §0.1, 6): waits, at most two seconds, until the events that these sites had at the time of the call have been
 * delivered, and delivers them itself if no other process does. Returns whether they have been delivered; with `only`, to those consumers.
 */
export async function caughtUp(house: House, site_ids: readonly Id[], only?: (consumer: Consumer) => boolean): Promise<boolean> {
  const { db } = house.database
  const until = performance.now() + PATIENCE_MS
  const wanted = await lastEvents(db, site_ids)
  for (const consumer of consumers.values()) {
    if (only !== undefined && !only(consumer)) continue
    for (;;) {
      const cursors = await cursorsOf(db, site_ids, consumer.name)
      const behind = site_ids.filter(id => (cursors.get(id) ?? 0) < (wanted.get(id) ?? 0))
      if (behind.length === 0) break
      if (performance.now() > until) return false
      let busy = false
      for (const site_id of behind) {
        try {
          busy = (await drain(house, site_id, consumer)).busy || busy
        } catch (error) {
          // Show the reader what there is; the relay itself reports what is wrong.
          house.log.warn({ consumer: consumer.name, site_id, err: error }, 'waiting for events failed during a read')
          return false
        }
      }
      if (busy) await wait(PAUSE_MS)
    }
  }
  return true
}
