// The push message for a device, and its headers (RFC 8030). This file is pure.
import type { Id } from '../../../base/ids.ts'

/** How urgent a message is (`messages.md` §0.6). */
export type Urgency = 'info' | 'attention' | 'critical'

/** A message for one person. */
export type PushMessage = {
  /** Id of the notification: a device that receives the same id twice shows it once. */
  id: Id
  /** Kind of the notification. */
  kind: string
  title: string
  body: string
  site_id: Id | null
  /** The subject of the message: a newer message with the same tag replaces the older one. */
  tag: string
  /** Path in the app; null: the message has no link. */
  link: string | null
  urgency: Urgency
  /** How long the message is useful, in seconds. */
  ttl_seconds: number
}

/** Largest message that is sent, in bytes of JSON (`messages.md` §4: at most 3,993 of plaintext, of which we use 3,000). */
export const LONGEST = 3000

const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Returns the longest prefix of `text`, in whole characters, for which `fits` is true. */
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

/** Returns the message in the form that the device reads, cut to the largest size: the body first, then the title. */
export function payloadOf({ id, kind, title, body, site_id, tag, link }: PushMessage): string {
  const whole = { id, kind, title, body, site_id, tag, link }
  whole.body = shortened(body, text => size({ ...whole, body: text }) <= LONGEST)
  whole.title = shortened(title, text => size({ ...whole, title: text }) <= LONGEST)
  return JSON.stringify(whole)
}

/** Returns `Urgency` of RFC 8030: the message may wake a phone, or waits until the phone is awake. */
export const urgencyHeader = (urgency: Urgency): 'high' | 'normal' => (urgency === 'info' ? 'normal' : 'high')
