// One catalogue of texts. English is in web/words; other languages have the same keys. `qps` is not a language: it
// shows every text that did not come from the catalogue, and how screens look when texts are half as long again.
import { en, type Key } from '../words/en.ts'

export type { Key }

type Values = Record<string, string | number>
type Entry = string | { one: string; other: string }

const catalogue: Record<string, Entry> = { ...en }

let locale = 'en'

/** Chooses the language of the app: `en`, or `qps` for the pseudo-locale. */
export function setLocale(next: string): void {
  locale = next
  document.documentElement.lang = next === 'qps' ? 'en' : next
}

const ACCENTS: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ', A: 'Å', E: 'É', I: 'Í', O: 'Ö', U: 'Ü' }

/** Returns text as long as in a longer language, but still readable: `⟦Pérmíts······⟧`. */
export const pseudo = (text: string): string =>
  `⟦${text.replace(/\{[^}]*\}|[a-zA-Z]/g, part => ACCENTS[part] ?? part)}${'·'.repeat(Math.ceil(text.length * 0.4))}⟧`

let numbers: Intl.NumberFormat | null = null

/** Formats a number for people: `10,000`. */
export function numberOf(value: number): string {
  // A browser takes longer to load the number format of a country than to draw a page, and most numbers don't need it.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value)
  numbers ??= new Intl.NumberFormat('en-GB')
  return numbers.format(value)
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Returns people's text for a place inside a sentence. Text that runs from right to left is isolated (Unicode's FSI and PDI): without that, a number after
 * it would be shown in front of it.
 */
const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** Returns the text of a key with its values filled in. An entry with `one` and `other` is chosen by `n`. */
function textOf(key: string, values: Values = {}): string {
  const entry = catalogue[key] ?? key
  const text = typeof entry === 'string' ? entry : values.n === 1 ? entry.one : entry.other
  const said = locale === 'qps' ? pseudo(text) : text
  return said.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? numberOf(value) : isolated(value ?? '')
  })
}

/** Returns a value of the API that has no text of its own, made readable. */
export const readable = (value: string): string => value.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase())

const isKnown = (key: string): boolean => key in catalogue

function textOfValue(prefix: string, value: string): string {
  const key = `${prefix}.${value}`
  return isKnown(key) ? textOf(key) : readable(value)
}

/** What a key begins with: `role` and `role.site` for `role.site.admin`. */
type Prefix<K extends string> = K extends `${infer Head}.${infer Rest}` ? Head | `${Head}.${Prefix<Rest>}` : never

/** How a part of the app reads texts: only those that are in the catalogue once it has been loaded. */
type Says<K extends string> = {
  /** Returns a text of the catalogue with its values filled in. An entry with `one` and `other` is chosen by `n`. */
  t(key: K, values?: Values): string
  /** Returns the text for a value of the API; the value itself, made readable, where the catalogue has none yet. */
  tOf(prefix: Prefix<K>, value: string): string
  /** Returns whether the catalogue has this key, for texts whose key contains a value of the API. */
  hasWord(key: string): key is K
}

const says = <K extends string>(): Says<K> => ({ t: textOf, tOf: textOfValue, hasWord: (key): key is K => isKnown(key) })

/** How every part of the app reads the texts that are known from the start. */
export const { t, tOf, hasWord } = says<Key>()

/** Adds the texts of a part of the app that is loaded later than the others, and returns how that part reads texts: its own and the first ones. */
export function addWords<T extends Readonly<Record<string, Entry>>>(more: T): Says<Key | Extract<keyof T, string>> {
  Object.assign(catalogue, more)
  return says()
}
