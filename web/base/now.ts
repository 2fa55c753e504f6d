import { useEffect, useState } from 'react'
import { type Instant, ms } from '../../shared/time.ts'

/** The shortest pause between ticks, however close together the instants are. */
const LEAST_MS = 250

/**
 * Returns how long a clock's text stays right: until the next of these instants, and `every_ms` at most. “Starts in 1 minute” must change to “ends in 8 hours”
 * at the instant of the start, not up to a minute later.
 */
export function untilTick(now: number, instants: Iterable<Instant | null>, every_ms: number): number {
  let next = every_ms
  for (const instant of instants) {
    const away = instant === null ? 0 : ms(instant) - now
    if (away > 0 && away < next) next = away
  }
  return Math.max(next, LEAST_MS)
}

const NONE: readonly Instant[] = []

/**
 * Returns the time of this device: updated after `every_ms`, at each of the `instants` at which something on screen changes, and immediately when the app
 * returns to the foreground. Keep `instants` the same object while they are the same.
 */
export function useNow(every_ms = 15_000, instants: readonly (Instant | null)[] = NONE): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(tick, untilTick(Date.now(), instants, every_ms))
    }
    const tick = () => {
      clearTimeout(timer)
      setNow(Date.now())
      wait()
    }
    wait()
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [every_ms, instants])
  return now
}

/** Lists the instants at which the text about these permits changes: the start and the end of each window. */
export const edgesOf = (permits: readonly { start_at: Instant | null; end_at: Instant | null }[]): (Instant | null)[] =>
  permits.flatMap(permit => [permit.start_at, permit.end_at])
