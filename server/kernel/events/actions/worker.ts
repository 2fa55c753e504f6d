import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import { RETRIES } from '../domain.ts'
import { NEWS, unpark } from '../queries.ts'
import { relayEvents } from './relay.ts'

const POLL_MS = 250

const telling = new WeakMap<House, { again: boolean }>()

/** Wakes the relays, in any process, after a commit. The message carries nothing and can be lost: the numbers in the database are the truth. */
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

/** Hears the news of other processes; without a connection for it, looking every quarter of a second is enough. */
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

/** Delivers events until it is stopped: when it is notified of some, and every quarter of a second anyway. */
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
