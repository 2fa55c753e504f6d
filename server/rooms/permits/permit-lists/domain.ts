// Permits as they were: the states that the event log gives (`permits-decisions.md` §4.4), and when they change on the map (`site-and-people.md` §17).
import { type Instant, later } from '../../../../shared/time.ts'
import type { Id } from '../../../base/ids.ts'
import type { Change, Changes } from '../../../kernel/changes/domain.ts'
import type { Status } from '../kit/domain/facts.ts'

/** How a permit was from an instant on. */
export type StateThen = {
  since: Instant
  status: Status
  start_at: Instant | null
  end_at: Instant | null
  awaiting_countersign: boolean
}

/** The states of a permit during a period, in order; the first can have begun before it. */
export type Replay = { id: Id; requestor_id: Id | null; source: string; states: StateThen[] }

/** Returns whether a caller sees a state of a permit that they can see now: a draft belongs to its requestor alone. */
export const seesThen = ({ source, requestor_id }: Omit<Replay, 'states'>, { status }: StateThen, me: Id | null): boolean =>
  status !== 'draft' || source === 'imported' || requestor_id === me

const liveFrom = ({ status, start_at, end_at }: StateThen, at: Instant): boolean =>
  status === 'issued' && start_at !== null && end_at !== null && start_at <= at && at < end_at

/** Statuses of permits that aren't over: their windows are shown. */
const SHOWN: readonly Status[] = ['requested', 'endorsed', 'approved', 'issued', 'expired']

/**
 * Returns when permits change: when they go live and stop being live, and everything else that happens to one, with the starts and ends of the windows. A permit is live while it is
 * issued and inside its window.
 */
export function permitChanges(replays: readonly Replay[], from: Instant, to: Instant, me: Id | null): Changes {
  const found = new Map<Instant, Change>()
  const put = (at: Instant, what: 'started' | 'ended' | 'changed') => {
    const one = found.get(at) ?? { at, started: 0, ended: 0, changed: 0, people: 0, uncovered: 0 }
    one[what]++
    found.set(at, one)
  }
  let alive = 0
  for (const replay of replays) {
    const states = replay.states.filter(state => seesThen(replay, state, me))
    const instants = new Set<Instant>()
    states.forEach((state, i) => {
      const until = states[i + 1]?.since ?? to
      const windows = SHOWN.includes(state.status) ? [state.start_at, state.end_at] : []
      for (const at of [state.since, ...windows])
        if (at !== null && at >= state.since && at <= until && at >= from && at < to) instants.add(at)
    })
    const isLive = (at: Instant) => {
      const state = states.findLast(one => one.since <= at)
      return state !== undefined && liveFrom(state, at)
    }
    // Just before the period: what begins at its very start is a change of it.
    let live = isLive(later(from, -1))
    if (live) alive++
    for (const at of [...instants].sort()) {
      const now = isLive(at)
      put(at, now === live ? 'changed' : now ? 'started' : 'ended')
      live = now
    }
  }
  return { alive, people: 0, uncovered: 0, changes: [...found.values()].sort((a, b) => (a.at < b.at ? -1 : 1)) }
}
