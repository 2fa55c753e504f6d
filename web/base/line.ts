// Whether there is a line to the service: what the device says of itself, and what became of the last calls. A device that believes to be
// connected is often not: a call that failed to connect counts for more.
import { useSyncExternalStore } from 'react'

/** Connected, or since when not. */
export type Line = { up: true } | { up: false; since: number }

const PROBE_MS = 4000
const heard = new Set<() => void>()
let line: Line = navigator.onLine ? { up: true } : { up: false, since: Date.now() }
let probe: ReturnType<typeof setInterval> | undefined

function put(up: boolean): void {
  if (up === line.up) return
  line = up ? { up } : { up, since: Date.now() }
  clearInterval(probe)
  // Not every device reports that it is online again, so the app has to ask.
  if (!up) probe = setInterval(ask, PROBE_MS)
  for (const tell of heard) tell()
}

function ask(): void {
  // A phone in a pocket makes no calls; it looks again when the page becomes visible.
  if (document.visibilityState === 'hidden') return
  fetch('/api/diag/client-config', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(lineHeld, () => undefined)
}

/** The service answered. */
export const lineHeld = (): void => put(true)
/** A call failed to connect. */
export const lineLost = (): void => put(false)
/** The line as it is known now. */
export const lineNow = (): Line => line

addEventListener('offline', lineLost)
addEventListener('online', lineHeld)
document.addEventListener('visibilitychange', () => {
  if (!line.up) ask()
})

/** Hears of the line coming and going. */
export function onLine(tell: () => void): () => void {
  heard.add(tell)
  return () => heard.delete(tell)
}

/** The line as it is known now. */
export const useLine = (): Line => useSyncExternalStore(onLine, lineNow)
