/** The latest instant at or before `now` at which a schedule was due, in milliseconds. */
export const lastDue = (every_minutes: number, now: number): number => Math.floor(now / (every_minutes * 60_000)) * every_minutes * 60_000

/** Seconds to wait before another try: 2, 4, 8 … at most ten minutes. */
export const backoffSeconds = (attempt: number): number => Math.min(600, 2 ** attempt)
