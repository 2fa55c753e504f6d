// The kinds of notification, and the rules that send them: data that each room declares.
import type { Role } from '../../../base/actor.ts'
import type { Id } from '../../../base/ids.ts'
import type { Band } from '../../access/domain.ts'

/** Ways by which a person hears of something. */
export const CHANNELS = ['in_app', 'email', 'push'] as const
export type Channel = (typeof CHANNELS)[number]

/** How much something presses (`messages.md` §0.6). */
export const URGENCIES = ['info', 'attention', 'critical'] as const
export type Urgency = (typeof URGENCIES)[number]

/** A kind of notification. */
export type NoticeKind = {
  kind: string
  /** For the matrix of preferences: "Permits that wait for endorsement". */
  label: string
  /** The heading that it is listed under there. */
  group: string
  urgency: Urgency
  /** Channels where neither the person nor the site says otherwise. */
  channels: readonly Channel[]
  /** Channels that nobody can switch off: what safety or law needs. */
  mandatory?: readonly Channel[]
  /** Title of one message that carries several of them, with `{{count}}`. */
  many: string
  /** Events of the same subject that make the notification pointless: checked when a message was delayed. */
  moot_after?: readonly string[]
  /** How long a push may wait for its device; default 24 hours. */
  ttl_seconds?: number
}

/** A term of an audience (`messages.md` §0.2). */
export type Term =
  | { role: Role }
  | { band: Band }
  | { gate: 'next' }
  | { named: string }
  | { contractor: string; roles?: readonly Role[] }
  | { overseers_of: string }
  | { user_id: Id }
  | { otherwise: readonly Term[] }

/** The content of a rule, shipped or written by a site. */
export type RuleContent = {
  name: string
  event_kind: string
  /** A condition on subject `event:<kind>`. */
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

/** A rule that comes with the product. */
export type ShippedRule = Omit<RuleContent, 'urgency' | 'include_actor' | 'enabled' | 'body' | 'when' | 'name'> & {
  /** Identifies it permanently: one kind can be made by several. */
  key: string
  name?: string
  when?: unknown
  body?: string
  include_actor?: boolean
  enabled?: boolean
  /** Nobody may change it, or switch it off: the Events table of `permits.md`. */
  locked?: boolean
  /** Web path, with `{site_id}` and `{subject_id}`; null: a click leads nowhere. */
  link?: string | null
  /** That it reaches nobody is no fault of set-up. */
  may_reach_nobody?: boolean
}

/** A rule as it is applied: on a site, in one version. */
export type Rule = RuleContent & {
  id: Id
  number: number
  source: 'shipped' | 'site'
  locked: boolean
  link: string | null
  may_reach_nobody: boolean
  /** The site said which channels: they are named as the source `rule`. */
  channels_chosen: boolean
  author_id: Id | null
}

/** The key of preferences for a site's own rule. */
export const kindOfRule = (origin_id: Id): string => `rule:${origin_id}`
/** The rule of such a kind; null for kinds of the registry. */
export const ruleOfKind = (kind: string): Id | null => (kind.startsWith('rule:') ? kind.slice(5) : null)
