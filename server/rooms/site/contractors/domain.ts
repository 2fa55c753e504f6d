// Decides whether two names mean one contractor, and which colour a contractor has: pure functions of the name, the same on every site and in any
// order of import (`site-and-people.md` §6).
import { channelsOf, FIRST_HUE, HUES, LIGHTNESSES, oklab, vividColour } from '../../../../shared/colour.ts'
import { conflict, invalidField, type Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'

/** Legal forms, by country group: equal only within one group. */
const FORMS: readonly (readonly string[])[] = [
  ['ltd', 'limited', 'plc', 'llp'],
  ['llc', 'inc'],
  ['gmbh', 'ag'],
  ['bv', 'nv'],
  ['sa', 'sas', 'sarl'],
  ['srl', 'spa'],
  ['ab'],
  ['oy'],
]

/** What remains of a name without case, punctuation and legal form; and the country group of the form that was dropped (null: none). */
export type NameKey = { key: string; form: number | null }

/** Returns the key of a contractor's name: NFKC, lower case, `&` as "and", trailing legal forms dropped while another word remains. */
export function nameKey(name: string): NameKey {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  let form: number | null = null
  while (words.length > 1) {
    const group = FORMS.findIndex(forms => forms.includes(words.at(-1) ?? ''))
    if (group < 0) break
    words.pop()
    form = group
  }
  return { key: words.join(' '), form }
}

/** Returns whether two names mean one contractor: the same key, and no legal forms of different countries. X and X Ltd match; X AB and X AG don't. */
export const sameContractor = (a: NameKey, b: NameKey): boolean =>
  a.key !== '' && a.key === b.key && (a.form === null || b.form === null || a.form === b.form)

/** Returns a name as uniqueness compares it, without case and repeated white space. */
export const folded = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Characters that a contractor's name can have. */
export const NAME_AT_MOST = 200

/** Returns why a contractor can't have this name; null when it can. The rule is the same for contractors that people add, invite and import. */
export function nameFault(name: string): string | null {
  if (nameKey(name).key === '') return 'must contain a letter or a digit.'
  const length = [...name].length
  return length > NAME_AT_MOST ? `has ${length} characters; at most ${NAME_AT_MOST} are allowed.` : null
}

/** Reports a name that `nameFault` refuses as a fault of this field. */
export function acceptableName(name: string, field = 'name'): Verdict {
  const fault = nameFault(name)
  return fault === null ? null : invalidField(field, fault)
}

/** Returns the initials of a name, to be shown on the contractor's colour. */
export function shortNameOf(name: string): string {
  const words = nameKey(name)
    .key.split(' ')
    .filter(w => w !== '' && w !== 'and')
  const letters = words.length === 1 ? (words[0] ?? '').slice(0, 3) : words.map(w => [...w][0] ?? '').join('')
  return letters.toUpperCase().slice(0, 12) || '?'
}

/**
 * Returns the colour of a contractor from the SHA-256 of its key: hue from the first two bytes (15 to 44 are reserved for alarm red), lightness from the
 * third, then the largest chroma that a screen can show.
 */
export function colourOf(digest: Uint8Array): string {
  const u16 = (digest[0] ?? 0) * 256 + (digest[1] ?? 0)
  const hue = (FIRST_HUE + Math.floor((u16 * HUES) / 65536)) % 360
  return vividColour(LIGHTNESSES[(digest[2] ?? 0) % LIGHTNESSES.length] ?? LIGHTNESSES[0], hue)
}

const ALIKE = 0.05

/** A contractor's colour in OKLab. */
export type Shade = { id: Id; lab: readonly [number, number, number] }

/** Converts the colours of a site's contractors, once for all the comparisons with them. */
export const shadesOf = (contractors: readonly { id: Id; colour: string }[]): Shade[] =>
  contractors.map(({ id, colour }) => ({ id, lab: oklab(colour) }))

/** Returns, for each of these contractors, those of the site whose colours can be mistaken for its own. */
export function similarColours(shades: readonly Shade[], of: readonly { id: Id; colour: string }[]): Map<Id, Id[]> {
  return new Map(
    of.map(one => {
      const [l, a, b] = oklab(one.colour)
      const near = shades.filter(({ id, lab }) => id !== one.id && (l - lab[0]) ** 2 + (a - lab[1]) ** 2 + (b - lab[2]) ** 2 <= ALIKE ** 2)
      return [one.id, near.map(other => other.id)]
    }),
  )
}

/** Returns the contrast of two colours (WCAG 2.2, 1.4.3). */
export function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = channelsOf(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [bright, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Returns the colour of text on a background: white or black, whichever has more contrast. */
export const textOn = (colour: string): '#ffffff' | '#000000' =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000'

/** A contractor with the names by which it can be found. */
export type Named = { id: Id; name: string; names: readonly string[] }

/** Contractors to look names up in. Each contractor's names are normalised once, however many names are looked up. */
export type ContractorIndex = { find(name: string): Named[]; add(contractor: Named): void }

/**
 * Indexes contractors to find them by name, then alias, then key (imports and invitations). Two contractors with the same key are ambiguous, so both
 * are returned.
 */
export function contractorIndex(contractors: readonly Named[]): ContractorIndex {
  const byName = new Map<string, Named[]>()
  const byAlias = new Map<string, Named[]>()
  const byKey = new Map<string, { key: NameKey; contractor: Named }[]>()
  const put = <T>(map: Map<string, T[]>, at: string, one: T) => remembered(map, at, () => []).push(one)
  const add = (contractor: Named) => {
    put(byName, folded(contractor.name), contractor)
    for (const alias of new Set(contractor.names.map(folded))) put(byAlias, alias, contractor)
    for (const name of [contractor.name, ...contractor.names]) {
      const key = nameKey(name)
      put(byKey, key.key, { key, contractor })
    }
  }
  for (const contractor of contractors) add(contractor)
  const find = (name: string): Named[] => {
    const wanted = folded(name)
    const exact = byName.get(wanted) ?? byAlias.get(wanted)
    if (exact !== undefined) return exact
    const key = nameKey(name)
    const alike = (byKey.get(key.key) ?? []).filter(one => sameContractor(key, one.key)).map(one => one.contractor)
    return [...new Set(alike)]
  }
  return { find, add }
}

/** Refuses a name or alias that another contractor has (409 `key_taken`), and one with the same key (`similar_name`) unless it is confirmed. */
export function naming(names: readonly string[], own: Id | null, others: readonly Named[], confirmed: boolean): Verdict {
  const rest = others.filter(contractor => contractor.id !== own)
  for (const name of names) {
    const taken = rest.find(contractor => [contractor.name, ...contractor.names].some(other => folded(other) === folded(name)))
    if (taken !== undefined)
      return conflict(
        'key_taken',
        `“${name}” is ${folded(taken.name) === folded(name) ? 'already a contractor on this site' : `an alias of ${taken.name}`}. Choose another name.`,
        { existing_id: taken.id },
      )
  }
  if (confirmed) return null
  for (const name of names) {
    const key = nameKey(name)
    const near = rest.find(contractor => [contractor.name, ...contractor.names].some(other => sameContractor(key, nameKey(other))))
    if (near !== undefined)
      return conflict('similar_name', `“${name}” is similar to ${near.name}. If they are different contractors, confirm the name.`, {
        existing_id: near.id,
      })
  }
  return null
}

/** Returns the chain from `subordinate` up to `overseer` that a new pair would close into a loop; null when there is none. */
export function loopThrough(pairs: readonly { overseer_id: Id; subordinate_id: Id }[], overseer: Id, subordinate: Id): Id[] | null {
  const seen = new Set<Id>()
  const walk = (at: Id, path: Id[]): Id[] | null => {
    if (at === overseer) return path
    if (seen.has(at)) return null
    seen.add(at)
    for (const pair of pairs) {
      if (pair.overseer_id !== at) continue
      const loop = walk(pair.subordinate_id, [...path, pair.subordinate_id])
      if (loop !== null) return loop
    }
    return null
  }
  return walk(subordinate, [subordinate])
}

/** Refuses a pair that would close a loop, even while oversight isn't transitive, so that the setting can be turned on at any time. */
export function overseeing(
  pairs: readonly { overseer_id: Id; subordinate_id: Id }[],
  overseer: Id,
  subordinate: Id,
  nameOf: (id: Id) => string,
): Verdict {
  const loop = loopThrough(pairs, overseer, subordinate)
  return loop === null
    ? null
    : conflict('oversight_cycle', `This would create a loop: ${loop.map(nameOf).join(' over ')}. Remove one of these pairs first.`, {
        path: loop,
      })
}
