import type { Instant } from '../../shared/time.ts'
import type { Verdict } from './errors.ts'
import type { Id } from './ids.ts'

/** The nine roles of a site membership (`permits.md`). */
export const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const
export type Role = (typeof ROLES)[number]

/** The lock of a site (`site-and-people.md` §0.3). */
export type SiteLock = { locked_at: Instant | null; locked_by_name: string | null; lock_reason: string | null }

/** A person's current membership of one site. A superadmin can act on a site without one (`role` null). */
export type Standing = {
  site_id: Id
  membership_id: Id | null
  role: Role | null
  contractor_id: Id | null
  /** Site time zone, for reads without a transaction. */
  timezone: string
  /** Who locked the site, when and why; null while it isn't locked. On a locked site, flags give the same result as calls. */
  lock: SiteLock | null
  /** For a request: number of the site’s last event when it began. What the request reads is at least as new. */
  event_no?: number
  /** For a request: number of the site’s facts when it began (`whileSettled`). It grows when settings change, and not with permits. */
  facts_no?: number
  /** For a request: how many entries the site’s history had when it began. It grows with every change. */
  entries?: number
  /** For a request: revision of the site’s map when it began. It grows with every change of a layer of the map. */
  map_revision?: number
}

/**
 * The person or process that acts: a user, a background job, an import, the bearer of a link, or an anonymous caller. Permissions are read again on
 * each request.
 */
export type Actor = {
  kind: 'user' | 'job' | 'import' | 'link' | 'nobody'
  /** The user's id; null when the actor isn't a person. */
  id: Id | null
  name: string
  is_superadmin: boolean
  /** The membership of the site of this request; null if there is none. */
  standing: Standing | null
  /** Returns the refusal if the actor doesn't have the permission on the site of this request, otherwise null. A superadmin has every permission. */
  lacks(permission: string): Verdict
  /** Returns whether the actor has the permission. */
  can(permission: string): boolean
  /** When the token says that it was issued; null when the actor isn't a person. */
  token_issued_at?: Instant | null
  /** For the built-in provider: the sign-in that the token came from, so that the person can end all others. */
  session_family?: string | null
}

const nothing: Pick<Actor, 'lacks' | 'can'> = {
  lacks: permission => ({
    status: 403,
    code: 'forbidden',
    detail: 'This needs a permission. Sign in with an account that has it.',
    context: { permission },
  }),
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
