import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import { RETRIES } from '../domain.ts'
import { NEWS, unpark } from '../queries.ts'
import { relayEvents } from './relay.ts'

const POLL_MS = 250

const telling = new WeakMap<House, { again: boolean }>()

/** Wakes the relays in all processes after a commit. The message is empty and can be lost: only the numbers in the database count. */
export function tellOfEvents(house: House): void {
  const under_way = telling.get(house)
  if (under_way !== undefined) {
    under_way.again = true
    return
  }
  const state = { again: false }
  telling.set(house, state)
  const tell = async () => {
    do {
      state.again = false
      await house.database.pool.query(`notify ${NEWS}`).catch(() => {})
    } while (state.again)
    telling.delete(house)
  }
  void outside(tell)
}

/** Listens for the wake-up messages of other processes. If no connection is available, polling every quarter of a second is enough. */
export async function hearNews(house: House, heard: () => void): Promise<{ stop(): void } | null> {
  try {
    const client = await house.database.pool.connect()
    let open = true
    const close = (broken: boolean) => {
      if (open) client.release(broken)
      open = false
    }
    client.on('error', () => close(true))
    client.on('notification', heard)
    await client.query(`listen ${NEWS}`)
    return {
      stop() {
        client.removeAllListeners('notification')
        close(true)
      },
    }
  } catch {
    return null
  }
}

/** Delivers events until it is stopped: whenever it is woken, and at least every quarter of a second. */
export async function startRelay(house: House): Promise<{ stop(): Promise<void> }> {
  await unpark(house.database.db, house.clock.now(), RETRIES)
  const state = { busy: false, again: false, stopped: false }
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    state.again = true
    if (state.busy || state.stopped) return
    state.busy = true
    running = (async () => {
      while (state.again && !state.stopped) {
        state.again = false
        await relayEvents(house).catch(error => house.log.error({ err: error }, 'relay'))
      }
      state.busy = false
    })()
  }
  const ear = await hearNews(house, run)
  const timer = house.timers.every(POLL_MS, run)
  return {
    async stop() {
      state.stopped = true
      timer.stop()
      ear?.stop()
      await running
    },
  }
}
