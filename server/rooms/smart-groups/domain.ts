// What a group of groups comes to: rings, depth, and the condition written out (`site-and-people.md` §18, Rules).
import type { Id } from '../../base/ids.ts'
import { leavesOf, sizeOf } from '../../kernel/predicates/domain/check.ts'
import {
  type AnySubject,
  expandPredicate,
  type Leaf,
  type Predicate,
  type PredicateFault,
} from '../../kernel/predicates/domain/language.ts'

/** A group, as far as others may name it. */
export type Group = { id: Id; name: string; subject: string; predicate: Predicate; visibility: 'private' | 'shared'; owner_id: Id }

/** Groups that name groups that name groups: so many at most, the first included. */
export const DEEPEST = 5
/** A condition written out has so many parts at most. */
export const LARGEST = 2000

/** The field by which a condition names groups: `group_ids`, of a pair `a.group_ids` and `b.group_ids`. */
export const isGroupField = (path: string): boolean => path === 'group_ids' || path.endsWith('.group_ids')

/** Ids of the groups that a comparison names. */
export function groupsIn(leaf: Leaf): Id[] {
  if (!isGroupField(leaf.field) || leaf.op === 'is_set' || leaf.op === 'is_not_set') return []
  return (Array.isArray(leaf.value) ? leaf.value : [leaf.value]).map(id => String(id).toLowerCase())
}

/** Groups that a condition names, with the place of each. */
export const namedBy = (subject: AnySubject, predicate: Predicate, at = 'predicate'): { id: Id; path: string }[] =>
  leavesOf(subject, predicate, at).flatMap(({ leaf, path }) => {
    const ids = groupsIn(leaf)
    return ids.map((id, i) => ({ id, path: Array.isArray(leaf.value) ? `${path}.value[${i}]` : `${path}.value` }))
  })

/** Subjects by their names. */
export type Subjects = (name: string) => AnySubject

/** How deep a group reaches: 1 when it names none. `known` must be free of rings. */
function depthOf(group: Group, known: ReadonlyMap<Id, Group>, subjects: Subjects): number {
  const named = namedBy(subjects(group.subject), group.predicate).flatMap(({ id }) => known.get(id) ?? [])
  return 1 + Math.max(0, ...named.map(inner => depthOf(inner, known, subjects)))
}

/** The way from a group back to another through what they name; null when there is none. */
function wayTo(from: Group, target: Id, known: ReadonlyMap<Id, Group>, subjects: Subjects, seen = new Set<Id>()): Group[] | null {
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
 * What is wrong with a group as it would be, beside its own condition: one that it names is of another subject, it reaches itself, it or one that names
 * it reaches too deep or grows too large. `known`: what it may name, and itself as it was.
 */
export function reachFaults(group: Group, known: ReadonlyMap<Id, Group>, subjects: Subjects, at = 'predicate'): PredicateFault[] {
  const subject = subjects(group.subject)
  const named = namedBy(subject, group.predicate, at)
  const faults: PredicateFault[] = []
  for (const { id, path } of named) {
    const inner = known.get(id)
    if (inner === undefined) continue // a dead reference, which the check of the condition says
    if (inner.subject !== group.subject)
      faults.push({
        path,
        code: 'wrong_type',
        message: `“${inner.name}” is a group of ${subjects(inner.subject).label}, not of ${subject.label}.`,
      })
    const ring = wayTo(inner, group.id, known, subjects)
    if (ring !== null)
      faults.push({
        path,
        code: 'circular_reference',
        message: `the group refers to itself: ${[group, ...ring].map(g => `“${g.name}”`).join(' → ')}.`,
      })
  }
  if (faults.length > 0) return faults
  const after = new Map(known).set(group.id, group)
  for (const other of after.values()) {
    if (other.id !== group.id && wayTo(other, group.id, after, subjects) === null) continue
    if (depthOf(other, after, subjects) > DEEPEST)
      faults.push({ path: at, code: 'too_deep', message: `makes “${other.name}” reach through more than ${DEEPEST} groups.` })
    else if (sizeOf(subject, expanded(subjects(other.subject), other.predicate, after)) > LARGEST)
      faults.push({
        path: at,
        code: 'too_large',
        message: `makes “${other.name}” more than ${LARGEST} conditions once its groups are written out.`,
      })
  }
  return faults
}

/** A condition with the groups that it names written out. One that is gone has nobody in it. */
export function expanded(subject: AnySubject, predicate: Predicate, known: ReadonlyMap<Id, Group>): Predicate {
  return expandPredicate(subject, predicate, leaf => {
    if (!isGroupField(leaf.field)) return null
    // Every viewer has a set of groups, even if it is empty.
    if (leaf.op === 'is_set') return true
    if (leaf.op === 'is_not_set') return false
    const parts = groupsIn(leaf).map(id => {
      const group = known.get(id)
      return group === undefined ? false : inField(leaf.field, expanded(subject, group.predicate, known))
    })
    return leaf.op === 'contains_all' ? { all: parts } : leaf.op === 'disjoint' ? { not: { any: parts } } : { any: parts }
  })
}

/** A condition on a thing, said of one side of a pair. */
function inField(path: string, predicate: Predicate): Predicate {
  const prefix = path.slice(0, -'group_ids'.length)
  if (prefix === '') return predicate
  const walk = (node: Predicate): Predicate => {
    if (typeof node === 'boolean') return node
    if ('field' in node)
      return { ...node, field: `${prefix}${node.field}`, ...(node.ref === undefined ? {} : { ref: `${prefix}${node.ref}` }) }
    if ('not' in node) return { not: walk(node.not as Predicate) } // written out: all, any, not and comparisons alone
    if ('all' in node) return { all: (node.all as Predicate[]).map(walk) }
    return { any: (node.any as Predicate[]).map(walk) }
  }
  return walk(predicate)
}

/** Every group that reaches one of these through what it names, those themselves included. */
export function reaching(ids: readonly Id[], known: ReadonlyMap<Id, Group>, subjects: Subjects): Set<Id> {
  const out = new Set(ids)
  for (let grown = true; grown; ) {
    grown = false
    for (const group of known.values()) {
      if (out.has(group.id) || !namedBy(subjects(group.subject), group.predicate).some(({ id }) => out.has(id))) continue
      out.add(group.id)
      grown = true
    }
  }
  return out
}
