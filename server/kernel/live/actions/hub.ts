// The hub of a process: it reads the events of the sites that its listeners follow, decides for each listener what they can see, and passes frames to
// their sockets. PostgreSQL notifications only wake it: it relies on the number that it read last, and also polls every second.
import { setTimeout as wait } from 'node:timers/promises'
import { instant, ms } from '../../../../shared/time.ts'
import type { Topic } from '../../../../shared/topics.ts'
import type { Actor } from '../../../base/actor.ts'
import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { type Ears, hearNews } from '../../events/door.ts'
import { type Frame, REPLAY_EVENTS, REPLAY_MS, replayable } from '../domain.ts'
import { eventsAfter, firstSince, type Heard, headsOf } from '../queries.ts'
import { type News, newsOf, type Told } from './news.ts'
import { seeing } from './seeing.ts'
import { begunFor, concernedNow, type ForPeople } from './waits.ts'

/** A listener on a site: their current permissions there, and the receiver of their frames. */
export type Listener = {
  site_id: Id
  user_id: Id
  actor: Actor
  /** The topics that they follow; none: only what concerns them alone. */
  topics: ReadonlySet<Topic>
  /** The number up to which they have received all events. */
  cursor: number
  hand(frames: readonly Frame[]): void
  /** Reads their permissions again; null: they are no longer a member. */
  again(): Promise<Actor | null>
  /** Called when they are no longer a member. */
  gone(): void
  /** Called when something else can be waiting for them: tasks, notifications. */
  own(): void
}

/** Counts of the hub for its statistics. */
export type Counts = { events: number; frames: number; merged: number; gaps: number; closed_slow: number; auth_failed: number }

export type Hub = {
  listen(listener: Listener, cursor: number | null): Promise<{ cursor: number; revision: number }>
  leave(listener: Listener): void
  /** Reads the permissions of these listeners again. */
  reread(listeners: readonly Listener[]): Promise<void>
  counts: Counts
  /** Returns the counts of the last whole minute. */
  lastMinute(): Counts
  sites(): Map<Id, { subscribers: number; users: number }>
  /** Returns the milliseconds between the last published commit and its delivery. */
  lag_ms(): number
  stop(): Promise<void>
}

const POLL_MS = 1000
/** How often it looks for what has begun to count by itself. */
const BEGUN_EVERY_MS = 30_000
const AT_ONCE = 500
/**
 * A delivery to thousands of apps keeps the process from other work. If it brought several changes, more are on their way: the next one waits three times as long
 * as it took, at most this long, and what happens meanwhile leaves in one write for each app. One change after another never waits.
 */
const PAUSE_TIMES = 3
const PAUSE_AT_MOST_MS = 150
/** Events that can change permissions, so that each listener's permissions are read again. */
const RIGHTS = /^(membership|contractor|permit_appointment|permit_config|site)\./

