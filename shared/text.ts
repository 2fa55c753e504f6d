// Text in both worlds, server and browser.

/** A key made from a label: lower case, ASCII letters and digits, `_` between words; at most 60 characters. */
export const slugOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
    .replace(/_+$/, '')

/** Words of a list in a sentence: "A", "A and B", "A, B and C". */
export function listed(items: readonly string[], most = 20): string {
  const shown = items.slice(0, most)
  const more = items.length - shown.length
  const all = more > 0 ? [...shown, `${more} more`] : shown
  return all.length <= 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** A number with its noun: "1 permit", "3 permits". */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
