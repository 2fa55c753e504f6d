// What the page does when a part of it can't be loaded, because the service was updated while the page was open: it loads the newer version by itself when
// nothing can be lost by that, and otherwise says so. What is typed into forms and what waits to be sent is stored on the device (kept-form.ts, outbox.ts);
// what isn't stored are drawings, and fields of forms that don't outlive a dialog. Decision 1038.
import { useSyncExternalStore } from 'react'
import { itemsIn } from '../../shared/narrow.ts'
import { lineNow, onLine } from './line.ts'
import { listeners } from './listeners.ts'

/** What is known: nothing is missing; a part is missing, of this version or of an older one; and the page is about to load the newer one by itself. */
export type Missing = null | 'offline' | 'same' | 'newer' | 'reloading'

const RELOADED = 'walkdown.reloaded'
/** A page that has reloaded by itself doesn't do it again for this long: a service that keeps failing must not make it blink. */
const AGAIN_MS = 60_000
/** A worker that stores the newer version has this long; then the page reloads without it. */
const WORKER_MS = 15_000

const heard = listeners()
let missing: Missing = null
let asking = false

const put = (next: Missing): void => {
  missing = next
  heard.tell()
}

/** Returns what is known about missing parts, and follows it. */
export const useMissing = (): Missing => useSyncExternalStore(heard.hear, () => missing)

let places = 0

/** Call this while a place on the page says what is missing; returns what to call when it no longer does. */
export function saidInPlace(): () => void {
  places++
  heard.tell()
  return () => {
    places--
    heard.tell()
  }
}

/** Returns whether a place on the page says what is missing. */
export const useSaidInPlace = (): boolean => useSyncExternalStore(heard.hear, () => places > 0)

const touched = new Set<Element>()
addEventListener(
  'input',
  event => {
    // What moves the time or narrows a list is in the URL.
    if (event.target instanceof Element && !event.target.matches('[type=range], [type=search]')) touched.add(event.target)
  },
  { capture: true },
)

/** Returns whether the page shows something that a reload could lose: a drawing, an open window, or a field that was changed. */
function couldLose(): boolean {
  for (const field of touched) if (!field.isConnected) touched.delete(field)
  return touched.size > 0 || document.querySelector('dialog[open], [data-unsaved]') !== null
}

/** Returns whether the service has another version of the app than this page; false if it doesn't respond. */
async function isNewer(): Promise<boolean> {
  const own = document.querySelector('script[type=module][src*="/assets/"]')?.getAttribute('src')
  const reply = await fetch('/built.json', { cache: 'no-store' })
  if (own == null || !reply.ok) return false
  const built: { first?: unknown } = await reply.json()
  return !itemsIn(built.first).includes(own)
}

/** Waits until the worker has stored the newer version: it would answer with the older one. */
async function workerReady(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update()
  const worker = registration?.installing ?? registration?.waiting
  if (worker == null) return
  await new Promise<void>(done => {
    const settled = () => ['activated', 'redundant'].includes(worker.state) && done()
    worker.addEventListener('statechange', settled)
    settled()
    setTimeout(done, WORKER_MS)
  })
}

/** Loads the page again, in the newest version that the service has. */
export async function reloadNewer(): Promise<void> {
  await workerReady().catch(() => undefined)
  location.reload()
}

/** Call this when a part of the app couldn't be loaded. */
export async function partMissing(): Promise<void> {
  if (asking || missing === 'reloading') return
  if (!lineNow().up) return put('offline')
  asking = true
  const newer = await isNewer().catch(() => null)
  asking = false
  if (newer === null) return put('offline')
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (couldLose() || Date.now() - before < AGAIN_MS) return put(newer ? 'newer' : 'same')
  sessionStorage.setItem(RELOADED, String(Date.now()))
  put('reloading')
  await reloadNewer()
}

// With the connection back, what was missing may be there.
onLine(() => {
  if (missing === 'offline' && lineNow().up) void partMissing()
})
