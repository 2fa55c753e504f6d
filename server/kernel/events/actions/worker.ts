import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import { RETRIES } from '../domain.ts'
import { ACCESS, type ForPerson, NEWS, unpark } from '../queries.ts'
import { relayEvents } from './relay.ts'

const POLL_MS = 250
const LISTEN_AGAIN_MS = 1000

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

/** What is done with the messages of other processes. */
export type Ears = {
  /** There are new events. */
  heard(): void
  /** A session or an account has ended. */
  accessChanged?(): void
  /** Something changed for one person alone. */
  forPerson?(news: ForPerson): void
}

/**
 * Listens for the wake-up messages of other processes on a connection of its own. If it breaks, it is opened again within a second, and `heard` is
 * called for missed messages; meanwhile, or if the server has no notifications, polling every quarter of a second is enough.
 */
export async function hearNews(house: House, { heard, accessChanged, forPerson }: Ears): Promise<{ stop(): void }> {
  const take = ({ payload = '' }: { payload?: string }) => {
    if (payload === '') heard()
    else if (payload === ACCESS) accessChanged?.()
    else forPerson?.(JSON.parse(payload))
  }
  let let_go: (() => void) | null = null
  let state: 'deaf' | 'trying' | 'hearing' | 'stopped' = 'deaf'

  async function listen(again: boolean): Promise<void> {
    if (state !== 'deaf') return
    state = 'trying'
    try {
      const client = await house.database.pool.connect()
      let open = true
      const close = () => {
        if (!open) return
        open = false
        client.removeListener('notification', take)
        client.release(true)
        if (state !== 'stopped') state = 'deaf'
      }
      client.once('error', close)
      client.once('end', close)
      client.on('notification', take)
      let_go = close
      await client.query(`listen ${NEWS}`).catch(close)
      if (!open) return
      if (stopping()) return close()
      state = 'hearing'
      if (!again) return
      heard()
      accessChanged?.()
    } catch {
      if (!stopping()) state = 'deaf'
    }
  }
  const stopping = () => state === 'stopped' // it may be set while a connection is being opened

  await outside(() => listen(false))
  const timer = house.timers.every(LISTEN_AGAIN_MS, () => void outside(() => listen(true)))
  return {
    stop() {
      timer.stop()
      state = 'stopped'
      let_go?.()
    },
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
  const ear = await hearNews(house, { heard: run })
  const timer = house.timers.every(POLL_MS, run)
  return {
    async stop() {
      state.stopped = true
      timer.stop()
      ear.stop()
      await running
    },
  }
}
