// Tiles that were made are kept in memory, up to a number of bytes, and only a few are made at the same time: a map that is left open must not delay permits.
import { refuse, unavailable } from '../../../../base/errors.ts'

/** A tile as it is sent; null if it is empty. */
export type Made = Buffer | null

/** Opens a cache. `waiting`: how many tiles can wait until one of the `at_once` is done. */
export function openTiles({ bytes: most, at_once, waiting: most_waiting }: { bytes: number; at_once: number; waiting: number }) {
  const kept = new Map<string, Made>()
  const making = new Map<string, Promise<Made>>()
  const waiting: (() => void)[] = []
  let [size, busy] = [0, 0]
  const weight = (key: string, tile: Made) => key.length * 2 + 100 + (tile?.length ?? 0)

  const keep = (key: string, tile: Made): void => {
    kept.set(key, tile)
    size += weight(key, tile)
    for (const [oldest, old] of kept) {
      if (size <= most) break
      kept.delete(oldest)
      size -= weight(oldest, old)
    }
  }
  const make = async (key: string, work: () => Promise<Made>): Promise<Made> => {
    if (busy < at_once) busy++
    else {
      if (waiting.length >= most_waiting)
        refuse(unavailable('The map is being opened by too many people at the moment. Try again in a moment.'))
      await new Promise<void>(done => waiting.push(done))
    }
    try {
      const tile = await work()
      keep(key, tile)
      return tile
    } finally {
      const next = waiting.shift()
      // The place passes on to the one that has waited longest.
      if (next === undefined) busy--
      else next()
    }
  }
  return {
    /** Returns a tile: a kept one, one that is being made, or a new one. */
    async get(key: string, work: () => Promise<Made>): Promise<Made> {
      const found = kept.get(key)
      if (found !== undefined) {
        kept.delete(key)
        kept.set(key, found)
        return found
      }
      const running = making.get(key)
      if (running !== undefined) return running
      const made = make(key, work).finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
    state: () => ({ tiles: kept.size, bytes: size, busy, waiting: waiting.length }),
  }
}
