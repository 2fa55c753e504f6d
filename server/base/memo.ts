/** Returns a map's value for a key; the first call creates and keeps it. */
export function remembered<K, V>(map: Map<K, V>, key: K, make: () => V): V {
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
