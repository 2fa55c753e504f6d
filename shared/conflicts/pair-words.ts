// What conditions say about a pair, as people say it: “they are within 5 m of each other”. Pure.
import { itemsIn, textsIn } from '../narrow.ts'
import type { Leaf, Wording } from '../predicates/language.ts'
import { counted } from '../text.ts'

/** Puts a distance into words: things that are 0 m apart meet. */
export function distanceClause({ op, value }: Leaf, denied: boolean): string | null {
  if (op !== 'lte' || typeof value !== 'number') return null
  if (value === 0) return denied ? 'they don’t meet' : 'they meet'
  return denied ? `they are more than ${value} m apart` : `they are within ${value} m of each other`
}

/** Puts the time that both are there into words. */
export function overlapClause({ op, value }: Leaf, denied: boolean): string | null {
  if (op !== 'gte' || typeof value !== 'number') return null
  return `both are there for ${denied ? 'less than ' : ''}${counted(value, 'minute')}${denied ? '' : ' or longer'}`
}

/** Returns the values that a comparison allows, in the order of all values; null if it doesn’t compare with values. */
function allowed(all: readonly string[], { op, value }: Leaf, denied: boolean): string[] | null {
  if (op !== 'eq' && op !== 'ne' && op !== 'in' && op !== 'not_in') return null
  const named = Array.isArray(value) ? itemsIn(value) : [value]
  const wanted = (op === 'eq' || op === 'in') !== denied
  return all.filter(one => named.includes(one) === wanted)
}

/** Returns how comparisons with values are put into words: by the values that they allow. */
const clauseBy =
  (words: (names: Sides) => Readonly<Record<string, string>>) => (all: readonly string[], names: Sides) => (leaf: Leaf, denied: boolean) =>
    words(names)[allowed(all, leaf, denied)?.join(' ') ?? ''] ?? null

/** Puts into words which of two is inside the other. */
export const containmentClause = clauseBy(({ a, b }) => ({
  none: 'neither is inside the other',
  a_in_b: `${a} is inside ${b}`,
  b_in_a: `${b} is inside ${a}`,
  overlap: 'each is only partly inside the other',
  'a_in_b b_in_a': 'one is inside the other',
  'a_in_b overlap': `${a} is at least partly inside ${b}`,
  'b_in_a overlap': `${b} is at least partly inside ${a}`,
  'a_in_b b_in_a overlap': 'they overlap',
}))

/** Puts into words what the contractors of two are to each other. */
export const contractorClause = clauseBy(({ a, b }) => ({
  same: 'they have the same contractor',
  different: 'their contractors are different',
  a_oversees_b: `the contractor of ${a} oversees that of ${b}`,
  b_oversees_a: `the contractor of ${b} oversees that of ${a}`,
  unknown: 'one of them has no contractor',
  'different a_oversees_b b_oversees_a unknown': 'they don’t have the same contractor',
}))

/** Puts into words which of two is above the other: where both are of one kind, either can be. */
export const aboveWords = ({ a, b }: Sides): { label: string; otherwise: string } => ({
  label: `${a} is above ${b}`,
  otherwise: `${a} isn’t above ${b}`,
})

const AREAS: Readonly<Record<string, string>> = {
  work: 'a work area',
  exclusion: 'an exclusion zone',
  lifting: 'a lifting zone',
  laydown: 'a laydown area',
  route_closed: 'a closed route',
  hot_work: 'a hot work area',
  delivery_bay: 'a delivery bay',
  reserved: 'a reserved area',
}

const machine = (category: string): string => {
  const name = category === 'mewp' ? 'MEWP' : category.replaceAll('_', ' ')
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

/** What a thing is, as people say it, by the fields that say it. */
const IS: Readonly<Record<string, (value: string) => string>> = { area_kind: value => AREAS[value] ?? value, plant_category: machine }

const orOf = (words: readonly string[]): string =>
  words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Says what something is, or was: “the machine is a tower crane or a mobile crane”. */
export const isClause =
  (which: string, nameOf: (value: string) => string, [is, isNot]: readonly [string, string] = ['is', 'isn’t']) =>
  ({ op, value }: Leaf, denied: boolean): string | null => {
    if (op !== 'eq' && op !== 'ne' && op !== 'in' && op !== 'not_in') return null
    const named = textsIn(Array.isArray(value) ? value : [value])
    const wanted = (op === 'eq' || op === 'in') !== denied
    return named.length === 0 ? null : `${which} ${wanted ? is : isNot} ${orOf(named.map(nameOf))}`
  }

/** Sets of records that a thing belongs to, as people say what conditions ask of them. */
const IN: Readonly<Record<string, Wording>> = {
  group_ids: { one: ['is in', 'isn’t in'], overlaps: ['is in', 'is in none of'], contains_all: ['is in all of', 'isn’t in all of'] },
  zone_ids: {
    one: ['is in', 'isn’t in'],
    overlaps: ['is in', 'is in none of'],
    contains_all: ['is in all of', 'isn’t in all of'],
    is_empty: ['is in no zone', 'is in a zone'],
  },
  permit_types: {
    one: ['has a permit for', 'has no permit for'],
    overlaps: ['has a permit for', 'has no permit for'],
    contains_all: ['has permits for all of', 'doesn’t have permits for all of'],
    is_empty: ['has no permit', 'has a permit'],
  },
}

const wordingOf = (name: string): Wording | null => {
  const own = IN[name]
  if (own?.overlaps === undefined) return null
  const [some, none] = own.overlaps
  return { ...own, disjoint: [none, some] }
}

/** How people say that something is in smart groups. */
export const IN_GROUPS: Wording = wordingOf('group_ids') ?? {}

type Named = { path: string; label: string; type: string; otherwise?: string }
type Worded = { label: string; otherwise?: string; clause?: (leaf: Leaf, denied: boolean) => string | null; wording?: Wording }

/** What the two sides are called: “the gang”, “the active area”. */
export type Sides = { a: string; b: string }
/** The names of two sides of which nothing is known. */
export const UNNAMED: Sides = { a: 'the first', b: 'the second' }

/**
 * Names a field of a thing as that of one of two: “the gang’s contractor”, “the machine is used for lifting”. Sides of which nothing is known have “of”: “the contractor
 * of the first”.
 */
export function ofSide<F extends Named>(field: F, which: string): F & Worded {
  // The label of a boolean is a whole clause about a plant, an area or a record.
  const about = (clause: string) => clause.replace(/^the \w+/, which)
  if (field.type === 'boolean')
    return { ...field, label: about(field.label), ...(field.otherwise === undefined ? {} : { otherwise: about(field.otherwise) }) }
  const label = field.label.replace(/^the (category|state|kind|status) of (?:the )?(\w+)$/, 'the $2 $1')
  if (which === UNNAMED.a || which === UNNAMED.b) return { ...field, label: `${label} of ${which}` }
  const name = field.path.replace(/^[ab]\./, '')
  const is = IS[name]
  if (is !== undefined) return { ...field, label: `${label} of ${which}`, clause: isClause(which, is) }
  const wording = wordingOf(name)
  if (wording !== null) return { ...field, label: which, wording }
  return { ...field, label: which.includes(',') ? `${label} of ${which}` : `${which}’s ${label.replace(/^the /, '')}` }
}
