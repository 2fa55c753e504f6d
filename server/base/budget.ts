// A limit on the total time of several steps. It uses real time, because it protects the machine, and `CLOCK=manual` must not stop it.
import { setTimeout as real } from 'node:timers/promises'

/** Time that several steps share. */
export type Budget = {
  /** Waits for `work`, but no longer than the time that is left, less `spare_ms`. Returns whether it ended in time; an error counts as ended. */
  within(work: Promise<unknown>, spare_ms?: number): Promise<boolean>
}

/** Returns a budget of this many milliseconds, starting now. */
export function budget(milliseconds: number): Budget {
  const until = performance.now() + milliseconds
  return {
    async within(work, spare_ms = 0) {
      const stop = new AbortController()
      const late = real(Math.max(0, until - performance.now() - spare_ms), false, { signal: stop.signal }).catch(() => false)
      const ended = work.then(
        () => true,
        () => true,
      )
      try {
        return await Promise.race([ended, late])
      } finally {
        stop.abort()
      }
    },
  }
}
