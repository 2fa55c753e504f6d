// What the room decides about groups within groups, besides `shared/predicates/nested.ts`.
import { leavesOf } from '../../../../shared/predicates/check.ts'
import type { AnySubject, Leaf, Predicate } from '../../../../shared/predicates/language.ts'
import { groupsNamed, type Nested, type Subjects } from '../../../../shared/predicates/nested.ts'
import type { Id } from '../../../base/ids.ts'

/** A group with who can refer to it. */
export type Group = Nested & { visibility: 'private' | 'shared'; owner_id: Id }

/** Returns the comparisons of a condition. */
export const leavesIn = (subject: AnySubject, predicate: Predicate): Leaf[] => leavesOf(subject, predicate, '').map(({ leaf }) => leaf)

/** Returns every group that refers to one of these, directly or through others, and these themselves. */
export function reaching(ids: readonly Id[], known: ReadonlyMap<Id, Group>, subjects: Subjects): Set<Id> {
  const out = new Set(ids)
  for (let grown = true; grown; ) {
    grown = false
    for (const group of known.values()) {
      if (out.has(group.id) || !groupsNamed(subjects(group.subject), group.predicate).some(id => out.has(id))) continue
      out.add(group.id)
      grown = true
    }
  }
  return out
}
