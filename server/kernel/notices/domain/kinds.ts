// The kinds of notification and the rules that send them: data that each room declares.
import type { Role } from '../../../base/actor.ts'
import { type Id, isId } from '../../../base/ids.ts'
import type { Band } from '../../access/domain.ts'

/** The channels on which a person is notified. */
export const CHANNELS = ['in_app', 'email', 'push'] as const
export type Channel = (typeof CHANNELS)[number]

/** How urgent something is (`messages.md` §0.6). */
export const URGENCIES = ['info', 'attention', 'critical'] as const
export type Urgency = (typeof URGENCIES)[number]

/** A kind of notification. */
export type NoticeKind = {
  kind: string
  /** Label in the matrix of preferences: "Permits waiting for endorsement". */
  label: string
  /** Heading of its group in the matrix. */
  group: string
  urgency: Urgency
  /** Channels that are on unless the person or the site changes them. */
  channels: readonly Channel[]
  /** Channels that nobody can switch off. */
  mandatory?: readonly Channel[]
  /** Title of one message with several of these notifications; contains `{{count}}`. */
  many: string
  /** Events of the same subject that make the notification pointless: what it asks for has been done, or there is nothing left to do. It is then marked as read, and not sent if it was delayed. */
  moot_after?: readonly string[]
  /** Kind of task about the same subject that asks for the same thing: once that is resolved, the notification is marked as read. */
  moot_task?: string
  /** How long a push message can wait for its device; default 24 hours. */
  ttl_seconds?: number
  /** Whether one that was delayed is also sent while its site is locked; all others wait until it is unlocked (`site-and-people.md` §0.3). */
  on_locked_site?: true
}

/** A term that selects recipients (`messages.md` §0.2). */
export type Term =
  | { role: Role }
  | { band: Band }
  | { gate: 'next' }
  | { named: string }
  | { contractor: string; roles?: readonly Role[] }
  | { overseers_of: string }
  | { user_id: Id }
  | { otherwise: readonly Term[] }

/** A rule's content, standard or written by a site. */
export type RuleContent = {
  name: string
  event_kind: string
  /** A condition on the subject `event:<kind>`. */
  when: unknown
  kind: string
  audience: readonly Term[]
  channels: readonly Channel[]
  title: string
  body: string
  urgency: Urgency
  include_actor: boolean
  enabled: boolean
}

/** A rule that is part of the product. */
export type ShippedRule = Omit<RuleContent, 'urgency' | 'include_actor' | 'enabled' | 'body' | 'when' | 'name'> & {
  /** Identifies the rule permanently, because several rules can send one kind. */
  key: string
  name?: string
  when?: unknown
  body?: string
  include_actor?: boolean
  enabled?: boolean
  /** Nobody can change the rule or switch it off: it is in the Events table of `permits.md`. */
  locked?: boolean
  /** Path in the app, with `{site_id}`, `{subject_id}` and fields of the event; null: the notification has no link. */
  link?: string | null
  /** True if it isn't a mistake in the set-up when the rule reaches nobody. */
  may_reach_nobody?: boolean
}

/** One version of a rule, as applied on a site. */
export type Rule = RuleContent & {
  id: Id
  number: number
  source: 'shipped' | 'site'
  locked: boolean
  link: string | null
  may_reach_nobody: boolean
  /** True if the site chose the channels; preferences then show `rule` as their source. */
  channels_chosen: boolean
  author_id: Id | null
}

/** Returns the key of preferences for a site's own rule. */
export const kindOfRule = (origin_id: Id): string => `rule:${origin_id}`
/** Returns the id of the rule of such a kind; null for every other text. */
export const ruleOfKind = (kind: string): Id | null => (kind.startsWith('rule:') && isId(kind.slice(5)) ? kind.slice(5) : null)
