// Text functions for both the server and the browser.

const SLUG_AT_MOST = 60

/**
 * Makes a key from a label: lower-case ASCII letters and digits, `_` between words; at most 60 characters. Signs that have no such letters (Chinese,
 * Arabic, Cyrillic, emoji) are written as a short digest of the label, so that a label in any script has a key, always the same one. Empty only for a
 * label without any visible character, or of punctuation alone.
 */
export function slugOf(label: string): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const ascii = plain.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '')
  if (!OTHER_SIGN.test(plain.replace(/[a-z0-9]/g, ''))) return cutSlug(ascii)
  return `${ascii === '' ? 'k' : `${cutSlug(ascii, SLUG_AT_MOST - 14)}_`}${digestOf(label.normalize('NFC').trim().toLowerCase())}`
}

/** A letter, digit or emoji of any script. */
const OTHER_SIGN = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u

const cutSlug = (slug: string, most = SLUG_AT_MOST) => slug.slice(0, most).replace(/_+$/, '')

/** Returns thirteen characters of base 36 that depend on the text alone (FNV-1a, 64 bits). */
function digestOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36).padStart(13, '0')
}

/** Joins the words of a list for a sentence: "A", "A and B", "A, B and C". */
export function listed(items: readonly string[], most = 20): string {
  const shown = items.slice(0, most)
  const more = items.length - shown.length
  const all = more > 0 ? [...shown, `${more} more`] : shown
  return all.length <= 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Makes the first letter a capital. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns a number with its noun: "1 permit", "3 permits". */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Returns words without the full stop at their end, for a sentence that goes on after them. */
export const withoutStop = (words: string): string => words.replace(/\.\s*$/, '')

const WHITE = '\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const ENDS = new RegExp(`^[${WHITE}]+|[${WHITE}]+$`, 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range starts at the first ASCII character.
const ASCII = /^[\x01-\x7f]*$/

const folds = new Map<string, string>()

/** Returns the letter that a letter is compared as: the lower case of its capital, so that all its forms match; itself where that is not a single letter. */
function foldOf(letter: string): string {
  let fold = folds.get(letter)
  if (fold === undefined) {
    const upper = letter.toUpperCase()
    const way = [...upper].length === 1 ? upper : letter
    const lower = way.toLowerCase()
    fold = [...lower].length === 1 ? lower : letter
    if (folds.size > 5000) folds.clear()
    folds.set(letter, fold)
  }
  return fold
}

/**
 * Returns the form of a text in which case makes no difference: NFC, trimmed, each letter folded. The database does the same with `fold_text`, and a
 * test compares the two for every letter with two forms.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(ENDS, '')
  return [...text.normalize('NFC').replace(ENDS, '')].map(foldOf).join('')
}

const ACCENTS = /[\u0300-\u036f]/g
/** Letters that Unicode doesn't take apart. */
const WHOLE: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' }
const WHOLES = new RegExp(`[${Object.keys(WHOLE).join('')}]`, 'g')

/** Returns the form of a text in which a list searches: neither case nor accents make a difference. The database does the same with `search_text`. */
export function searchable(text: string): string {
  if (ASCII.test(text)) return folded(text)
  return folded(text.normalize('NFKD').replace(ACCENTS, '')).replace(WHOLES, letter => WHOLE[letter] ?? letter)
}

/** Returns what says whether a text contains the words of a search (`q`); without a search, every text does. */
export function searching(q: string | undefined): (text: string) => boolean {
  const words = q === undefined ? null : searchable(q)
  return text => words === null || searchable(text).includes(words)
}

/** Returns a list in the order of a key of each item, which is made once. */
export const sortedBy = <Item>(items: readonly Item[], key_of: (item: Item) => string): Item[] =>
  items
    .map(item => ({ item, key: key_of(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item)
