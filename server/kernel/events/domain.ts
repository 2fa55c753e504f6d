import type { GroupSubject, Leaf } from '../../../shared/predicates/language.ts'
import { type Instant, isWorkDate, readInstant, type WorkDate } from '../../../shared/time.ts'
import { type Id, isId } from '../../base/ids.ts'

/** The type of a payload field. Every field can be null. */
export type FieldType = 'text' | 'number' | 'minutes' | 'flag' | 'instant' | 'date' | 'id' | 'ids' | 'texts' | 'json'

/**
 * A payload field: its description, its type, and its possible values if they are few. `otherwise`: what a flag means when it is false. `clause`: how the
 * sentence about a rule says some comparisons as people do ("the permit is waiting to be issued"), or null for any other comparison.
 */
export type EventField = {
  says: string
  type: FieldType
  values?: readonly string[]
  /** How its values are written in notifications, where that isn’t the value itself. */
  words?: Readonly<Record<string, string>>
  otherwise?: string
  clause?(leaf: Leaf, denied: boolean): string | null
}

/** A kind of event (`messages.md` §0.3, §0.5). Only kinds that a room registers exist. */
export type EventKind = {
  kind: string
  /** One sentence: when the event happens. */
  says: string
  /** Payload fields in addition to the envelope, described in plain words. The name implies the type (`_id`, `_ids`, `_at`, `_on`); any other field is text. */
  payload: Record<string, string | EventField>
  /** Fields that only some events of the kind have. */
  sometimes?: readonly string[]
  /** People in the event, for `{"named": …}`: the name and the payload field with the id. */
  identities?: Record<string, string>
  /** Contractors in the event, for `{"contractor": …}`: the name and the payload field with the id (or ids). */
  contractors?: Record<string, string>
  /** What smart groups can select of it: the subject of such groups, and the payload field with the ids; without one, the event’s own record. */
  selects?: { subject: GroupSubject; ids?: string }
  /** An example of a payload, for previews; fields that are left out get a value by their type. */
  sample?: Record<string, unknown>
  /** Area that the event belongs to; the sockets fill it in. */
  area?: string
  /** Concerns only the person who caused it, so no rule can use it. */
  private?: boolean
  /** Notification rules of a site can't use it, because they would trigger themselves. */
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

/** Factory functions for payload fields whose name doesn't say their type. */
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

/** Returns the type of a field by its name, if its room doesn't give one. */
export function typeByName(name: string): FieldType {
  if (name.endsWith('_ids') || name === 'ids') return 'ids'
  if (name.endsWith('_id')) return 'id'
  if (name.endsWith('_at') || name.endsWith('_until')) return 'instant'
  if (name.endsWith('_on') || name.endsWith('_date')) return 'date'
  if (name.startsWith('minutes_') || name.endsWith('_minutes')) return 'minutes'
  return 'text'
}

/** Returns the payload fields of a kind, each with its type. */
export const fieldsOf = (kind: Pick<EventKind, 'payload'>): Record<string, EventField> =>
  Object.fromEntries(
    Object.entries(kind.payload).map(([name, said]) => [name, typeof said === 'string' ? { says: said, type: typeByName(name) } : said]),
  )

/** Example values by type. */
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

/** Returns an example of a payload. */
export const sampleOf = (kind: Pick<EventKind, 'payload' | 'sample'>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(fieldsOf(kind)).map(([name, { type, values }]) => [name, values?.[0] ?? MADE_UP[type]])),
  ...kind.sample,
})

const FITS: Record<FieldType, (value: unknown) => boolean> = {
  text: value => typeof value === 'string' || typeof value === 'number',
  number: value => typeof value === 'number',
  minutes: value => typeof value === 'number',
  flag: value => typeof value === 'boolean',
  instant: value => typeof value === 'string' && readInstant(value) === value,
  date: value => typeof value === 'string' && isWorkDate(value),
  id: value => FITS_ID(value),
  ids: value => Array.isArray(value) && value.every(FITS_ID),
  texts: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
  json: () => true,
}
const FITS_ID = (value: unknown) => typeof value === 'string' && isId(value)

/** Lists the fields of a payload whose value has another type than declared. */
export const misfitsIn = (kind: Pick<EventKind, 'payload'>, payload: Record<string, unknown>): { name: string; type: FieldType }[] =>
  Object.entries(fieldsOf(kind)).flatMap(([name, { type }]) => (payload[name] == null || FITS[type](payload[name]) ? [] : { name, type }))

/** Lists what is wrong with a payload: fields that are missing, undeclared, or of another type. */
export function payloadFaults(kind: EventKind, payload: Record<string, unknown>): string[] {
  const fields = fieldsOf(kind)
  const missing = Object.keys(fields).filter(name => !(name in payload) && kind.sometimes?.includes(name) !== true)
  const strange = Object.keys(payload).filter(name => !(name in fields))
  return [
    ...missing.map(name => `${name} is missing`),
    ...strange.map(name => `${name} is not declared`),
    ...misfitsIn(kind, payload).map(({ name, type }) => `${name} must have type ${type}`),
  ]
}

/** Retries after the first attempt before an event is parked. */
export const RETRIES = 10

/** Returns the seconds until an event is tried again: 2, 4, 8 … at most ten minutes. */
export const pauseSeconds = (attempts: number): number => Math.min(600, 2 ** attempts)
