/** Returns the latest time at or before `now` at which a schedule was due, in milliseconds. */
export const lastDue = (every_minutes: number, now: number): number => Math.floor(now / (every_minutes * 60_000)) * every_minutes * 60_000

/** Returns when a schedule is due next: the first time that was missed, if any was. A schedule that never ran is due immediately. */
export const nextDue = (every_minutes: number, last_due: number | null, now: number): number =>
  last_due === null ? lastDue(every_minutes, now) : last_due + every_minutes * 60_000

/** Returns the seconds to wait before the next attempt: 2, 4, 8 … at most ten minutes. */
export const backoffSeconds = (attempt: number): number => Math.min(600, 2 ** attempt)
