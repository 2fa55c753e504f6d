// A rule as a form edits it, and its possible recipients.
import { contractorWords } from '../../../../shared/contractors-of-events.ts'
import { isRecord, itemsIn, keysOf } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import { type EventSchema, type Group, keptFor, newGroup, readCondition, writeCondition } from './condition.ts'
import { isComplete } from './fields.ts'
import { hasWord, t, tOf } from './says.ts'

/** A rule of a site. */
export type Rule = Schemas['NotificationRule']
/** A rule's recipients. */
export type Preview = Schemas['NotificationRulePreview']
/** A version of a rule. */
export type Version = Schemas['NotificationRuleVersion']
export type Channel = Rule['channels'][number]
export const CHANNELS = ['in_app', 'email', 'push'] as const

/** A term of the recipients: one key, or `contractor` with `roles`. */
export type Term = Record<string, unknown>

/** The values of a form. */
export type Draft = {
  name: string
  event_kind: string
  /** Null if the form can't show the condition, which then stays as it is. */
  when: Group | null
  audience: Term[]
  /** The recipients if there are no others. */
  otherwise: Term[]
  channels: Channel[]
  title: string
  body: string
  urgency: 'info' | 'attention'
  include_actor: boolean
}

/** Returns a draft of a rule, or of a new one. */
export function draftOf(rule: Rule | null): Draft {
  const terms = (rule?.audience ?? []).filter(isRecord)
  return {
    name: rule?.name ?? '',
    event_kind: rule?.event_kind ?? '',
    when: rule === null ? newGroup() : readCondition(rule.when),
    audience: terms.filter(term => !('otherwise' in term)),
    otherwise: terms.flatMap(term => itemsIn(term.otherwise).filter(isRecord)),
    channels: rule?.channels ?? ['in_app'],
    title: rule?.title ?? '',
    body: rule?.body ?? '',
    urgency: rule?.urgency === 'attention' ? 'attention' : 'info',
    include_actor: rule?.include_actor ?? false,
  }
}

/** A draft as the device stores it: the condition as the service writes it, because the ids of its lines are only those of one form. */
export type KeptDraft = Omit<Draft, 'when'> & { when: unknown }
export const keptDraft = (draft: Draft): KeptDraft => ({ ...draft, when: draft.when === null ? null : writeCondition(draft.when) })

/** Returns a draft that was stored on the device. */
export const draftKept = ({ when, ...rest }: KeptDraft): Draft => ({ ...rest, when: when === null ? null : readCondition(when) })

/** Returns a draft as the service accepts it. */
export function contentOf(draft: Draft) {
  const { when, otherwise, audience, name, title, ...rest } = draft
  return {
    ...rest,
    name: name.trim(),
    title: title.trim(),
    ...(when === null ? {} : { when: writeCondition(when) }),
    audience: otherwise.length === 0 ? audience : [...audience, { otherwise }],
  }
}
type Content = ReturnType<typeof contentOf>

/** Returns a draft's changes: unedited fields are not sent, so that they make no new version. */
export function changesOf(before: Draft, after: Draft): Partial<Content> {
  const [old, next] = [contentOf(before), contentOf(after)]
  const keys = keysOf(next)
  return Object.fromEntries(keys.filter(key => JSON.stringify(old[key]) !== JSON.stringify(next[key])).map(key => [key, next[key]]))
}

/** Returns whether a draft can be previewed: it is complete enough, and no line is incomplete. */
export function isTriable(draft: Draft, event: EventSchema | undefined): boolean {
  if (event === undefined || draft.audience.length + draft.otherwise.length === 0 || draft.title.trim() === '') return false
  if (draft.channels.length === 0) return false
  return draft.when === null || isComplete(draft.when, event.fields)
}

const sameTerm = (a: Term, b: Term): boolean => JSON.stringify(a) === JSON.stringify(b)
/** Returns the terms with one more; each occurs once. */
export const withTerm = (terms: readonly Term[], term: Term): Term[] =>
  terms.some(one => sameTerm(one, term)) ? [...terms] : [...terms, term]

