// The push message for a device, and how it is addressed (RFC 8030): pure.
import type { Id } from '../../../base/ids.ts'

/** How urgent a message is (`messages.md` §0.6). */
export type Urgency = 'info' | 'attention' | 'critical'

/** A message for one person. */
export type PushMessage = {
  /** Id of the notification: a device that gets the same id twice shows it once. */
  id: Id
  /** Kind of the notification. */
  kind: string
  title: string
  body: string
  site_id: Id | null
  /** What it is about: a newer message on the same replaces the older one. */
  tag: string
  /** Path in the app; null: a click leads nowhere. */
  link: string | null
  urgency: Urgency
  /** How long it is worth something, seconds. */
  ttl_seconds: number
}

/** Longest text that goes out, bytes of JSON (`messages.md` §4: plaintext at most 3,993, ours 3,000). */
export const LONGEST = 3000

const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** The longest beginning of `text`, in whole characters, with which `fits` is true. */
function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text
  const letters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.slice(0, 4 * LONGEST))].map(part => part.segment)
  let low = 0
  let high = letters.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(`${letters.slice(0, middle).join('')}…`)) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${letters.slice(0, low).join('')}…`
}

/** The message as the device reads it, cut to what fits: the body first, then the title. */
export function payloadOf({ id, kind, title, body, site_id, tag, link }: PushMessage): string {
  const whole = { id, kind, title, body, site_id, tag, link }
  whole.body = shortened(body, text => size({ ...whole, body: text }) <= LONGEST)
  whole.title = shortened(title, text => size({ ...whole, title: text }) <= LONGEST)
  return JSON.stringify(whole)
}

/** `Urgency` of RFC 8030: may wake a phone, or waits until it is awake. */
export const urgencyHeader = (urgency: Urgency): 'high' | 'normal' => (urgency === 'info' ? 'normal' : 'high')
