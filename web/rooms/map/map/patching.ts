// What is on the map now after a few things changed: these are replaced in place, and the others stay the same objects, so that thousands are neither read nor
// drawn again because of one.

/** What the order of a list at a point in time depends on. */
type Listed = { id: string; start_at: string; version: number }

const before = (a: Listed, b: Listed): boolean => (a.start_at === b.start_at ? a.id < b.id : a.start_at < b.start_at)

/** Returns the things after some were read again: those in `fresh` are there, the others aren't. A newer version that is already here stays. */
export function patchedList<T extends Listed>(here: readonly T[], ids: readonly string[], fresh: readonly T[]): T[] {
  const asked = new Set(ids)
  const known = new Map(here.filter(({ id }) => asked.has(id)).map(one => [one.id, one]))
  const there = fresh
    .map(one => {
      const was = known.get(one.id)
      return was !== undefined && was.version > one.version ? was : one
    })
    .sort((a, b) => (before(a, b) ? -1 : 1))
  const out: T[] = []
  let next = 0
  for (const one of here) {
    if (asked.has(one.id)) continue
    for (let ahead = there[next]; ahead !== undefined && before(ahead, one); ahead = there[++next]) out.push(ahead)
    out.push(one)
  }
  return [...out, ...there.slice(next)]
}
