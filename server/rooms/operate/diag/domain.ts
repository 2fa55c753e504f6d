import { isRecord } from '../../../../shared/narrow.ts'
import { type Instant, readInstant } from '../../../../shared/time.ts'
import { isId } from '../../../base/ids.ts'

/** What is recorded about sign-ins (`site-and-people.md` §9). */
export const AUTH_EVENTS = [
  'sign_in_failed',
  'callback_error',
  'refresh_failed',
  'token_rejected',
  'clock_skew',
  'redirect_loop',
  'signed_out',
] as const

/** What an app reports about itself. */
export const CLIENT_KINDS = ['error', 'warning', 'vital', 'queue', 'sync', 'socket'] as const
type ClientKind = (typeof CLIENT_KINDS)[number]

/** An event of an app that can be stored. */
export type ClientEvent = {
  kind: ClientKind
  at: Instant
  name: string
  message: string
  stack: string | null
  route: string
  value: number | null
  request_id: string | null
  site_id: string | null
  app_version: string
}

const TEXTS = { name: 200, message: 8000, route: 1000, app_version: 30 } as const
const MAYBE = { stack: 16_000, request_id: 200 } as const
const KNOWN = new Set(['kind', 'at', 'value', 'site_id', ...Object.keys(TEXTS), ...Object.keys(MAYBE)])

/** Reads an event; returns the reason if it must be dropped. */
export function readEvent(sent: unknown): ClientEvent | { reason: string } {
  if (!isRecord(sent)) return { reason: 'isn’t an object.' }
  const event = sent
  const strange = Object.keys(event).find(key => !KNOWN.has(key))
  if (strange !== undefined) return { reason: `${strange.slice(0, 60)} isn’t a field of an event.` }
  const kind = CLIENT_KINDS.find(known => known === event.kind)
  if (kind === undefined) return { reason: `kind must be ${CLIENT_KINDS.join(', ')}.` }
  const at = typeof event.at === 'string' ? readInstant(event.at) : null
  if (at === null) return { reason: 'at must be a point in time.' }
  for (const [field, max] of Object.entries(TEXTS)) {
    const value = event[field]
    if (typeof value !== 'string' || value === '' || value.length > max)
      return { reason: `${field} must be text of 1 to ${max} characters.` }
  }
  for (const [field, max] of Object.entries(MAYBE)) {
    const value = event[field] ?? ''
    if (typeof value !== 'string' || value.length > max) return { reason: `${field} must be text of at most ${max} characters.` }
  }
  const { value = null, site_id = null } = event
  if (value !== null && (typeof value !== 'number' || !Number.isFinite(value))) return { reason: 'value must be a number.' }
  if (site_id !== null && (typeof site_id !== 'string' || !isId(site_id))) return { reason: 'site_id must be an id (UUID).' }
  const text = (field: keyof typeof TEXTS | keyof typeof MAYBE) => (typeof event[field] === 'string' ? event[field] : null)
  return {
    kind,
    at,
    name: text('name') ?? '',
    message: text('message') ?? '',
    stack: text('stack'),
    route: text('route') ?? '',
    value,
    request_id: text('request_id'),
    site_id,
    app_version: text('app_version') ?? '',
  }
}

/** Returns the log level of an app's event. */
export const levelOf = (kind: ClientKind): 'error' | 'warn' | 'info' => (kind === 'error' ? 'error' : kind === 'warning' ? 'warn' : 'info')
