// Admission under load: a limited number of requests run at the same time, the others wait, and their waiting time decides which are refused. The rule is that
// of controlled delay (CoDel, RFC 8289) as servers use it: a queue that doesn’t empty is overload, and its newest requests are then served first, because its
// oldest have waited too long already. This file is pure: the clock is passed in, and nothing here depends on HTTP.

/** Rank of a request when not all can be served: a step on a record before a read, and a read before an export. */
export type Rank = 'step' | 'read' | 'export'
const RANKS: readonly Rank[] = ['step', 'read', 'export']

/** Releases the request's place, or its place in the queue. */
export type Place = { leave(): void }

/** A queue that hasn't been empty for this long is overload, not a burst. */
export const INTERVAL_MS = 1000
/** How long the queue can stay non-empty for some time after overload, when further overload is more likely than a burst. */
const WARY_INTERVAL_MS = 100
const WARY_MS = 5000
/**
 * Longest wait under overload: as long as a few earlier requests take, and at least a time that nobody notices. A few callers who repeat requests are
 * therefore served, however slow the machine is.
 */
export const TARGET_MS = 20
export const TARGET_WORKS = 4
const TARGET_AT_MOST_MS = 500
/**
 * For this long after a refusal every queue is overload, the newest request is served first, because the oldest would soon be refused anyway, and no request
 * waits longer than half the time that one other request takes. A crowd keeps coming even if the queue is empty for a moment between two of its requests.
 */
const CROWD_MS = 200
const CROWD_WORKS = 0.5
/** For this long after overload, health still reports it. */
const RECENT_MS = 1000
/** Longest wait otherwise. Exports take a long time, and wait for each other. */
const LONGEST_MS: Record<Rank, number> = { step: 2000, read: 2000, export: 5000 }
/**
 * A request that has had its place for this long, and four times as long as usual, is waiting for something outside this process (a slow provider, a
 * slow phone) and no longer blocks others; after the longer time this applies in any case.
 */
export const SLOW_MS = 80
const SLOW_AT_MOST_MS = 500
const SLOW_FACTOR = 4
/** At this multiple of the places they count again, so that memory is limited. */
export const SLOW_TIMES = 8
/** Maximum number of waiting requests, to limit memory. */
export const MOST_WAITING = 1000
/** Exports that run at the same time: fewer than the places, so that they never use all of them. */
const exportsAtOnce = (places: number) => Math.max(1, Math.floor(places / 4))

/** Figures of the admission, for health and metrics. */
export type AdmissionState = {
  working: number
  waiting: number
  /** The queue doesn’t empty: some requests are being refused. */
  overloaded: boolean
  /** How long the oldest request has waited. */
  delay_ms: number
  admitted: Record<Rank, number>
  refused: Record<Rank, number>
}

/** Admits requests. */
export type Admission = {
  /** Asks for a place: `enter` or `refuse` is called once, now or later. The function that it returns releases the place, or leaves the queue. */
  ask(rank: Rank, enter: () => void, refuse: () => void): Place
  /** Takes a place immediately, for a request that was admitted before and released its place while its body arrived. */
  again(rank: Rank): Place
  /** Checks the waiting requests; call it every few milliseconds while there are any. */
  look(): void
  state(): AdmissionState
}

type Waiting = { rank: Rank; since: number; enter(): void; refuse(): void }

/**
 * Opens admission. `places`: requests that run at the same time, as many as the machine can handle in parallel; all times in milliseconds. A queue can last
 * `patience` times longer than usual before any request is refused.
 */
