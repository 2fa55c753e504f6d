// The condition of a rule in its form: read from what is stored, and written back in the words in which it was stored.
import { pairSubject } from '../../../../shared/conflicts/pair.ts'
import { fieldsIn, isRecord, itemsIn } from '../../../../shared/narrow.ts'
import { isPredicate, namedIn, type Predicate } from '../../../../shared/predicates/language.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import { type Field, fieldsFor, type Group, linesIn, writeCondition } from '../../messages/rules/door.tsx'

const isOfPair = (path: string): boolean => path.startsWith('pair.')

/** What conditions can ask about two things: first what is between them, then the first and the second one. */
export const PAIR_FIELDS: readonly Field[] = fieldsFor(pairSubject.fields).toSorted(
  (a, b) => Number(isOfPair(b.path)) - Number(isOfPair(a.path)),
)

/** Reads a condition as a group of lines; null if it has faults, or if lines can’t show it. */
export const groupOf = (when: unknown): Group | null => linesIn(pairSubject, when)

/** Collects the named conditions in a condition by what they abbreviate. */
function namesIn(when: unknown, found = new Map<string, Predicate>()): Map<string, Predicate> {
  const named = namedIn(pairSubject, when)
  const meant = named?.named.expand(named.args) ?? null
  if (named !== null && meant !== null && isPredicate(when)) return found.set(canonicalJson(meant), when)
  for (const part of Array.isArray(when) ? itemsIn(when) : Object.values(fieldsIn(when))) namesIn(part, found)
  return found
}

function abbreviated(part: unknown, names: ReadonlyMap<string, Predicate>): unknown {
  if (Array.isArray(part)) return part.map(one => abbreviated(one, names))
  if (!isRecord(part)) return part
  const name = names.get(canonicalJson(part))
  if (name !== undefined) return name
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, key === 'value' ? inner : abbreviated(inner, names)]))
}

/** Returns a group as it is stored. Abbreviations that the condition used before stay, where their part is still the same. */
export const whenOf = (group: Group, before: unknown): unknown => abbreviated(writeCondition(group), namesIn(before))