/** Returns whether an event has what a term refers to. */
export function carries(event: EventSchema, term: Term): boolean {
  if ('gate' in term) return event.event_kind.startsWith('permit.')
  if ('named' in term) return event.identities.includes(String(term.named))
  const contractor = term.contractor ?? term.overseers_of
  return contractor === undefined || event.contractors.includes(String(contractor))
}

/** Returns the draft for another event: fields that this event lacks are removed, and a default title is replaced by the new event's. */
export function forEvent(draft: Draft, before: EventSchema | undefined, after: EventSchema): Draft {
  const suggested = draft.title === '' || (before !== undefined && draft.title === titleFor(before))
  return {
    ...draft,
    event_kind: after.event_kind,
    when: draft.when === null ? newGroup() : keptFor(draft.when, before?.fields ?? [], after.fields),
    audience: draft.audience.filter(term => carries(after, term)),
    otherwise: draft.otherwise.filter(term => carries(after, term)),
    title: suggested ? titleFor(after) : draft.title,
  }
}

/** Returns the default title of a rule on an event. */
export const titleFor = (event: EventSchema): string => `${event.label}: {{subject_label}}`

/** The recipients to choose from, in groups. */
export type TermChoices = { group: string; terms: Term[] }[]

const BANDS = ['stage1', 'stage2', 'coordinate', 'manage', 'administer', 'contribute', 'read'] as const

/** Lists all possible recipients of a rule on an event. */
export function termsFor(event: EventSchema, members: readonly { user_id: string }[]): TermChoices {
  // People in an event have roles: the description of each event lists them.
  const roles = event.fields.find(field => field.path === 'actor_role')?.values ?? []
  const gate = event.event_kind.startsWith('permit.') ? [{ gate: 'next' }] : []
  return [
    { group: t('rules.by_event'), terms: [...gate, ...event.identities.map(named => ({ named }))] },
    {
      group: t('rules.by_contractor'),
      terms: event.contractors.flatMap(contractor => [
        { contractor },
        { contractor, roles: ['contractor_hse'] },
        { overseers_of: contractor },
      ]),
    },
    { group: t('rules.by_role'), terms: roles.map(role => ({ role })) },
    { group: t('rules.by_right'), terms: BANDS.map(band => ({ band })) },
    { group: t('rules.by_name'), terms: members.map(({ user_id }) => ({ user_id })) },
  ].filter(choice => choice.terms.length > 0)
}

const plain = (word: string): string => word.replaceAll('_', ' ')

/** Returns a term in words; `nameOf` knows the members. */
export function termWords(term: Term, nameOf: (user_id: string) => string | undefined): string {
  if (typeof term.role === 'string') return t('rules.term.role', { role: tOf('role', term.role) })
  if (typeof term.band === 'string') return t('rules.term.band', { band: tOf('band', term.band) })
  if (term.gate !== undefined) return t('rules.term.gate')
  if (typeof term.named === 'string') {
    const word = `named.${term.named}`
    return t('rules.term.named', { part: hasWord(word) ? t(word) : plain(term.named) })
  }
  if (typeof term.user_id === 'string') return nameOf(term.user_id) ?? t('rules.term.gone')
  if (typeof term.overseers_of === 'string') return t('rules.term.overseers', { contractor: contractorWords(term.overseers_of) })
  if (typeof term.contractor === 'string') {
    const contractor = contractorWords(term.contractor)
    const roles = Array.isArray(term.roles) ? term.roles.map(role => tOf('role', String(role))).join(', ') : null
    return roles === null ? t('rules.term.contractor', { contractor }) : t('rules.term.contractor_roles', { contractor, roles })
  }
  return t('rules.term.other')
}

/** Sorts rules: the site's own by name, then the standard ones. */
export const inOrder = (rules: readonly Rule[]): Rule[] => [
  ...rules.filter(rule => rule.source === 'site').toSorted((a, b) => a.name.localeCompare(b.name)),
  ...rules.filter(rule => rule.source !== 'site'),
]

/** Groups events by area: those of permits first, because a site uses them most. */
export function eventGroups(events: readonly EventSchema[]): { area: string; events: EventSchema[] }[] {
  const groups = [...Map.groupBy(events, event => event.area)].map(([area, own]) => ({ area, events: own }))
  return groups.toSorted((a, b) => Number(b.area === 'permits') - Number(a.area === 'permits') || a.area.localeCompare(b.area))
}
