/** Returns a name that isn't taken yet, if need be with a number after it, and takes it. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  taken.add(free)
  return free
}
