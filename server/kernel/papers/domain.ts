// The parts of a document, and text that its fonts can show.

/** A document to make: a template of the family, its data, and the pictures that the data refers to by path. */
export type Sheet = {
  /** Name of the template in `server/papers`, without `.typ`. */
  template: string
  /** Everything that is printed; passed to the template as JSON, never as source text. */
  data: Record<string, unknown>
  /** Bytes of pictures (JPEG, PNG, SVG), by the name that the data uses for them. */
  pictures: Record<string, Uint8Array>
}

/** A finished document. */
export type Printed = { pdf: Buffer; pages: number; illegible: Illegible }

/** The characters that no font of the family has: how many, and of which scripts. */
export type Illegible = { count: number; scripts: string[] }

/** What the printing process returns for a sheet. */
export type Setting = { pdf: Uint8Array; pages: number; illegible: Illegible }

/** Standard of the documents: archival, with a structure tree for screen readers (ISO 19005-2, level A). */
export const STANDARD = 'a-2a'

/** Shown in place of a character that the fonts can't show, so that missing characters are always marked. */
export const UNKNOWN = '\u{FFFD}'

/** Longest run of characters without a line break; longer runs get some, so that they fit on the page. */
const RUN = 16

/** Text that ends with a character that joins the next one (virama). */
const JOINS = /[\u094d\u09cd\u0a4d\u0acd]$/

/**
 * Fingerprints, whole or shortened, are not broken, so that one copied from a document can be searched for. A break in one would also get into others:
 * a PDF says once for each glyph which text it is for.
 */
const HASH = /^(?:[0-9a-f]{32,64}|[0-9a-f]{8}…[0-9a-f]{8})$/

const SCRIPTS: [string, RegExp][] = [
  ['Chinese', /\p{Script=Han}/u],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Gujarati', /\p{Script=Gujarati}/u],
  ['Gurmukhi', /\p{Script=Gurmukhi}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['emoji', /\p{Extended_Pictographic}/u],
]

/** Invisible characters that change how others look; without the scripts that need them, they are left out. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?![\t\n])\p{Cc}/gu

/**
 * Returns the data with all text in a form that the fonts can show. Other characters are replaced one by one and counted. Line ends are kept, control
 * characters are removed, and a long run without spaces gets places where a line can break.
 */
export function legible<T>(data: T, covers: (codepoint: number) => boolean): { data: T; illegible: Illegible } {
  const scripts = new Set<string>()
  let count = 0
  const text = (given: string): string => {
    if (HASH.test(given)) return given
    let out = ''
    let run = 0
    for (const sign of given
      .toWellFormed()
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      .replace(UNSEEN, '')) {
      const known = sign === '\n' || sign === '\t' || sign === ' ' || covers(sign.codePointAt(0) ?? 0)
      if (!known) {
        count++
        scripts.add(SCRIPTS.find(([, pattern]) => pattern.test(sign))?.[0] ?? 'other signs')
      }
      // A line break never separates a character from its marks, or the parts of a joined pair. A mark that is replaced is a character of its own.
      if (run >= RUN && !(known && /\p{M}/u.test(sign)) && !JOINS.test(out)) {
        out += '\u200b'
        run = 0
      }
      run = /\s/.test(sign) ? 0 : run + 1
      out += known ? (sign === '\t' ? ' ' : sign) : UNKNOWN
    }
    return out
  }
  const walk = (value: unknown): unknown =>
    typeof value === 'string'
      ? text(value)
      : Array.isArray(value)
        ? value.map(walk)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
          : value
  const done = walk(data) as T // the same shape, with each text replaced
  return { data: done, illegible: { count, scripts: [...scripts].sort() } }
}
