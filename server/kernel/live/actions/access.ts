// Open apps end with their access: as soon as a session ends, or an account is disabled, the database notifies every node, and each one looks which of its
// apps that concerns (decision 1041).
import { setTimeout as wait } from 'node:timers/promises'
import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { changedAccess, type OpenAccess } from '../queries.ts'

/** An app that is signed in. */
type SignedIn = {
  /** What it was signed in with; null before that. */
  access(): OpenAccess | null
  /** Called when its session or account has ended. */
  end(): void
  /** Called when the person became a superadmin, or is no longer one. */
  reread(): Promise<void>
}

/** What a process knows of changes of access. */
export type AccessWatch = {
  /** Looks at every open app. */
  look(): void
  /** Returns how many times it was notified. What was read before the last time can be out of date. */
  notified(): number
  stop(): void
}

/** How soon it looks again if the database didn’t respond. */
const AGAIN_MS = 1000

/** Watches the access of the open apps of a process. */
export function watchAccess(house: House, open: ReadonlyMap<Id, ReadonlySet<SignedIn>>): AccessWatch {
  let notified = 0
  let done = 0
  let busy = false
  let stopped = false

  async function compare(): Promise<void> {
    const apps = [...open.values()].flatMap(own => [...own])
    const changed = await changedAccess(
      house.database.db,
      apps.flatMap(app => app.access() ?? []),
    )
    for (const { user_id, family, ended } of changed)
      for (const app of [...(open.get(user_id) ?? [])]) {
        if (app.access()?.family !== family) continue
        if (ended) app.end()
        else await app.reread()
      }
  }

  async function lookAll(): Promise<void> {
    while (done < notified && !stopped) {
      const until = notified
      try {
        await compare()
        done = until
      } catch (error) {
        house.log.warn({ err: error }, 'live: access')
        await wait(AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  return {
    notified: () => notified,
    look() {
      notified++
      if (busy) return
      busy = true
      void outside(lookAll).finally(() => {
        busy = false
      })
    },
    stop() {
      stopped = true
    },
  }
}
