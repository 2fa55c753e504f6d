// Whether there is a connection to the service, from what the device reports and from the results of the last calls. A device that reports itself as
// connected often isn't, so a call that failed to connect counts for more.
import { useSyncExternalStore } from 'react'
import { listeners } from './listeners.ts'

/** Connected, or since when it isn't. */
export type Line = { up: true } | { up: false; since: number }

const PROBE_MS = 4000
const heard = listeners()
let line: Line = navigator.onLine ? { up: true } : { up: false, since: Date.now() }
let probe: ReturnType<typeof setInterval> | undefined

function put(up: boolean): void {
  if (up === line.up) return
  line = up ? { up } : { up, since: Date.now() }
  clearInterval(probe)
  // Not every device reports that it is online again, so the app has to ask.
  if (!up) probe = setInterval(ask, PROBE_MS)
  heard.tell()
}

let probing: Promise<void> | null = null
let askedAt = Number.NEGATIVE_INFINITY

/** Asks once whether the service can be reached, for everyone who waits for it. */
function askOnce(): Promise<void> {
  probing ??= fetch('/api/diag/client-config', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })
    .then(lineHeld, () => undefined)
    .finally(() => {
      probing = null
      askedAt = performance.now()
    })
  return probing
}

function ask(): void {
  // A phone in a pocket makes no calls, so it checks again when the page becomes visible.
  if (document.visibilityState !== 'hidden') void askOnce()
}

/**
 * Returns whether a read is worth sending. While there is no connection, all of them wait for one small request and share its result, which counts until the next
 * one is due: an open map would ask for everything again and again.
 */
export async function isReachable(): Promise<boolean> {
  if (!line.up && performance.now() - askedAt > PROBE_MS) await askOnce()
  return line.up
}

/** Records that the service responded. */
export const lineHeld = (): void => put(true)
/** Records that a call failed to connect. */
export const lineLost = (): void => put(false)
/** Returns the current state of the connection. */
export const lineNow = (): Line => line

addEventListener('offline', lineLost)
addEventListener('online', lineHeld)
document.addEventListener('visibilitychange', () => {
  if (!line.up) ask()
})

/** Calls back when the connection comes or goes. */
export const onLine = heard.hear

/** Returns the current state of the connection, and follows it. */
export const useLine = (): Line => useSyncExternalStore(onLine, lineNow)
