/** Returns a name that isn't taken yet, if need be with a number after it, and takes it. `taken`: names with the last number that was tried for each. */
export function freeName(name: string, taken: Map<string, number>): string {
  let n = taken.get(name) ?? 0
  let free = name
  if (n > 0) {
    do free = `${name}_${++n}`
    while (taken.has(free))
  }
  taken.set(name, Math.max(1, n))
  if (free !== name) taken.set(free, 1)
  return free
}