export function openAdmission({ now, places, patience = 1 }: { now(): number; places: number; patience?: number }): Admission {
  const queues: Record<Rank, Waiting[]> = { step: [], read: [], export: [] }
  /** The time since which each place is taken, in this order. */
  const working = new Map<object, number>()
  const admitted: Record<Rank, number> = { step: 0, read: 0, export: 0 }
  const refused: Record<Rank, number> = { step: 0, read: 0, export: 0 }
  let exporting = 0
  let undrained_since = 0
  let last_overload = Number.NEGATIVE_INFINITY
  let last_refusal = Number.NEGATIVE_INFINITY
  /** Mean time that a place is taken, of the last twenty or so. */
  let work_ms = 5

  const waiting = () => queues.step.length + queues.read.length + queues.export.length
  /** Exports wait for each other, which says nothing about other requests. */
  const inFront = () => queues.step.length + queues.read.length

  const crowded = (at: number) => at - last_refusal < CROWD_MS

  function overloaded(at: number): boolean {
    if (inFront() === 0) return false
    const interval = at - last_overload < WARY_MS ? WARY_INTERVAL_MS : INTERVAL_MS
    const over = crowded(at) || at - undrained_since > interval * patience
    if (over) last_overload = at
    return over
  }

  const target = (at: number) => Math.min(TARGET_AT_MOST_MS, Math.max(TARGET_MS, (crowded(at) ? CROWD_WORKS : TARGET_WORKS) * work_ms))
  const slowAfter = () => Math.min(SLOW_AT_MOST_MS, Math.max(SLOW_MS, SLOW_FACTOR * work_ms))

  /** Returns the number of places taken by requests that are being processed, not counting slow ones that only wait for something else. */
  function taken(at: number): number {
    if (working.size < places || working.size >= places * SLOW_TIMES) return working.size
    const after = slowAfter()
    let slow = 0
    for (const since of working.values()) {
      if (at - since < after) break
      slow++
    }
    return working.size - slow
  }

  const free = (rank: Rank, at: number): boolean => taken(at) < places && (rank !== 'export' || exporting < exportsAtOnce(places))

  function begin(rank: Rank): Place {
    const key = {}
    const since = now()
    working.set(key, since)
    if (rank === 'export') exporting++
    return {
      leave() {
        if (!working.delete(key)) return
        if (rank === 'export') exporting--
        const at = now()
        if (rank !== 'export') work_ms += (Math.min(at - since, slowAfter()) - work_ms) / 20
        admit(at)
      },
    }
  }

  function turnAway(one: Waiting): void {
    refused[one.rank]++
    if (one.rank !== 'export') last_refusal = now() // exports are also refused because of each other
    one.refuse()
  }

  /** Refuses requests that have waited too long, starting with the oldest. */
  function dropLate(at: number): void {
    const over = overloaded(at)
    for (const rank of RANKS) {
      const queue = queues[rank]
      const longest = over ? target(at) : LONGEST_MS[rank] * patience
      for (let oldest = queue[0]; oldest !== undefined && at - oldest.since > longest; oldest = queue[0]) {
        queue.shift()
        turnAway(oldest)
      }
    }
  }

  /** Gives free places to waiting requests by rank: to the newest while others are being refused, otherwise to the oldest. */
  function admit(at: number): void {
    if (waiting() === 0) return
    dropLate(at)
    const newest = overloaded(at) && crowded(at)
    for (const rank of RANKS)
      while (queues[rank].length > 0 && free(rank, at)) {
        const one = newest ? queues[rank].pop() : queues[rank].shift()
        one?.enter()
      }
  }

  /** Returns how many requests can wait: under overload, only as many as can be served in time. */
  const mostWaiting = (at: number) =>
    overloaded(at) ? Math.max(places, Math.ceil((places * target(at)) / Math.max(0.1, work_ms))) : MOST_WAITING

  /** Refuses the oldest of the lowest-ranked waiting requests immediately; false if all of them rank higher than this one. */
  function makeRoom(rank: Rank): boolean {
    for (const lower of RANKS.toReversed()) {
      if (RANKS.indexOf(lower) < RANKS.indexOf(rank)) return false
      const oldest = queues[lower].shift()
      if (oldest === undefined) continue
      turnAway(oldest)
      return true
    }
    return false
  }

  return {
    ask(rank, enter, refuse) {
      const at = now()
      let place: Place | null = null
      const one: Waiting = {
        rank,
        since: at,
        enter() {
          admitted[rank]++
          place = begin(rank)
          enter()
        },
        refuse,
      }
      if (waiting() > 0) admit(at)
      const none_before = RANKS.slice(0, RANKS.indexOf(rank) + 1).every(higher => queues[higher].length === 0)
      if (none_before && free(rank, at)) one.enter()
      else if (waiting() >= mostWaiting(at) && !makeRoom(rank)) turnAway(one)
      else {
        if (inFront() === 0) undrained_since = at
        queues[rank].push(one)
      }
      return {
        leave() {
          if (place !== null) return place.leave()
          const queue = queues[rank] // it was cancelled while waiting
          const index = queue.indexOf(one)
          if (index >= 0) queue.splice(index, 1)
        },
      }
    },
    again: begin,
    look: () => admit(now()),
    state() {
      const at = now()
      const oldest = RANKS.flatMap(rank => queues[rank][0]?.since ?? [])
      return {
        working: working.size,
        waiting: waiting(),
        overloaded: overloaded(at) || at - last_overload < RECENT_MS,
        delay_ms: oldest.length === 0 ? 0 : at - Math.min(...oldest),
        admitted: { ...admitted },
        refused: { ...refused },
      }
    },
  }
}
