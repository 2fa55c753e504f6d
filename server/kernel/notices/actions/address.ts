import type { Actor } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { once } from '../../../base/memo.ts'
import { scopeOf } from '../../access/domain.ts'
import { actorFor, oversightOn } from '../../access/door.ts'
import { type EventRow, eventKind } from '../../events/door.ts'
import { kindNamed } from '../../records/door.ts'
import { siteOf } from '../../site/door.ts'
import { type Carried, type Member, plainTerms, type Reached, reached, wantedBy } from '../domain/audience.ts'
import type { Term } from '../domain/kinds.ts'
import { membersFor } from '../queries/people.ts'
import { gateOf, sightOf } from './registry.ts'

const idsIn = (value: unknown): Id[] => {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((one): one is Id => typeof one === 'string')
}

/** Finds the people and contractors in an event, as far as these terms need them. */
async function carriedBy(ctx: Ctx, event: EventRow, terms: readonly Term[]): Promise<Carried> {
  const kind = eventKind(event.kind)
  const asked = plainTerms(terms)
  const named = new Map(Object.entries(kind?.identities ?? {}).map(([name, field]) => [name, idsIn(event.payload[field])]))
  const contractors = new Map(Object.entries(kind?.contractors ?? {}).map(([name, field]) => [name, idsIn(event.payload[field])]))
  const overseers = new Map<string, Id[]>()
  const overseen = asked.flatMap(term => ('overseers_of' in term ? [term.overseers_of] : []))
  if (overseen.length > 0) {
    const { pairs, transitive } = await oversightOn(ctx, event.site_id)
    const all = [...new Set(pairs.map(pair => pair.overseer_id))]
    for (const name of overseen) {
      const below = new Set(contractors.get(name) ?? [])
      overseers.set(
        name,
        all.filter(id => [...scopeOf(id, pairs, transitive).keys()].some(contractor => contractor !== id && below.has(contractor))),
      )
    }
  }
  const gate = asked.some(term => 'gate' in term) ? await gateOf(event.subject_kind)?.(ctx, event) : undefined
  return { named, contractors, overseers, next_gate: gate ?? { roles: [], user_ids: [] } }
}

/** Makes an actor for a member: with their role on this site, and without the superadmin flag, which doesn't count here. */
export const actorOfMember = (ctx: Ctx, site_id: Id, timezone: string, member: Member): Actor =>
  actorFor(
    { id: member.user_id, name: member.name, is_superadmin: false },
    { site_id, membership_id: member.membership_id, role: member.role, contractor_id: member.contractor_id, timezone, lock: null },
    ctx.house.settings,
  )

/** Returns which of these people can open the subject of an event. Kinds without a check of their own are checked person by person; nobody sees a deleted record. */
export async function seenBy(
  ctx: Ctx,
  site_id: Id,
  subject: { kind: string; id: Id },
  people: readonly Member[],
): Promise<ReadonlySet<Id>> {
  const everybody = new Set(people.map(member => member.user_id))
  const sight = sightOf(subject.kind)
  if (sight !== undefined) return people.length === 0 ? everybody : sight.among(ctx, site_id, subject.id, people)
  const kind = kindNamed(subject.kind)
  if (kind === undefined || kind.open || people.length === 0) return everybody
  const row = await kind.find(ctx, site_id, subject.id, false)
  if (row === null) return new Set()
  const { timezone } = await siteOf(ctx, site_id)
  const seen = new Set<Id>()
  for (const member of people)
    if (await kind.sees({ ...ctx, actor: actorOfMember(ctx, site_id, timezone, member) }, row)) seen.add(member.user_id)
  return seen
}

/** Returns who receives an event by these terms, and who was included but doesn't receive it, and why. */
export async function addressed(ctx: Ctx, event: EventRow, rule: { audience: readonly Term[]; include_actor: boolean }): Promise<Reached> {
  const carried = await carriedBy(ctx, event, rule.audience)
  const wanted = plainTerms(rule.audience).map(term => wantedBy(term, carried))
  const members = await once(ctx, `members ${event.site_id} ${JSON.stringify(wanted)}`, () => membersFor(ctx.db, event.site_id, wanted))
  const sees = await seenBy(ctx, event.site_id, { kind: event.subject_kind, id: event.subject_id }, members)
  return reached(rule.audience, carried, members, sees, { id: event.actor_id, included: rule.include_actor })
}
