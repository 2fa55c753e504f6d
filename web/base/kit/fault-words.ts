// The service names fields as the API does (`max_zoom`). People read the labels of the form in front of them instead: each field of the kit registers its label here
// while it is on the page. A field without one gets its name in plain words.
import { t } from '../words.ts'

/** The labels of each field that is on the page now; the last one is that of the form on top. */
const labels = new Map<string, string[]>()

/** Registers the label of a field; returns what to call when the field leaves the page. */
export function labelled(at: string, label: string): () => void {
  const own = labels.get(at) ?? []
  labels.set(at, own)
  own.push(label)
  return () => {
    own.splice(own.lastIndexOf(label), 1)
  }
}

/** A name as the API writes it, outside quotes, which contain what a person wrote, and outside addresses and files. */
const NAME = /(?<![\w“"'./-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w”"'/-]|\.\w)/g
/** Endings that say in which unit or form the API has a value. */
const ENDING = /_(?:ids?|at|on|m|mm|px|deg|key|code|index)$/

const plain = (name: string): string => name.replace(ENDING, '').replaceAll('_', ' ')
const quoted = (label: string): string => t('fault.label', { label })
const labelOf = (path: string): string | undefined => labels.get(path)?.at(-1)

/** Returns the name of a field for people: its label, with the number of the entry if it is in a list. */
export function fieldName(path: string): string {
  const own = labelOf(path)
  if (own !== undefined) return own
  const parts = path.split(/[./]|\[(?=\d)|\]/).filter(part => part !== '')
  const words = parts.map(part => (/^\d+$/.test(part) ? String(Number(part) + 1) : (labelOf(part) ?? plain(part))))
  return words.join(' ')
}

/** Returns a message of the service with the labels of the fields that it names: those next to the field at `path`, or of the form. */
export const inWords = (message: string, path = ''): string =>
  message.replace(NAME, name => {
    const label = labelOf(path.slice(0, path.lastIndexOf('.') + 1) + name) ?? labelOf(name)
    return label === undefined ? plain(name) : quoted(label)
  })

/** Returns a message about a field, which begins with its name unless it is a sentence of its own. */
export function faultSaid(path: string, message: string): string {
  const said = inWords(message, path)
  return path === '' ? said : under(fieldName(path), said)
}

/** Returns a message about a field with this label, which begins with it unless the message is a sentence of its own. */
export const under = (label: string, message: string): string =>
  /^[^\p{Ll}]/u.test(message) ? message : `${quoted(label)} ${inWords(message)}`

/** Whether a path is in a field: an entry of a list, a part of an object. */
const isIn = (path: string, field: string): boolean => path.startsWith(field) && /^[.[/]/.test(path.slice(field.length))

/** Returns the path of the fault that a field shows: its own, otherwise the first one of anything in it. */
export const pathAt = (faults: ReadonlyMap<string, string>, field: string): string | undefined =>
  faults.has(field) ? field : [...faults.keys()].find(path => isIn(path, field))

/** Returns the fault of a field, or of anything in it. */
export const faultAt = (faults: ReadonlyMap<string, string>, field: string): string | undefined =>
  faults.get(pathAt(faults, field) ?? field)

/** Returns the faults that aren’t about one of these fields, or anything in them. */
export const faultsBut = (faults: ReadonlyMap<string, string>, fields: readonly string[]): ReadonlyMap<string, string> =>
  fields.length === 0 ? faults : new Map([...faults].filter(([path]) => !fields.some(field => path === field || isIn(path, field))))
