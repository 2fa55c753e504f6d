// Whether the service is too busy at the moment, from its last responses: shown in the bar, while calls are repeated by themselves.
import { useSyncExternalStore } from 'react'
import { isBusy, retryAfterOf } from './again.ts'
import { listeners } from './listeners.ts'

/** Without further calls, the app no longer knows after this time. */
const KNOWN_MS = 30_000

const heard = listeners()
let busy = false
let forget: ReturnType<typeof setTimeout> | undefined

function put(now: boolean): void {
  clearTimeout(forget)
  if (now) forget = setTimeout(() => put(false), KNOWN_MS)
  if (now === busy) return
  busy = now
  heard.tell()
}

/** Records what a response says about the load of the service. */
export const noteLoad = ({ status, headers }: Response): void => put(isBusy({ status, retry_after: retryAfterOf(headers) }))

/** Returns whether the service is too busy at the moment, and follows it. */
export const useBusy = (): boolean => useSyncExternalStore(heard.hear, () => busy)
