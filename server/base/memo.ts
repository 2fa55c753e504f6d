import type { Ctx } from './ctx.ts'

/** What values are kept in: a `Map`, or a `WeakMap` if they are kept only as long as their keys. */
type Kept<K, V> = { get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): unknown }

/** Returns a map's value for a key; the first call creates and keeps it. */
export function remembered<K, V>(map: Kept<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined || map.has(key)) return known as V // the map has this key
  const made = make()
  map.set(key, made)
  return made
}

/** Freezes a value with everything in it, because several requests share it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFrozen(inner)
  }
  return value
}

const known = new WeakMap<Ctx, Map<string, Promise<unknown>>>()

/** Returns what was fetched before in the same request or job, or for an earlier event of the same delivery, instead of fetching it again. */
export function once<T>(ctx: Ctx, key: string, ask: () => Promise<T>): Promise<T> {
  const map = known.get(ctx) ?? new Map<string, Promise<unknown>>()
  known.set(ctx, map)
  return remembered(map, key, ask) as Promise<T> // each key is used by one caller, with one type
}

/** Forgets what was fetched, after this request or job has changed it. */
export const forgetFetched = (ctx: Ctx): void => {
  known.delete(ctx)
}
