// What groups within groups mean: loops, depth, and the expanded condition (`site-and-people.md` §18, Rules). The form of a group finds the same faults as the
// service, with the groups that the person sees.
import { leavesOf, sizeOf } from './check.ts'
import { type AnySubject, expandPredicate, fieldOf, type Leaf, type Predicate, type PredicateFault } from './language.ts'

/** A group, as far as others can refer to it. */
export type Nested = { id: string; name: string; subject: string; predicate: Predicate }

/** How many groups can be nested, including the first. */
const DEEPEST = 5
/** Maximum number of parts of an expanded condition. */
const LARGEST = 2000

/** Returns whether a field refers to groups: `group_ids`, and for a pair `a.group_ids` and `b.group_ids`. */
const isGroupField = (path: string): boolean => path === 'group_ids' || path.endsWith('.group_ids')

/** Returns the ids of the groups that a comparison refers to. */
function groupsIn(leaf: Leaf): string[] {
  if (!isGroupField(leaf.field) || leaf.op === 'is_set' || leaf.op === 'is_not_set') return []
  return (Array.isArray(leaf.value) ? leaf.value : [leaf.value]).map(id => String(id).toLowerCase())
}

/** Returns the groups that a condition refers to, with the path of each. */
export const namedBy = (subject: AnySubject, predicate: Predicate, at = 'predicate'): { id: string; path: string; field: string }[] =>
  leavesOf(subject, predicate, at).flatMap(({ leaf, path }) => {
    const ids = groupsIn(leaf)
    const { field } = leaf
    return ids.map((id, i) => ({ id, field, path: Array.isArray(leaf.value) ? `${path}.value[${i}]` : `${path}.value` }))
  })

/** Returns the groups that a condition refers to, without duplicates. */
export const groupsNamed = (subject: AnySubject, predicate: Predicate): string[] => [
  ...new Set(namedBy(subject, predicate).map(({ id }) => id)),
]

/** Returns a fault for each group in a condition that selects something else than what the condition compares with it. */
export const subjectFaults = (
  subject: AnySubject,
  predicate: Predicate,
  known: ReadonlyMap<string, Nested>,
  subjects: Subjects,
  at = 'predicate',
): PredicateFault[] =>
  namedBy(subject, predicate, at).flatMap(({ id, path, field }) => {
    const group = known.get(id)
    const wanted = fieldOf(subject, field)?.groups
    // A dead reference is a fault of the condition itself.
    if (group === undefined || wanted === undefined || group.subject === wanted) return []
    return {
      path,
      code: 'wrong_type',
      message: `“${group.name}” is a group of ${subjects(group.subject).label}, not of ${subjects(wanted).label}. Choose another group.`,
    }
  })

/** Subjects by their names. */
export type Subjects = (name: string) => AnySubject

/** Returns how deep a group is nested: 1 when it refers to none. `known` must have no loops. */
function depthOf(group: Nested, known: ReadonlyMap<string, Nested>, subjects: Subjects): number {
  const named = namedBy(subjects(group.subject), group.predicate).flatMap(({ id }) => known.get(id) ?? [])
  return 1 + Math.max(0, ...named.map(inner => depthOf(inner, known, subjects)))
}

/** Returns the chain of references from one group to another; null when there is none. */
function wayTo(
  from: Nested,
  target: string,
  known: ReadonlyMap<string, Nested>,
  subjects: Subjects,
  seen = new Set<string>(),
): Nested[] | null {
  if (from.id === target) return [from]
  if (seen.has(from.id)) return null
  seen.add(from.id)
  for (const { id } of namedBy(subjects(from.subject), from.predicate)) {
    const next = known.get(id)
    const way = next === undefined ? null : wayTo(next, target, known, subjects, seen)
    if (way !== null) return [from, ...way]
  }
  return null
}

/**
 * Returns what would be wrong with a group, apart from its own condition: a group that it refers to has another subject, it refers to itself, or
 * it or a group that refers to it gets too deep or too large. `known`: the groups that it can refer to, and itself as it was.
 */
export function reachFaults(group: Nested, known: ReadonlyMap<string, Nested>, subjects: Subjects, at = 'predicate'): PredicateFault[] {
  const subject = subjects(group.subject)
  const named = namedBy(subject, group.predicate, at)
  const faults = subjectFaults(subject, group.predicate, known, subjects, at)
  for (const { id, path } of named) {
    const inner = known.get(id)
    if (inner === undefined) continue // a dead reference: the check of the condition reports it
    const ring = wayTo(inner, group.id, known, subjects)
    if (ring !== null)
      faults.push({
        path,
        code: 'circular_reference',
        message: `would make the group refer to itself: ${[group, ...ring].map(g => `“${g.name}”`).join(' → ')}. Choose another group.`,
      })
  }
  if (faults.length > 0) return faults
  const after = new Map(known).set(group.id, group)
  for (const other of after.values()) {
    if (other.id !== group.id && wayTo(other, group.id, after, subjects) === null) continue
    if (depthOf(other, after, subjects) > DEEPEST)
      faults.push({
        path: at,
        code: 'too_deep',
        message: `would nest “${other.name}” more than ${DEEPEST} groups deep. Use fewer groups within groups.`,
      })
    else if (sizeOf(subject, expanded(subjects(other.subject), other.predicate, after)) > LARGEST)
      faults.push({
        path: at,
        code: 'too_large',
        message: `would give “${other.name}” more than ${LARGEST} conditions and combinations of conditions, counting those of the groups that it uses. Use fewer conditions.`,
      })
  }
  return faults
}

/** Expands a condition with the groups that it refers to. A deleted group has no members, and neither has one of something else. */
export function expanded(subject: AnySubject, predicate: Predicate, known: ReadonlyMap<string, Nested>): Predicate {
  return expandPredicate(subject, predicate, leaf => {
    if (!isGroupField(leaf.field)) return null
    // Every viewer has a set of groups, even an empty one.
    if (leaf.op === 'is_set') return true
    if (leaf.op === 'is_not_set') return false
    const wanted = fieldOf(subject, leaf.field)?.groups
    const parts = groupsIn(leaf).map(id => {
      const group = known.get(id)
      return group === undefined || (wanted !== undefined && group.subject !== wanted)
        ? false
        : inField(subject, leaf.field, expanded(subject, group.predicate, known))
    })
    return leaf.op === 'contains_all' ? { all: parts } : leaf.op === 'disjoint' ? { not: { any: parts } } : { any: parts }
  })
}

/** Turns a condition on a record into one on a side of a pair. */
function inField(subject: AnySubject, path: string, predicate: Predicate): Predicate {
  const prefix = path.slice(0, -'group_ids'.length)
  if (prefix === '') return predicate
  return expandPredicate(subject, predicate, leaf => ({
    ...leaf,
    field: `${prefix}${leaf.field}`,
    ...(leaf.ref === undefined ? {} : { ref: `${prefix}${leaf.ref}` }),
  }))
}
