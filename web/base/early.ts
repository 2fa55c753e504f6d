// Answers that were asked for while the app itself was still on its way (web/early.ts): the first request for the same takes them.

/** An answer under way, and since when. */
export type Early = { at: number; answer: Promise<Response> }

declare global {
  interface Window {
    /** By `earlyKey`; put there by `web/early.ts`. */
    walkdownEarly?: Map<string, Early>
    /** What the device keeps of queries, as it was read while the app was on its way. */
    walkdownKept?: Promise<[string, unknown][]>
  }
}

const HOLDS_MS = 15_000

/** What is asked, however it is spelt. */
export function earlyKey(url: string): string {
  const { pathname, searchParams } = new URL(url, location.origin)
  return `${pathname}?${searchParams}`
}

/** The answer to this address that is under way; once, and only a young one. */
export function takeEarly(url: string): Promise<Response> | null {
  const key = earlyKey(url)
  const found = window.walkdownEarly?.get(key)
  window.walkdownEarly?.delete(key)
  return found !== undefined && Date.now() - found.at < HOLDS_MS ? found.answer : null
}

/** What the device keeps of queries, once, where it is being read already. */
export function takeKept<T>(): Promise<[string, T][]> | null {
  const reading = window.walkdownKept as Promise<[string, T][]> | undefined // as queries are kept
  delete window.walkdownKept
  return reading ?? null
}
