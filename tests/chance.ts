// Chance that can be had again: a seeded generator for property tests. A failure names its seed; SEED in the environment repeats it.

/** A source of chance. */
export type Chance = {
  seed: number
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from 0 up to, and without, n. */
  below(n: number): number
  /** One of these. */
  of<T>(list: readonly T[]): T
  /** True in so many cases of one. */
  odds(p: number): boolean
}

/** A source of chance from a seed (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    seed,
    next,
    below,
    of(list) {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('Chosen from nothing.')
      return found
    },
    odds: p => next() < p,
  }
}

/** The seed of this run: SEED, or one that is the same every time. */
export const seedOf = (fallback: number): number => Number(process.env.SEED ?? fallback)

/** How often: the environment says more for a long run. */
export const times = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
