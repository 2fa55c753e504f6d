// What conditions say about a pair, as people say it: “they are within 5 m of each other”. Pure.
import { itemsIn } from '../narrow.ts'
import type { Leaf } from '../predicates/language.ts'
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
const clauseBy = (words: Readonly<Record<string, string>>) => (all: readonly string[]) => (leaf: Leaf, denied: boolean) =>
  words[allowed(all, leaf, denied)?.join(' ') ?? ''] ?? null

/** Puts into words which of two is inside the other. */
export const containmentClause = clauseBy({
  none: 'neither is inside the other',
  a_in_b: 'the first is inside the second',
  b_in_a: 'the second is inside the first',
  overlap: 'each is only partly inside the other',
  'a_in_b b_in_a': 'one is inside the other',
  'a_in_b overlap': 'the first is at least partly inside the second',
  'b_in_a overlap': 'the second is at least partly inside the first',
  'a_in_b b_in_a overlap': 'one is at least partly inside the other',
})

/** Puts into words what the contractors of two are to each other. */
export const contractorClause = clauseBy({
  same: 'they have the same contractor',
  different: 'their contractors are different',
  a_oversees_b: 'the contractor of the first oversees that of the second',
  b_oversees_a: 'the contractor of the second oversees that of the first',
  unknown: 'one of them has no contractor',
  'different a_oversees_b b_oversees_a unknown': 'they don’t have the same contractor',
})

type Named = { type: string; label: string; otherwise?: string }

/** Names a field of a thing as that of one of two: “the contractor of the first”, “the second is used for lifting”. */
export function ofSide<F extends Named>(field: F, which: 'the first' | 'the second'): F {
  // The label of a boolean is a whole clause about a plant, an area or a record.
  const about = (clause: string) => clause.replace(/^the \w+/, which)
  if (field.type === 'boolean')
    return { ...field, label: about(field.label), ...(field.otherwise === undefined ? {} : { otherwise: about(field.otherwise) }) }
  const label = field.label.replace(/^the (category|state|kind|status) of (?:the )?(\w+)$/, 'the $2 $1')
  return { ...field, label: `${label} of ${which}` }
}
