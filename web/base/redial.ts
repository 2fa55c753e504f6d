// When the socket is opened again after it has closed. Pure.

const FIRST_MS = 500
const MOST_MS = 20_000

/**
 * Returns the pause before the next attempt, in milliseconds. A service that ends says how long each app is to wait (`retry_after_ms`, `messages.md`), so
 * that they don’t all come back at once; otherwise the pause doubles with each failed attempt, with an even spread of a half to one and a half times.
 */
export const pauseBefore = (failed: number, chance: number, told_ms: number | null): number =>
  told_ms ?? Math.min(MOST_MS, FIRST_MS * 2 ** failed) * (0.5 + chance)
