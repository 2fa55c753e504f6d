import { contractorWords } from '../../../../shared/contractors-of-events.ts'
import { listed } from '../../../../shared/text.ts'
import { conflict, type FieldFault, type Verdict } from '../../../base/errors.ts'
import { type Band, ROLE_WORDS } from '../../../kernel/access/domain.ts'
import { type EventKind, fieldsOf } from '../../../kernel/events/domain.ts'
import { isTerm, termFault } from '../../../kernel/notices/domain/audience.ts'
import type { RuleContent, Term } from '../../../kernel/notices/domain/kinds.ts'
import { ENVELOPE_WORDS, wordFault } from '../../../kernel/notices/domain/words.ts'

type Standing = { name: string; source: 'shipped' | 'site'; locked: boolean }

/** Decides whether a rule can be changed or switched. Fixed rules stay as they are. */
export const changing = ({ name, locked }: Standing): Verdict =>
  locked ? conflict('locked', `“${name}” is a fixed rule, so no one can change it or switch it off. Copy it, and change the copy.`) : null

/** Decides whether a rule can be deleted: only one of the site’s own. */
export const deleting = ({ name, source, locked }: Standing): Verdict =>
  source === 'site'
    ? null
    : conflict(
        'shipped',
        locked
          ? `“${name}” is a fixed rule, so it can’t be deleted or switched off.`
          : `“${name}” is a standard rule, so it can’t be deleted. Switch it off instead.`,
      )

/** Maximum number of a site's own rules. */
export const MOST_RULES = 200

/** Maximum number of smart groups that the condition of a rule can ask about: each event of its kind looks for its records in all of them. */
export const MOST_GROUPS = 20

/** A rule's content as a person wrote it: its recipients aren't checked yet. */
export type GivenContent = Omit<RuleContent, 'audience'> & { audience: readonly unknown[] }

/** Returns content without faults as content of a rule. */
export const ruled = <C extends Pick<GivenContent, 'audience'>>(content: C): Omit<C, 'audience'> & { audience: Term[] } => ({
  ...content,
  audience: content.audience.filter(isTerm),
})

/** Returns what is wrong with the recipients and texts of a rule on this event; the predicate language checks its condition. */
export function contentFaults(content: Pick<GivenContent, 'audience' | 'title' | 'body'>, event: EventKind): FieldFault[] {
  const faults: FieldFault[] = []
  const carried = {
    identities: Object.keys(event.identities ?? {}),
    contractors: Object.keys(event.contractors ?? {}),
    gate: event.kind.startsWith('permit.'),
  }
  content.audience.forEach((term, i) => {
    const fault = termFault(term, carried)
    if (fault !== null) faults.push({ path: `audience[${i}]`, message: fault })
  })
  const known = new Set([...Object.keys(fieldsOf(event)), ...Object.keys(ENVELOPE_WORDS)])
  for (const path of ['title', 'body'] as const) {
    const fault = wordFault(content[path], known)
    if (fault !== null) faults.push({ path, message: fault })
  }
  return faults
}

const BAND_WORDS: Record<Band, string> = {
  stage1: 'people who can endorse permits',
  stage2: 'people who can approve permits',
  read: 'everyone on the site',
  contribute: 'people who can create and edit their contractor’s records',
  coordinate: 'people who coordinate work',
  manage: 'people who manage the site',
  administer: 'people who administer the site',
}

/** People in an event, where the name of their part isn't a word of the trade. */
const PART_WORDS: Readonly<Record<string, string>> = {
  asker: 'person who made the request',
  inviter: 'person who sent the invitation',
  uploader: 'person who uploaded the file',
  person: 'person concerned',
}

/** Describes a recipient term in words. */
export function termWords(term: Term): string {
  const plain = (word: string) => word.replaceAll('_', ' ')
  // This role is an adjective: it needs a noun.
  if ('role' in term) return `every ${ROLE_WORDS[term.role]}${term.role === 'commercial' ? ' manager' : ''}`
  if ('band' in term) return BAND_WORDS[term.band]
  if ('gate' in term) return 'people who can take the next step'
  if ('named' in term) return `the ${PART_WORDS[term.named] ?? plain(term.named)}`
  if ('contractor' in term) return `people who work for ${contractorWords(term.contractor)}`
  if ('overseers_of' in term) return `people who work for the contractors that oversee ${contractorWords(term.overseers_of)}`
  if ('user_id' in term) return 'one member'
  return `if none of them can be notified, ${listed(term.otherwise.map(termWords))}`
}

