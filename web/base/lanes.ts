// Work in the order of the calls, for what takes time before it writes: the last change has to win.

const lanes = new Map<string, Promise<unknown>>()
const retries = new Map<string, Promise<unknown>>()

/** Resolves when everything in a lane has begun its transaction: what is read from now on contains it, because the browser keeps the order of transactions. */
export const begunIn = (lane: string): Promise<unknown> => lanes.get(lane) ?? Promise.resolve()

/**
 * Runs work after the work that was called before it. It begins when the transaction of that work has `begun`, so that a page that is closed at that moment
 * loses nothing that was typed into it; or else when that work is done.
 */
export function inOrder<T>(lane: string, work: (begun: () => void) => Promise<T>): Promise<T> {
  let begun = () => {}
  const beginning = new Promise<void>(done => {
    begun = done
  })
  const turn = begunIn(lane).then(async () => {
    while (retries.has(lane)) await retries.get(lane)
    return work(begun)
  })
  lanes.set(lane, Promise.race([beginning, turn.catch(() => undefined)]))
  return turn
}

/** Repeats work whose transaction found that another window was quicker. Work that has begun after it finds the same, and follows; the rest waits. */
export function again<T>(lane: string, work: () => Promise<T>): Promise<T> {
  const turn = (retries.get(lane) ?? Promise.resolve()).then(work)
  const settled: Promise<void> = turn
    .catch(() => undefined)
    .then(() => {
      if (retries.get(lane) === settled) retries.delete(lane)
    })
  retries.set(lane, settled)
  return turn
}
