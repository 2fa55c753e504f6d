// Keeps an embedded engine running for as long as this process owns its data directory. The lock of the directory belongs to a connection, so a
// connection that ends means that the engine crashed, or that someone ended this backend alone: either way the engine is reached or started again.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/** Pause between two attempts to start the engine again. */
const PAUSE_MS = 100

/** What the keeper needs to know about an engine. */
export type Keeping = {
  /** Returns a new connection to the running engine; null if it accepts none. */
  reach(): Promise<pg.Client | null>
  /** Returns whether its main process is running: it may be recovering, and will accept connections in a moment. */
  lives(): Promise<boolean>
  /** Starts the engine, and returns a connection. */
  start(): Promise<pg.Client>
  /** Takes the lock of the directory; false if another process has it. */
  take(client: pg.Client): Promise<boolean>
  say(line: string): void
}

/** Watches the engine of this connection, which has the lock. `stop` ends the watch and closes the connection. */
export function keepEngine(first: pg.Client, how: Keeping): { stop(): Promise<void> } {
  let held = first
  let stopped = false
  let reviving: Promise<void> = Promise.resolve()

  const watch = (client: pg.Client) => {
    held = client
    client.once('end', () => {
      if (stopped) return
      how.say('The connection to the embedded database broke. Reconnecting, and restarting the database if it has ended…')
      reviving = revive()
    })
  }

  async function revive(): Promise<void> {
    let said = ''
    while (!stopped) {
      try {
        const client = (await how.reach()) ?? ((await how.lives()) ? null : await how.start())
        if (client !== null) {
          if (await how.take(client)) {
            watch(client)
            how.say('The embedded database is running again.')
            return
          }
          await client.end()
          throw new Error('Another Walkdown process is using the data directory. Stop one of the two.')
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (message !== said) how.say(message)
        said = message
      }
      await wait(PAUSE_MS)
    }
  }

  watch(first)
  return {
    async stop() {
      stopped = true
      await reviving
      await held.end().catch(() => {})
    },
  }
}
