import type { Instant, WorkDate } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** The type of a payload field. Every field can be null. */
export type FieldType = 'text' | 'number' | 'minutes' | 'flag' | 'instant' | 'date' | 'id' | 'ids' | 'texts' | 'json'

/** A payload field: what it is, its type, and its possible values where those are few. `otherwise`: what a flag means when it is false. */
export type EventField = { says: string; type: FieldType; values?: readonly string[]; otherwise?: string }

/** A kind of event (`messages.md` §0.3, §0.5): a kind that no room registers does not exist. */
export type EventKind = {
  kind: string
  /** One sentence: when it is. */
  says: string
  /** Payload fields beside the envelope, as plain words. The name says the type (`_id`, `_ids`, `_at`, `_on`); any other field is text. */
  payload: Record<string, string | EventField>
  /** Fields that some events of the kind have and others do not. */
  sometimes?: readonly string[]
  /** People in the event, for `{"named": …}`: the name and the payload field with the id. */
  identities?: Record<string, string>
  /** Contractors in the event, for `{"contractor": …}`: the name and the payload field with the id (or ids). */
  contractors?: Record<string, string>
  /** A payload as it may be, for previews; what is left out is made up by type. */
  sample?: Record<string, unknown>
  /** Area that it is of; the sockets fill it in. */
  area?: string
  /** Concerns only its maker; no rule may use it. */
  private?: boolean
  /** Rules of a site may not use it, for they would feed on themselves. */
  unruled?: boolean
}

/** An event as it was committed: envelope and payload. */
export type EventRow = {
  site_id: Id
  event_no: number
  id: Id
  kind: string
  schema: number
  at: Instant
  actor_kind: string
  actor_id: Id | null
  actor_name: string
  actor_role: string | null
  subject_kind: string
  subject_id: Id
  subject_label: string
  contractor_ids: Id[]
  place: Record<string, unknown> | null
  work_date: WorkDate
  payload: Record<string, unknown>
  request_id: string
}

const typed =
  (type: FieldType) =>
  (says: string, values?: readonly string[]): EventField => ({ says, type, ...(values === undefined ? {} : { values }) })

/** Makers of payload fields whose name doesn't say their type. */
export const field = {
  text: typed('text'),
  number: typed('number'),
  minutes: typed('minutes'),
  flag: (says: string, otherwise: string): EventField => ({ says, type: 'flag', otherwise }),
  texts: typed('texts'),
  json: typed('json'),
  id: typed('id'),
  instant: typed('instant'),
}

/** Type of a field by its name, where its room did not say. */
export function typeByName(name: string): FieldType {
  if (name.endsWith('_ids') || name === 'ids') return 'ids'
  if (name.endsWith('_id')) return 'id'
  if (name.endsWith('_at') || name.endsWith('_until')) return 'instant'
  if (name.endsWith('_on') || name.endsWith('_date')) return 'date'
  if (name.startsWith('minutes_') || name.endsWith('_minutes')) return 'minutes'
  return 'text'
}

/** Payload fields of a kind, each with its type. */
export const fieldsOf = (kind: Pick<EventKind, 'payload'>): Record<string, EventField> =>
  Object.fromEntries(
    Object.entries(kind.payload).map(([name, said]) => [name, typeof said === 'string' ? { says: said, type: typeByName(name) } : said]),
  )

/** A value of this type, for a sample. */
const MADE_UP: Record<FieldType, unknown> = {
  text: 'text',
  number: 1,
  minutes: 45,
  flag: false,
  instant: '2026-03-16T10:00:00.000Z',
  date: '2026-03-16',
  id: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e',
  ids: ['01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'],
  texts: ['text'],
  json: null,
}

/** A payload as it may be. */
export const sampleOf = (kind: Pick<EventKind, 'payload' | 'sample'>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(fieldsOf(kind)).map(([name, { type, values }]) => [name, values?.[0] ?? MADE_UP[type]])),
  ...kind.sample,
})

const FITS: Record<FieldType, (value: unknown) => boolean> = {
  text: value => typeof value === 'string' || typeof value === 'number',
  number: value => typeof value === 'number',
  minutes: value => typeof value === 'number',
  flag: value => typeof value === 'boolean',
  instant: value => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  date: value => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  id: value => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
  ids: value => Array.isArray(value) && value.every(FITS_ID),
  texts: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
  json: () => true,
}
const FITS_ID = (value: unknown) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

/** What of a payload is not as its kind says: fields that are missing, not declared, or of another type. */
export function payloadFaults(kind: EventKind, payload: Record<string, unknown>): string[] {
  const fields = fieldsOf(kind)
  const missing = Object.keys(fields).filter(name => !(name in payload) && kind.sometimes?.includes(name) !== true)
  const strange = Object.keys(payload).filter(name => !(name in fields))
  const wrong = Object.entries(fields).filter(([name, { type }]) => payload[name] != null && !FITS[type](payload[name]))
  return [
    ...missing.map(name => `${name} is missing`),
    ...strange.map(name => `${name} is not declared`),
    ...wrong.map(([name, { type }]) => `${name} is no ${type}`),
  ]
}

/** Tries beside the first before an event is parked. */
export const RETRIES = 10

/** Seconds until an event is tried again: 2, 4, 8 … at most ten minutes. */
export const pauseSeconds = (attempts: number): number => Math.min(600, 2 ** attempts)
