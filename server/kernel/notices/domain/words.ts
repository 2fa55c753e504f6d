// Texts of notifications: `{{field}}` of an event, instants in site time, and names in place of ids.
import { listed } from '../../../../shared/text.ts'
import { spoken, spokenDate } from '../../../../shared/time.ts'
import type { EventField, EventRow } from '../../events/domain.ts'

export const TITLE_LIMIT = 200
export const BODY_LIMIT = 1000

/** Fields of the envelope that texts can use. */
export const ENVELOPE_WORDS: Record<string, EventField> = {
  subject_label: { says: 'Subject', type: 'text' },
  actor_name: { says: 'Person who caused the event', type: 'text' },
  site_name: { says: 'Site', type: 'text' },
  at: { says: 'Time', type: 'instant' },
  work_date: { says: 'Site day', type: 'date' },
}

const FIELD = /\{\{\s*([a-z0-9_]+)\s*\}\}/g

/** Lists the fields that a text uses. */
export const fieldsIn = (text: string): string[] => [...new Set([...text.matchAll(FIELD)].map(found => found[1] ?? ''))]

/** Returns what is wrong with a text that a person wrote: fields that the event doesn't have. */
export const wordFault = (text: string, known: ReadonlySet<string>): string | null => {
  const strange = fieldsIn(text).filter(name => !known.has(name))
  if (strange.length > 0) return `uses ${listed(strange.map(name => `{{${name}}}`))}, which this event doesn’t have.`
  return /\{\{|\}\}/.test(text.replace(FIELD, '')) ? 'has braces without a field in them. Write a field as {{field}}.' : null
}

const minutes = (n: number): string => {
  if (n < 60) return `${n} min`
  const [hours, rest] = [Math.floor(n / 60), n % 60]
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** How values are written. */
export type Speaking = { timezone: string; locale: string; label(id: string): string | undefined }

function said(value: unknown, field: EventField, how: Speaking): string {
  if (isAbsent(value)) return '–'
  if (field.type === 'instant') return spoken(how.timezone, String(value), how.locale)
  if (field.type === 'date') return spokenDate(String(value), how.locale)
  if (field.type === 'flag') return value === true ? 'yes' : 'no'
  if (field.type === 'minutes') return minutes(Number(value))
  if (field.type === 'id') return how.label(String(value)) ?? '–'
  if (Array.isArray(value))
    return listed(
      value.map(one => (field.type === 'ids' ? (how.label(one) ?? '–') : String(one))),
      5,
    )
  return field.words?.[String(value)] ?? (field.values === undefined ? String(value) : String(value).replaceAll('_', ' '))
}

const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Splits a template into parts that can be read separately, each with the space before it. Full stops inside a field's value don't split it. */
const partsOf = (template: string): string[] => template.split(/(?<=[.!?])(?=\s)|(?<=\}\})(?=\s+(?:\p{Lu}|\{\{))|(?=\n)/u)

/**
 * Returns a text with its fields filled in. A note or a reason is often absent: a part that consists of absent fields only is left out, so that a lone
 * "–" never appears. Words that a person wrote are never lost: a dash between them means that the value isn't known.
 */
export function filledIn(
  text: string,
  event: Pick<EventRow, 'payload' | 'subject_label' | 'actor_name' | 'at' | 'work_date'>,
  fields: Record<string, EventField>,
  site_name: string,
  how: Speaking,
): string {
  const { subject_label, actor_name, at, work_date } = event
  const envelope: Record<string, unknown> = { subject_label, actor_name, at, work_date, site_name }
  const valueFor = (name: string) => (name in fields ? event.payload[name] : envelope[name])
  const saysNothing = (part: string) => fieldsIn(part).length > 0 && fieldsIn(part).every(name => isAbsent(valueFor(name)))
  const isBare = (part: string) => !/[\p{L}\p{N}]/u.test(part.replace(FIELD, ''))
  return partsOf(text)
    .filter(part => !(isBare(part) && saysNothing(part)))
    .join('')
    .replace(FIELD, (found, name: string, at: number, whole: string) => {
      const words = said(valueFor(name), fields[name] ?? ENVELOPE_WORDS[name] ?? { says: '', type: 'text' }, how)
      // A note that ends with a full stop needs no second one.
      return whole[at + found.length] === '.' ? words.replace(/\.$/, '') : words
    })
    .trim()
}

/** Puts text on one line and cuts it to a length. */
export const oneLine = (text: string, limit: number): string => cut(text.replace(/\s+/g, ' ').trim(), limit)
/** Cuts text to a length. */
export const cut = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`)

/** Returns a title for several notifications of a kind: "12 permits expired and are not closed". */
export const titleForMany = (many: string, count: number): string => many.replaceAll('{{count}}', String(count))
