// What passes while a page shows the present: things start, end and change at times that are known before, without any event.
import type { Schemas } from '../../../base/api.ts'

/** How long after a change the lists are read again: clocks and timers aren’t exact, and a list that is read too early would miss the change. */
export const AFTER_MS = 250

type Day = Pick<Schemas['ChangePoints'], 'from' | 'to' | 'thinned' | 'points'>

/** Returns whether the changes of a day say everything that passes at an instant: it is in that day, and no changes were joined. */
export const isWhole = (day: Day, now: number): boolean => !day.thinned && Date.parse(day.from) <= now && now < Date.parse(day.to)

const has = (counts: Readonly<Record<string, number | undefined>>, kinds: readonly string[]): boolean =>
  kinds.some(kind => (counts[kind] ?? 0) > 0)

/** Returns when something of these kinds has started, ended or changed last; null before the day. At its start anything can have ended. */
export function lastChange(day: Day, kinds: readonly string[], now: number): number | null {
  if (now < Date.parse(day.from)) return null
  const last = day.points.findLast(
    ({ at, started, ended, changed }) => Date.parse(at) <= now && [started, ended, changed].some(counts => has(counts, kinds)),
  )
  return Date.parse(last?.at ?? day.from)
}

/** Returns whether a list of these kinds was read before the last change, both by the clock of the service. */
export function hasPassed(day: Day, kinds: readonly string[], read_at: number, now: number): boolean {
  const last = lastChange(day, kinds, now - AFTER_MS)
  return last !== null && read_at < last + AFTER_MS
}
