// Long downloads that are written while they are sent: one consistent read of the database, in little memory, at the speed of the receiver.
import { Readable } from 'node:stream'
import { setTimeout as real } from 'node:timers/promises'
import { type Ctx, type House, snapshot, type Work } from './ctx.ts'
import { refuse, unavailable } from './errors.ts'

/** Each occupies a connection for as long as it lasts. */
const AT_ONCE = 2
/** A receiver that takes nothing for this long has gone. This uses real time, because it protects the connection. */
const PATIENCE_MS = 60_000

const under_way = new WeakMap<House, number>()

/** Refuses another long download if too many are running. */
export function refuseCrowd(house: House): void {
  if ((under_way.get(house) ?? 0) >= AT_ONCE)
    refuse(unavailable('Too many exports are being sent at the moment. Try again in a minute.', { retry_after_seconds: 30 }))
}

/** Makes a download of the text that `write` yields, all of it read at one moment of the database. */
export function streamed(house: House, work: Work, write: (ctx: Ctx) => AsyncIterable<string>): Readable {
  refuseCrowd(house)
  under_way.set(house, (under_way.get(house) ?? 0) + 1)
  let wanted: (() => void) | null = null
  let closed = false
  const wake = () => {
    wanted?.()
    wanted = null
  }
  const out = new Readable({
    highWaterMark: 64 * 1024,
    read: wake,
    destroy(error, done) {
      closed = true
      wake()
      done(error)
    },
  })
  /** Waits until the receiver wants more. */
  const turn = async (): Promise<void> => {
    const stop = new AbortController()
    const late = real(PATIENCE_MS, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const)
    const said = await Promise.race([new Promise<'wanted'>(go => (wanted = () => go('wanted'))), late])
    stop.abort()
    if (said === 'late') throw new Error('The receiver of an export stopped reading.')
  }
  snapshot(house, work, async ctx => {
    for await (const text of write(ctx)) {
      if (closed) return
      if (!out.push(text)) await turn()
      if (closed) return
    }
  })
    .then(() => out.push(null))
    .catch((error: Error) => out.destroy(error))
    .finally(() => under_way.set(house, (under_way.get(house) ?? 1) - 1))
  return out
}
