// Smart groups in the conditions of rules (`site-and-people.md` §18): which of them the records of an event are in. A condition is evaluated in memory,
// membership by the database, in one statement for all groups that the rules of a kind of event ask about.
import { ENTITY_COLUMNS } from '../../../../shared/predicates/entity.ts'
import { expanded, groupsNamed } from '../../../../shared/predicates/nested.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { once } from '../../../base/memo.ts'
import { type EventRow, eventKind } from '../../events/door.ts'
import {
  batched,
  checkPredicate,
  groupsOfRules,
  membersOf,
  metBy,
  predicateSql,
  sizeOf,
  subjectNamed,
  subjectOf,
  together,
} from '../../predicates/door.ts'
import { siteOf } from '../../site/door.ts'
import { type Conditioned, selectedOf, subjectName } from '../domain/conditions.ts'
import type { RuleContent } from '../domain/kinds.ts'

/** Returns the groups that the condition of a rule asks about; none if its fields no longer exist. */
export function groupsAsked({ event_kind, when }: Pick<RuleContent, 'event_kind' | 'when'>): Id[] {
  const subject = subjectNamed(subjectName(event_kind))
  const predicate = subject === undefined ? null : checkPredicate(subject, when).predicate
  return subject === undefined || predicate === null ? [] : groupsNamed(subject, predicate)
}

/**
 * Returns events of one kind with the groups that their records are in, of these. Records are taken as they are now, wherever they are in time: a gang that is
 * planned for tomorrow is in a group today. Conditions that compare with the clock compare with `at`. A deleted group has no members.
 */
export async function withGroups(ctx: Ctx, events: readonly EventRow[], asked: readonly Id[], at: Instant): Promise<Conditioned[]> {
  const [first] = events
  const kind = first === undefined ? undefined : eventKind(first.kind)
  const plain = () => events.map(event => ({ ...event, group_ids: [] }))
  if (first === undefined || kind?.selects === undefined || asked.length === 0) return plain()
  const { site_id } = first
  const selected = new Map(events.map(event => [event.id, selectedOf(kind, event)]))
  const in_groups = await groupsAmong(ctx, site_id, kind.selects.subject, [...new Set([...selected.values()].flat())], asked, at)
  return events.map(event => ({
    ...event,
    group_ids: [...new Set((selected.get(event.id) ?? []).flatMap(id => in_groups.get(id) ?? []))],
  }))
}

/** Returns the groups that each of these records is in, of those that are asked about. */
async function groupsAmong(
  ctx: Ctx,
  site_id: Id,
  name: string,
  ids: readonly Id[],
  asked: readonly Id[],
  at: Instant,
): Promise<Map<Id, Id[]>> {
  const known = await once(ctx, `groups of rules ${site_id}`, () => groupsOfRules(ctx, site_id))
  const subject = subjectOf(name)
  const groups = asked.flatMap(id => {
    const group = known.get(id)
    if (group?.subject !== name) return []
    const predicate = expanded(subject, group.predicate, known)
    return { id, predicate, size: sizeOf(subject, predicate) }
  })
  const out = new Map<Id, Id[]>()
  if (groups.length === 0 || ids.length === 0) return out
  const { timezone } = await siteOf(ctx, site_id)
  const relations = await Promise.all(membersOf(name).map(one => one.of(ctx, site_id, at, ids)))
  for (const batch of batched(groups)) {
    const conditions = batch.map(({ predicate }) => predicateSql(subject, predicate, { now: at, timezone }))
    for (const [id, met] of await metBy(ctx.db, together(relations, ENTITY_COLUMNS), conditions))
      out.set(id, [...(out.get(id) ?? []), ...batch.flatMap((group, i) => (met[i] === true ? group.id : []))])
  }
  return out
}
