import { groupsNamed } from '../../../../shared/predicates/nested.ts'
import type { Role } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type Id, sha256 } from '../../../base/ids.ts'
import { allEvents, type EventKind, type EventRow, eventKind } from '../../events/door.ts'
import { checkPredicate, compilePredicate, type Judge, type Subject, subjectOf } from '../../predicates/door.ts'
import type { Member } from '../domain/audience.ts'
import { type Conditioned, eventSubject, subjectName } from '../domain/conditions.ts'
import { type NoticeKind, type RuleContent, ruleOfKind, type ShippedRule } from '../domain/kinds.ts'

/** Finds who of several people can open a subject: the area's rule for one caller, applied to many in a few statements. */
export type Sight = {
  subject_kind: string
  among(ctx: Ctx, site_id: Id, subject_id: Id, people: readonly Member[]): Promise<ReadonlySet<Id>>
}

/** Returns who can decide the next gate of the subject of an event. */
export type NextGate = (ctx: Ctx, event: EventRow) => Promise<{ roles: readonly Role[]; user_ids: readonly Id[] }>

/** A standard rule with its defaults and its compiled condition. */
export type Shipped = RuleContent & {
  key: string
  locked: boolean
  link: string | null
  may_reach_nobody: boolean
  judge: Judge<Conditioned>
}

const kinds = new Map<string, NoticeKind>()
const shipped = new Map<string, Shipped>()
const sights = new Map<string, Sight>()
const gates = new Map<string, NextGate>()

/** What the rooms declare for notifications. */
export type NoticePlugs = {
  kinds: readonly NoticeKind[]
  rules: readonly ShippedRule[]
  sights: readonly Sight[]
  /** By subject kind. */
  gates: readonly { subject_kind: string; of: NextGate }[]
}

/** Returns the subjects of conditions on events: one for each kind of event that a rule can use. */
export const eventSubjects = (): Subject[] => allEvents().filter(isRuled).map(eventSubject)

/** Returns whether rules can use an event kind at all. */
export const isRuled = (kind: Pick<EventKind, 'private'>): boolean => kind.private !== true
/** Returns whether a site's own rule can use an event kind. It can't if the rule would trigger itself. */
export const isForSites = (kind: Pick<EventKind, 'private' | 'unruled'>): boolean => isRuled(kind) && kind.unruled !== true

/** Registers what rooms declare, once, at startup, after the events and the subjects of conditions. An inconsistent rule stops the start. */
export function plugNotices(all: NoticePlugs): void {
  for (const map of [kinds, shipped, sights, gates]) map.clear()
  for (const kind of all.kinds) {
    if (kinds.has(kind.kind)) throw new Error(`Two rooms have a notification ${kind.kind}.`)
    kinds.set(kind.kind, kind)
  }
  for (const sight of all.sights) sights.set(sight.subject_kind, sight)
  for (const gate of all.gates) gates.set(gate.subject_kind, gate.of)
  for (const rule of all.rules) {
    if (shipped.has(rule.key)) throw new Error(`Two standard rules have the key ${rule.key}.`)
    const kind = kinds.get(rule.kind)
    const event = eventKind(rule.event_kind)
    if (kind === undefined || event === undefined || !isRuled(event))
      throw new Error(`The rule ${rule.key} refers to an unknown event or notification: ${rule.event_kind} → ${rule.kind}.`)
    const when = rule.when ?? true
    const { predicate, faults } = checkPredicate(subjectName(rule.event_kind), when)
    if (predicate === null) throw new Error(`The rule ${rule.key}: ${faults.map(f => `${f.path} ${f.message}`).join(' ')}`)
    shipped.set(rule.key, {
      name: kind.label,
      body: '',
      include_actor: false,
      enabled: true,
      locked: false,
      link: null,
      may_reach_nobody: false,
      ...rule,
      when,
      urgency: kind.urgency,
      judge: compilePredicate<Conditioned>(subjectName(rule.event_kind), predicate),
    })
  }
}

/** Returns the registered kind with this name. */
export const noticeKind = (kind: string): NoticeKind | undefined => kinds.get(kind)
/** Returns every registered kind. */
export const allNotices = (): NoticeKind[] => [...kinds.values()]
/** Returns whether a person can have a preference for a kind: a registered kind, a site's own rule, or all. */
export const isKind = (kind: string): boolean => kinds.has(kind) || ruleOfKind(kind) !== null
/** Returns every standard rule. */
export const allShipped = (): Shipped[] => [...shipped.values()]
/** Returns the visibility check of a subject kind, if its area has one. */
export const sightOf = (subject_kind: string): Sight | undefined => sights.get(subject_kind)
/** Returns the rule for who can decide the next gate of a subject kind. */
export const gateOf = (subject_kind: string): NextGate | undefined => gates.get(subject_kind)

const XOR = (id: Id, mask: Buffer): Id => {
  const mixed = Buffer.from(id.replaceAll('-', ''), 'hex')
  for (const [i, byte] of mixed.entries()) mixed[i] = byte ^ (mask[i] ?? 0)
  const hex = mixed.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const masks = new Map<string, Buffer>()
const maskOf = (key: string): Buffer => {
  const known = masks.get(key) ?? Buffer.from(sha256(`notification rule ${key}`).slice(0, 32), 'hex')
  masks.set(key, known)
  return known
}

/**
 * Returns the id of a standard rule on a site. It combines the site's id and the rule's key, so the site can be computed from it: a new release adds its
 * rules to every site without writing a row.
 */
export const idOfShipped = (site_id: Id, key: string): Id => XOR(site_id, maskOf(key))
/** Returns the sites on which this could be the id of a standard rule. */
export const sitesOfShipped = (id: Id): Id[] => [...shipped.keys()].map(key => XOR(id, maskOf(key)))
/** Returns the standard rule that has this id on a site; undefined if there is none. */
export const shippedById = (site_id: Id, id: Id): Shipped | undefined => allShipped().find(rule => idOfShipped(site_id, rule.key) === id)

/** A compiled condition, with the groups that it asks about. If its fields no longer exist, there is none, and the rule is never triggered. */
export type Judged = { judge: Judge<Conditioned> | null; asked: Id[] }

const judges = new Map<string, Judged>()

/** Compiles the condition of a site's rule, once. */
export function judgeOfRule(key: string, content: Pick<RuleContent, 'event_kind' | 'when'>): Judged {
  const known = judges.get(key)
  if (known !== undefined) return known
  const event = eventKind(content.event_kind)
  const subject = subjectName(content.event_kind)
  const predicate = event === undefined || !isRuled(event) ? null : checkPredicate(subject, content.when).predicate
  if (predicate === null) return { judge: null, asked: [] }
  const judged = { judge: compilePredicate<Conditioned>(subject, predicate), asked: groupsNamed(subjectOf(subject), predicate) }
  if (judges.size > 5000) judges.clear()
  judges.set(key, judged)
  return judged
}
