import { type Instant, instant } from '../../shared/time.ts'

/** The clock that all code reads: the machine's, or with `CLOCK=manual` one that moves only when a test moves it. */
export type Clock = {
  /** Returns the present instant. */
  now(): Instant
  /** Sets a manual clock to this instant; the machine's clock refuses. */
  set(at: Instant): void
}

let last = { ms: 0, text: instant(0) }

/** The machine's clock. A request reads it several times in a millisecond, and to write an instant takes longer than the rest of that. */
export const systemClock: Clock = {
  now() {
    const ms = Date.now()
    if (ms !== last.ms) last = { ms, text: instant(ms) }
    return last.text
  },
  set: () => {
    throw new Error('The clock is the system clock. To set the time, start with CLOCK=manual.')
  },
}

/** Makes a clock that doesn't move until it is set. */
export function manualClock(start: Instant): Clock {
  let at = start
  return {
    now: () => at,
    set: next => {
      at = next
    },
  }
}

/** Repeats work in real time; the work itself checks with the clock what is due. */
export const systemTimers = {
  every(milliseconds: number, work: () => void): { stop(): void } {
    const timer = setInterval(work, milliseconds)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  },
}
