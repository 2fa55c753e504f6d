// A smart group as its form edits it, and what of it is sent.
import { chosenFrom, keysOf } from '../../../../shared/narrow.ts'
import { checked, leavesOf } from '../../../../shared/predicates/check.ts'
import { type EntityFacts, entityFields, SIDE_KINDS } from '../../../../shared/predicates/entity.ts'
import { type AnyField, type AnySubject, isPredicate, NO_REFS, type PredicateFault } from '../../../../shared/predicates/language.ts'
import { type Nested, reachFaults } from '../../../../shared/predicates/nested.ts'
import { PERMIT_FIELDS } from '../../../../shared/predicates/permit.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import type { Schemas } from '../../../base/api.ts'
import { parsed } from '../../../base/condition-json.ts'

/** A group as the service returns it. */
export type SmartGroup = Schemas['SmartGroup']
export type Subject = SmartGroup['subject']
export const SUBJECTS = ['entity', 'permit'] as const
export const VISIBILITIES = ['private', 'shared'] as const

/** The values of the form. */
export type Draft = Pick<SmartGroup, 'name' | 'subject' | 'visibility' | 'colour'> & {
  description: string
  predicate: unknown
  /** The condition as JSON while it is edited in that form; null while it is edited in lines. */
  json: string | null
}

/** Returns the draft of a group, or of a new one. */
export const draftOf = (group: SmartGroup | null): Draft => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  subject: group?.subject ?? 'entity',
  visibility: group?.visibility ?? 'private',
  colour: group?.colour ?? null,
  predicate: group === null ? true : group.predicate,
  json: null,
})

/** What conditions of groups are about. */
export const SUBJECT: Readonly<Record<Subject, AnySubject>> = {
  entity: { name: 'entity', label: 'things on site', fields: entityFields<EntityFacts>(row => row) },
  permit: { name: 'permit', label: 'permits', fields: PERMIT_FIELDS },
}

/** Of these, every member has one value, or nobody chooses by it: they are offered only in a condition that has them. */
const SELDOM: Readonly<Record<Subject, readonly string[]>> = { entity: ['id'], permit: ['id', 'kind'] }

/** Things on the site are of these kinds: permits are a subject of their own. */
const KINDS = SIDE_KINDS.filter(kind => kind !== 'permit')

/** Returns the fields that the form offers for a condition. A permit can’t be chosen from a list, so that only its presence is offered. */
export function fieldsOf(subject: Subject, predicate: unknown): AnyField[] {
  const about = SUBJECT[subject]
  const { predicate: sound } = checked(about, predicate, NO_REFS, '')
  const used = new Set(sound === null ? [] : leavesOf(about, sound, '').map(({ leaf }) => leaf.field))
  return about.fields
    .filter(({ path }) => used.has(path) || !SELDOM[subject].includes(path))
    .map(({ refers, ...field }) => (refers === undefined || refers === 'permit' ? field : { ...field, refers }))
    .map(field => (field.path === 'kind' && subject === 'entity' ? { ...field, values: KINDS } : field))
}

/** Returns the condition of a draft; text that isn’t JSON is no condition. */
export function predicateIn({ predicate, json }: Pick<Draft, 'predicate' | 'json'>): unknown {
  if (json === null) return predicate
  const read = parsed(json)
  return 'when' in read ? read.when : null
}

/** Returns the faults of a draft that the browser finds, with the same code as the service, which also knows the records of the site. */
export function faultsIn(draft: Pick<Draft, 'subject' | 'predicate' | 'json'>, not_json: string): PredicateFault[] {
  const predicate = predicateIn(draft)
  if (!isPredicate(predicate)) return [{ path: 'predicate', code: 'wrong_type', message: not_json }]
  return checked(SUBJECT[draft.subject], predicate, NO_REFS, 'predicate').faults
}

/**
 * Returns what would be wrong with the groups that a sound draft refers to, with the same code as the service: a loop, or too many groups within groups.
 * `group_id`: the group that is edited, null for a new one; `seen`: the groups that the person sees.
 */
export function nestingFaults(
  draft: Pick<Draft, 'name' | 'subject' | 'predicate' | 'json'>,
  group_id: string | null,
  seen: readonly Pick<SmartGroup, 'id' | 'name' | 'subject' | 'predicate'>[],
): PredicateFault[] {
  const predicate = predicateIn(draft)
  if (!isPredicate(predicate)) return []
  const known = new Map<string, Nested>()
  for (const one of seen) if (isPredicate(one.predicate)) known.set(one.id, { ...one, predicate: one.predicate })
  const edited = { id: group_id ?? '', name: draft.name.trim(), subject: draft.subject, predicate }
  return reachFaults(edited, known, name => SUBJECT[chosenFrom(SUBJECTS, name)])
}

const contentIn = (draft: Draft) => ({
  name: draft.name.trim(),
  description: draft.description.trim() === '' ? null : draft.description,
  predicate: predicateIn(draft),
  visibility: draft.visibility,
  colour: draft.colour,
})

/** Returns a new group as it is sent. */
export const newBody = (site_id: string, draft: Draft): Schemas['NewSmartGroup'] => ({
  site_id,
  subject: draft.subject,
  ...contentIn(draft),
})

/** Returns a group of the person’s own with the content of a draft, under another name. */
export const copyBody = (site_id: string, draft: Draft, name: string): Schemas['NewSmartGroup'] => ({
  ...newBody(site_id, draft),
  name,
  visibility: 'private',
})

/** Returns what was changed, as it is sent: a condition that wasn’t touched isn’t sent, because changing it can need more permissions. */
export function changesOf(group: SmartGroup, draft: Draft): Schemas['SmartGroupChange'] {
  const [before, after] = [contentIn(draftOf(group)), contentIn(draft)]
  const moved = keysOf(after).filter(key => canonicalJson(before[key]) !== canonicalJson(after[key]))
  return Object.fromEntries(moved.map(key => [key, after[key]]))
}

const PARTS = ['name', 'description', 'visibility', 'predicate', 'colour'] as const
/** What of a group can differ between two versions. */
export type Part = (typeof PARTS)[number]

/** Returns in what two versions of a group differ. */
export function partsOf(before: SmartGroup, after: SmartGroup): Part[] {
  const changed = changesOf(before, draftOf(after))
  return PARTS.filter(part => part in changed)
}

/** Why a person can’t share groups: their role doesn’t include it, or the site is locked; null if they can. */
export function sharingOf(here: { can(permission: string): boolean; locked: boolean }): 'cant_share' | 'locked' | null {
  if (!here.can('smart_group_share')) return 'cant_share'
  return here.locked ? 'locked' : null
}

/** Returns the groups of a list with those that are pinned first, in the order in which they were. `found`: the pinned ones, which may be on a later page. */
export function pinnedFirst<T extends { id: string }>(pins: readonly string[], found: readonly T[], listed: readonly T[]): T[] {
  const known = new Map([...found, ...listed].map(group => [group.id, group]))
  return [...pins.flatMap(id => known.get(id) ?? []), ...listed.filter(group => !pins.includes(group.id))]
}
