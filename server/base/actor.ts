import type { Instant } from '../../shared/time.ts'
import type { Verdict } from './errors.ts'
import type { Id } from './ids.ts'

/** The nine roles of a site membership (`permits.md`). */
export const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const
export type Role = (typeof ROLES)[number]

/** The lock of a site (`site-and-people.md` §0.3). */
export type SiteLock = { locked_at: Instant | null; locked_by_name: string | null; lock_reason: string | null }

/** What a person is on one site: their current membership. A superadmin can act on a site without one (`role` null). */
export type Standing = {
  site_id: Id
  membership_id: Id | null
  role: Role | null
  contractor_id: Id | null
  /** Of the site, for what is read without a transaction. */
  timezone: string
  /** Who locked the site, when and why; null while it is open. Flags say of a locked site what calls answer. */
  lock: SiteLock | null
  /** For a request: number of the site’s last event when it began. What it reads is no older. */
  event_no?: number
}

/**
 * The person or process that acts: a user, a background job, an import, the bearer of a link, or an anonymous caller. Rights are read again on each
 * request.
 */
export type Actor = {
  kind: 'user' | 'job' | 'import' | 'link' | 'nobody'
  /** The user's id; null when the actor isn't a person. */
  id: Id | null
  name: string
  is_superadmin: boolean
  /** On the site of this request; null where there is none. */
  standing: Standing | null
  /** Null when the permission is held on the site of this request, else the refusal. A superadmin passes. */
  lacks(permission: string): Verdict
  /** Whether the permission is held. */
  can(permission: string): boolean
  /** When the token says that it was issued; null when the actor isn't a person. */
  token_issued_at?: Instant | null
  /** Of the built-in provider: the sign-in that the token came from, so that its person can end all others. */
  session_family?: string | null
}

const nothing: Pick<Actor, 'lacks' | 'can'> = {
  lacks: permission => ({ status: 403, code: 'forbidden', detail: `This needs ${permission}.`, context: { permission } }),
  can: () => false,
}

/** A caller without a token. */
export const NOBODY: Actor = { kind: 'nobody', id: null, name: 'nobody', is_superadmin: false, standing: null, ...nothing }

/** A background job. It has every permission: what it does is limited by its code. */
export const jobActor = (name: string): Actor => ({
  kind: 'job',
  id: null,
  name,
  is_superadmin: false,
  standing: null,
  lacks: () => null,
  can: () => true,
})

/** The holder of an invitation or capture link, who has no account yet. */
export const linkActor = (name: string): Actor => ({ kind: 'link', id: null, name, is_superadmin: false, standing: null, ...nothing })
