// Responses that were requested while the app itself was still loading (web/early.ts): the first request for the same URL uses them.

/** A pending response, and when it was requested. */
export type Early = { at: number; answer: Promise<Response> }

declare global {
  interface Window {
    /** By `earlyKey`; set by `web/early.ts`. */
    walkdownEarly?: Map<string, Early>
    /** This device's stored queries as they are stored, read while the app was loading. */
    walkdownKept?: Promise<[string, unknown][]>
  }
}

const HOLDS_MS = 15_000

/** Returns the key of a request, however its URL is written. */
export function earlyKey(url: string): string {
  const { pathname, searchParams } = new URL(url, location.origin)
  return `${pathname}?${searchParams}`
}

/** Returns the pending response for this URL, once, and only when it is recent. */
export function takeEarly(url: string): Promise<Response> | null {
  const key = earlyKey(url)
  const found = window.walkdownEarly?.get(key)
  window.walkdownEarly?.delete(key)
  return found !== undefined && Date.now() - found.at < HOLDS_MS ? found.answer : null
}

/** Returns this device's stored queries, once, if they are already being read. */
export function takeKept(): Promise<[string, unknown][]> | null {
  const reading = window.walkdownKept
  delete window.walkdownKept
  return reading ?? null
}
