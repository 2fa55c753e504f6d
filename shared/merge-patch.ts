import { fieldsIn, isRecord } from './narrow.ts'

/** Changes to an object: what is left out stays as it is, null clears, and objects within it change in the same way. */
type Patch<T> = { readonly [K in keyof T]?: T[K] extends object | undefined ? Patch<T[K]> | null : T[K] | null }

/** Returns an object with changes applied (RFC 7396). Its own keys are copied as they are, `__proto__` too. */
export function mergePatch<T extends object>(now: T, change: Patch<T>): T {
  const next = new Map<string, unknown>(Object.entries(now))
  for (const [key, value] of Object.entries(change)) {
    if (value === null) next.delete(key)
    else if (value !== undefined) next.set(key, isRecord(value) ? mergePatch(fieldsIn(next.get(key)), value) : value)
  }
  const entries: Iterable<readonly unknown[]> = next
  return Object.fromEntries(entries)
}
