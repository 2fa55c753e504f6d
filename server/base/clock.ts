import { type Instant, instant } from '../../shared/time.ts'

/** The clock that all code reads: the machine's, or with `CLOCK=manual` one that moves only when a test moves it. */
export type Clock = {
  /** The present instant. */
  now(): Instant
  /** Puts a manual clock to this instant; the machine's clock refuses. */
  set(at: Instant): void
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  set: () => {
    throw new Error('The clock is the machine’s own. Start with CLOCK=manual to move it.')
  },
}

/** A clock that doesn't move until it is set. */
export function manualClock(start: Instant): Clock {
  let at = start
  return {
    now: () => at,
    set: next => {
      at = next
    },
  }
}

/** Repetition on the machine's own time; what is due, the clock says. */
export const systemTimers = {
  every(milliseconds: number, work: () => void): { stop(): void } {
    const timer = setInterval(work, milliseconds)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  },
}