/** Describes recipients, and those who are notified if there are no others. */
function audienceWords(audience: readonly Term[]): string {
  const [first, others] = [audience.filter(term => !('otherwise' in term)), audience.filter(term => 'otherwise' in term)]
  const said = listed(first.map(termWords))
  return others.length === 0 ? said : [said, ...others.map(termWords)].filter(words => words !== '').join(' or, ')
}

const CHANNEL_WORDS = { in_app: 'in the app', email: 'by email', push: 'by push notification' } as const

/** Verbs of events, which say what has happened, as a rule says them: what happens each time. */
const EACH_TIME: Readonly<Record<string, string>> = {
  was: 'is',
  were: 'are',
  became: 'becomes',
  joined: 'joins',
  bounced: 'bounces',
  lapsed: 'lapses',
  declared: 'declares',
  decided: 'decides',
  gave: 'gives',
  did: 'does',
  matched: 'matches',
  had: 'has',
}
const HAPPENED = new RegExp(`\\b(${Object.keys(EACH_TIME).join('|')})\\b`, 'g')

/** Describes a rule in a sentence; `clause` is its condition in words, or null. */
export function ruleWords(rule: Pick<RuleContent, 'audience' | 'channels'>, says: string, clause: string | null): string {
  const when = `${says.charAt(0).toLowerCase()}${says.slice(1)}`.replace(HAPPENED, verb => EACH_TIME[verb] ?? verb)
  const condition = clause === null ? '' : `, and ${clause}`
  return `When ${when}${condition}, notify ${audienceWords(rule.audience)}, ${listed(rule.channels.map(channel => CHANNEL_WORDS[channel]))}.`
}

/** Returns the description of a field as people read it who write a rule: what the API calls null is empty for them. */
export const fieldWords = (says: string): string => says.replace(/; null\b/, '; empty')

const WATCHED = ['name', 'event_kind', 'when', 'audience', 'channels', 'title', 'body', 'urgency', 'include_actor', 'enabled'] as const

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Returns what is checked of a rule that changes. Switching it off always works. Recipients are checked when they change or the rule is switched on, and with another
 * event, which may not have them: a person who has left the site doesn’t stop the change of anything else.
 */
export function checksOf(before: RuleContent, after: GivenContent): 'nothing' | 'all but recipients' | 'all' {
  const changed = WATCHED.filter(path => !same(before[path], after[path]))
  if (changed.every(path => path === 'enabled') && !after.enabled) return 'nothing'
  const all = (after.enabled && !before.enabled) || changed.some(path => path === 'audience' || path === 'event_kind')
  return all ? 'all' : 'all but recipients'
}

/** Describes what changed from one content to the next; empty if nothing did. */
export function changesOf(before: RuleContent, after: RuleContent): string[] {
  return WATCHED.flatMap(path => {
    if (same(before[path], after[path])) return []
    if (path === 'enabled') return [after.enabled ? 'switched on' : 'switched off']
    if (path === 'when') return ['condition changed']
    if (path === 'audience') return [`notifies ${audienceWords(after.audience)}`]
    if (path === 'channels') return [`is sent ${listed(after.channels.map(channel => CHANNEL_WORDS[channel]))}`]
    if (path === 'include_actor')
      return [
        after.include_actor ? 'now also notifies the person who caused the event' : 'no longer notifies the person who caused the event',
      ]
    return [`${path.replaceAll('_', ' ')}: “${before[path]}” is now “${after[path]}”`]
  })
}

/** Returns a name for a copy that no other rule has yet. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const base = `Copy of ${name}`.slice(0, 190)
  for (let n = 1; ; n++) {
    const tried = n === 1 ? base : `${base} (${n})`
    if (!taken.has(tried.normalize('NFC').toLowerCase())) return tried
  }
}