/** Opens the hub of this process. `ears`: what is done with other messages than those of new events. */
export async function openHub(house: House, ears: Omit<Ears, 'heard'>): Promise<Hub> {
  const { db } = house.database
  const bySite = new Map<Id, Set<Listener>>()
  const delivered = new Map<Id, number>()
  /** Events of a site for which nobody’s counts have been made yet. */
  const unanswered = new Map<Id, Heard[]>()
  const counts: Counts = { events: 0, frames: 0, merged: 0, gaps: 0, closed_slow: 0, auth_failed: 0 }
  let lag = 0
  let begun = house.clock.now()
  let state: 'idle' | 'busy' | 'again' = 'idle'
  let running: Promise<void> = Promise.resolve()

  const run = () => {
    if (state !== 'idle') {
      state = 'again'
      return
    }
    state = 'busy'
    running = (async () => {
      do {
        state = 'busy'
        const began = performance.now()
        const many = await tick().catch(error => house.log.error({ err: error }, 'live'))
        if (many === true) await wait(Math.min(PAUSE_AT_MOST_MS, (performance.now() - began) * PAUSE_TIMES))
      } while ((state as string) === 'again') // it may have been set while the tick ran
      state = 'idle'
    })()
  }

  /** Delivers what is new; returns whether that was more than one change of a site. */
  async function tick(): Promise<boolean> {
    let many = false
    const heads = await headsOf(db, [...bySite.keys()])
    // The job that erases a site can be faster than this.
    for (const [site_id, listeners] of bySite) if (!heads.has(site_id)) await rereadRights([...listeners])
    for (const [site_id, head] of heads) {
      let from = delivered.get(site_id) ?? head.event_no
      delivered.set(site_id, from)
      while (from < head.event_no) {
        const events = await eventsAfter(db, site_id, from, head.event_no, AT_ONCE)
        if (events.length === 0) break
        const to = events.at(-1)?.event_no ?? head.event_no
        // Set before the work is done: a listener who joins during a delivery is not part of it, and reads these events separately.
        delivered.set(site_id, to)
        const changes = await deliver(site_id, events, head.revision).catch(error => {
          delivered.set(site_id, from)
          throw error
        })
        from = to
        many ||= changes > 1
      }
    }
    return many
  }

  /** Sends events to everyone who follows a site and sees them; returns how many requests or jobs they come from. */
  async function deliver(site_id: Id, events: readonly Heard[], revision: number): Promise<number> {
    const listeners = [...(bySite.get(site_id) ?? [])]
    counts.events += events.length
    const last = events.at(-1)
    if (last !== undefined) lag = Math.max(0, ms(house.clock.now()) - ms(last.at))
    if (events.some(event => RIGHTS.test(event.kind))) await rereadRights(listeners)
    const people = Map.groupBy(
      listeners.filter(one => one.topics.size > 0 && bySite.get(site_id)?.has(one)),
      one => one.user_id,
    )
    const news = newsOf(events, revision)
    // Each subject is read once for everyone, or each person’s subjects in one statement, whichever reads less.
    const toldOf = seeing(house, site_id, news, people.size > news.subjects.flatMap(({ ids }) => ids).length)
    for (const [, own] of people) await deliverTo(own, news, last?.event_no ?? 0, toldOf)
    tellOwn(site_id, events)
    return new Set(news.frames.map(({ event }) => event.request_id)).size
  }

  /**
   * Tells the people concerned that something else can be waiting for them, once the events have been sent: nobody’s event waits for that. Events that arrive
   * in the meantime are answered together afterwards.
   */
  function tellOwn(site_id: Id, events: readonly Heard[]): void {
    const waiting = unanswered.get(site_id)
    if (waiting !== undefined) {
      waiting.push(...events)
      return
    }
    unanswered.set(site_id, [...events])
    void outside(async () => {
      for (let batch = unanswered.get(site_id) ?? []; batch.length > 0; batch = unanswered.get(site_id) ?? []) {
        unanswered.set(site_id, [])
        const rights = batch.some(event => RIGHTS.test(event.kind))
        const { everyone, people } = await concernedNow(house, site_id, batch)
        tell(site_id, { everyone: everyone || rights, people })
      }
      unanswered.delete(site_id)
    })
  }

  /** Sends people what is new or different for them, and has what is waiting for them counted again. */
  function tell(site_id: Id, { everyone, people }: ForPeople): void {
    for (const listener of bySite.get(site_id) ?? []) {
      const frames = people.get(listener.user_id)
      if (frames !== undefined && frames.length > 0) listener.hand(frames)
      if (everyone || frames !== undefined) listener.own()
    }
  }

  /** Some things begin to count at a time, and no event says so. */
  async function tellBegun(): Promise<void> {
    const [after, to] = [begun, house.clock.now()]
    begun = to
    for (const site_id of [...bySite.keys()]) tell(site_id, await begunFor(house, site_id, after, to))
  }

  /** Sends events to all sockets of one person on one site; their permissions are computed once. */
  async function deliverTo(own: readonly Listener[], news: News, to: number, toldOf: (actor: Actor) => Promise<Told>): Promise<void> {
    const [first] = own
    if (first === undefined) return
    const told = await toldOf(first.actor)
    for (const listener of own) {
      const theirs = news.alike(({ event, topic }) => (event.event_no > listener.cursor && listener.topics.has(topic) ? told(event) : null))
      counts.frames += theirs.length
      if (theirs.length > 0) listener.hand(theirs)
      listener.cursor = Math.max(listener.cursor, to)
    }
  }

  async function rereadRights(listeners: readonly Listener[]): Promise<void> {
    for (const listener of listeners) {
      const actor = await listener.again().catch(() => null)
      if (actor === null) listener.gone()
      else listener.actor = actor
    }
  }

  const ear = await hearNews(house, { heard: run, ...ears })
  const timer = house.timers.every(POLL_MS, run)
  const beginning = house.timers.every(BEGUN_EVERY_MS, () =>
    outside(tellBegun).catch(error => house.log.warn({ err: error }, 'live: begun')),
  )
  let before: Counts = { ...counts }
  let minute: Counts = { ...counts }
  const minutes = house.timers.every(60_000, () => {
    minute = differences(counts, before)
    before = { ...counts }
  })
  return {
    counts,
    lastMinute: () => (Object.values(minute).some(n => n > 0) ? minute : differences(counts, before)),
    lag_ms: () => lag,
    sites: () =>
      new Map(
        [...bySite].flatMap(([site_id, listeners]): [Id, { subscribers: number; users: number }][] => {
          const all = [...listeners].filter(one => one.topics.size > 0)
          return all.length === 0 ? [] : [[site_id, { subscribers: all.length, users: new Set(all.map(one => one.user_id)).size }]]
        }),
      ),
    async listen(listener, cursor) {
      const { site_id } = listener
      const head = (await headsOf(db, [site_id])).get(site_id) ?? { event_no: 0, revision: 0 }
      const start = cursor ?? head.event_no
      listener.cursor = Math.min(start, head.event_no)
      const oldest = cursor === null ? 0 : await firstSince(db, site_id, instant(ms(house.clock.now()) - REPLAY_MS), head.event_no)
      const whole = cursor === null || replayable(start, head.event_no, oldest)
      if (!whole) {
        counts.gaps++
        listener.cursor = head.event_no
        listener.hand([{ type: 'gap', site_id, from: start, to: head.event_no }])
      }
      // Where this listener begins, not the head: a connection can break before the missed events have arrived, and the next one begins here again.
      const begins = listener.cursor
      // The events between the listener's number and the shared one are replayed to them alone, and only then do they join the others. If both
      // happened at the same time, later events would overtake earlier ones.
      while (whole) {
        const to = delivered.get(site_id) ?? (await headsOf(db, [site_id])).get(site_id)?.event_no ?? 0
        if (listener.cursor >= to) break
        const missed = await eventsAfter(db, site_id, listener.cursor, to, REPLAY_EVENTS)
        const news = newsOf(missed, head.revision)
        await deliverTo([listener], news, to, seeing(house, site_id, news, false))
      }
      const set = bySite.get(site_id) ?? new Set()
      set.add(listener)
      bySite.set(site_id, set)
      if (!delivered.has(site_id)) delivered.set(site_id, listener.cursor)
      run()
      return { cursor: begins, revision: head.revision }
    },
    leave(listener) {
      const set = bySite.get(listener.site_id)
      set?.delete(listener)
      if (set?.size === 0) {
        bySite.delete(listener.site_id)
        delivered.delete(listener.site_id)
      }
    },
    reread: rereadRights,
    async stop() {
      timer.stop()
      beginning.stop()
      minutes.stop()
      ear.stop()
      await running
    },
  }
}

const differences = (now: Counts, before: Counts): Counts => ({
  events: now.events - before.events,
  frames: now.frames - before.frames,
  merged: now.merged - before.merged,
  gaps: now.gaps - before.gaps,
  closed_slow: now.closed_slow - before.closed_slow,
  auth_failed: now.auth_failed - before.auth_failed,
})
