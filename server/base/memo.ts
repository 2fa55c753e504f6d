/** What a map holds under a key, made and kept on the first call. */
export function remembered<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined || map.has(key)) return known as V // there is one under this key
  const made = make()
  map.set(key, made)
  return made
}
