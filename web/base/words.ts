// One catalogue of texts. English is in web/words; other languages have the same keys. `qps` is not a language: it
// shows every text that did not come from the catalogue, and how screens look when texts are half as long again.
import { en, type Key as FirstKey } from '../words/en.ts'
import type { LaterKey } from '../words/later.ts'

/** A key of the catalogue. */
export type Key = FirstKey | LaterKey

type Values = Record<string, string | number>
type Entry = string | { one: string; other: string }

const catalogue: Record<string, Entry> = { ...en }

/** Adds the texts of a part of the app that is loaded later than the others. */
export const addWords = (more: Readonly<Record<string, Entry>>): void => void Object.assign(catalogue, more)

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

/** Returns a text of the catalogue with its values filled in. An entry with `one` and `other` is chosen by `n`. */
export function t(key: Key, values: Values = {}): string {
  const entry = catalogue[key] ?? key
  const text = typeof entry === 'string' ? entry : values.n === 1 ? entry.one : entry.other
  const said = locale === 'qps' ? pseudo(text) : text
  return said.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? numberOf(value) : isolated(value ?? '')
  })
}

/** Returns whether the catalogue has this key, for texts whose key contains a value of the API. */
export const hasWord = (key: string): key is Key => key in catalogue

/** Returns the text for a value of the API; the value itself, made readable, where the catalogue has none yet. */
export const tOf = (prefix: string, value: string): string => {
  const key = `${prefix}.${value}`
  return hasWord(key) ? t(key) : value.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase())
}
