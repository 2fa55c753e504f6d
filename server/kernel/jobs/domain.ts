/** The latest instant at or before `now` at which a schedule was due, in milliseconds. */
export const lastDue = (every_minutes: number, now: number): number => Math.floor(now / (every_minutes * 60_000)) * every_minutes * 60_000

/** When a schedule is due next: the moment that was missed, if one was. One that never ran is due as from now. */
export const nextDue = (every_minutes: number, last_due: number | null, now: number): number =>
  last_due === null ? lastDue(every_minutes, now) : last_due + every_minutes * 60_000

/** Seconds to wait before another try: 2, 4, 8 … at most ten minutes. */
export const backoffSeconds = (attempt: number): number => Math.min(600, 2 ** attempt)
