// Repeatable randomness: a seeded generator for property tests. A failure prints its seed; SEED in the environment repeats it.

/** A source of random values. */
export type Chance = {
  seed: number
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from 0 to below n. */
  below(n: number): number
  /** One element of a list. */
  of<T>(list: readonly T[]): T
  /** True with this probability. */
  odds(p: number): boolean
}

/** Returns a source of random values from a seed (mulberry32). */
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

/** The seed of a whole run, which the runner derives from the commit and prints: each change tries other values, and the same commit tries the same. */
export const RUN_SEED = process.env.RUN_SEED

/** Returns the seed of a test: SEED; or the seed of the run, if it `changes`; or one that is always the same. */
export const seedOf = (fallback: number, changes: 'changes' | 'stays' = 'stays'): number =>
  Number(process.env.SEED ?? (changes === 'changes' ? RUN_SEED : undefined) ?? fallback)

/** Returns how many repetitions to run: the number in the environment, or this one. */
export const times = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
