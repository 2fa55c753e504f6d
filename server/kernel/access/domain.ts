// Rights by name. Roles are compared nowhere else: an area lists its permissions, and everyone asks for them by name (conventions §2).
import type { Actor, Role, Standing } from '../../base/actor.ts'
import { ROLES } from '../../base/actor.ts'
import { type Because, explain, forbidden, siteLocked, type Verdict } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'

/** Ranks of the roles (`permits.md`, Roles and ranks). */
export const RANK: Record<Role, number> = {
  admin: 4,
  site_manager: 3,
  coordinator: 2,
  hse: 2,
  member: 1,
  viewer: 0,
  client: 0,
  commercial: 0,
  contractor_hse: 0,
}

/** Bands of conventions §2: sets of roles that areas hand rights to. */
export const BANDS = {
  read: ROLES,
  contribute: ['member', 'contractor_hse', 'coordinator', 'hse', 'site_manager', 'admin'],
  coordinate: ['coordinator', 'hse', 'site_manager', 'admin'],
  manage: ['hse', 'site_manager', 'admin'],
  administer: ['admin', 'site_manager'],
  /** `messages.md` §0.2. */
  stage1: ['coordinator', 'hse', 'site_manager', 'admin'],
  stage2: ['hse', 'site_manager', 'admin'],
} as const satisfies Record<string, readonly Role[]>
export type Band = keyof typeof BANDS

/** What of the installation's settings decides about rights. */
export type Installation = { site_creation: 'superadmin' | 'anyone' }

/** Which roles have a permission on a site. `platform` permissions are checked where there is no site. */
export type Holder = {
  /** What it is for. */
  says: string
  roles: readonly Role[]
  /** Held by everyone who is signed in, when the installation says so. */
  everyone?: (installation: Installation) => boolean
}

/** Held by these roles, and by a superadmin as everything is. */
export const held = (roles: readonly Role[], says: string): Holder => ({ roles, says })
/** Held by superadmins alone. */
export const superadminOnly = (says: string): Holder => ({ roles: [], says })

/** A user, as far as their rights are concerned. */
export type Person = { id: Id; name: string; is_superadmin: boolean }

/** An actor whose rights come from this table of permissions. */
export function actorOf(
  person: Person,
  standing: Standing | null,
  permissions: ReadonlyMap<string, Holder>,
  installation: Installation,
): Actor {
  const lacks = (permission: string): Verdict => {
    const holder = permissions.get(permission)
    if (holder === undefined) throw new Error(`No room knows the permission ${permission}.`)
    if (person.is_superadmin) return null
    if (holder.everyone?.(installation)) return null
    return standing?.role != null && holder.roles.includes(standing.role) ? null : forbidden(permission)
  }
  return {
    kind: 'user',
    id: person.id,
    name: person.name,
    is_superadmin: person.is_superadmin,
    standing,
    lacks,
    can: p => lacks(p) === null,
  }
}

/** Initials for a name: first letters of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/).filter(w => /[\p{L}\p{N}]/u.test(w))
  const first = words[0] ?? '?'
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (firstLetter(first) + firstLetter(last)).toLocaleUpperCase('en')
}

const firstLetter = (word: string) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? ''

/** A direct pair: `overseer` engaged `subordinate` (`site-and-people.md` §6). */
export type Oversight = { overseer_id: Id; subordinate_id: Id }

const DEEPEST_CHAIN = 8

/**
 * The contractors that a member of this contractor acts for: their own, and those it oversees; through chains (to depth 8) where the site allows it.
 * `via` lists the contractors between, for derived pairs.
 */
export function scopeOf(contractor_id: Id, pairs: readonly Oversight[], transitive: boolean): Map<Id, { via: Id[] }> {
  const scope = new Map<Id, { via: Id[] }>([[contractor_id, { via: [] }]])
  let frontier: { id: Id; via: Id[] }[] = [{ id: contractor_id, via: [] }]
  for (let depth = 1; depth <= (transitive ? DEEPEST_CHAIN : 1) && frontier.length > 0; depth++) {
    const next: { id: Id; via: Id[] }[] = []
    for (const { id, via } of frontier) {
      for (const pair of pairs) {
        if (pair.overseer_id !== id || scope.has(pair.subordinate_id)) continue
        const path = id === contractor_id ? via : [...via, id]
        scope.set(pair.subordinate_id, { via: path })
        next.push({ id: pair.subordinate_id, via: path })
      }
    }
    frontier = next
  }
  return scope
}

const NO_REASON: Because[] = []

/** What the lock of the caller's site refuses every write with that does not pass it; null while the site is open. */
export const lockOn = ({ standing }: Pick<Actor, 'standing'>): Verdict => (standing?.lock == null ? null : siteLocked(standing.lock))

/**
 * `permissions` of a record on the caller's site: a locked site refuses all but what `passes`, as its calls do (`site-and-people.md` §0.3), so that
 * flag and call never disagree.
 */
export function flagsFor(
  actor: Pick<Actor, 'standing'>,
  flags: Record<string, { allowed: boolean; because: Because[] }>,
  passes: readonly string[] = [],
): Record<string, unknown> {
  const { because } = explain([lockOn(actor)])
  if (because.length === 0) return shownFlags(flags)
  return shownFlags(
    Object.fromEntries(
      Object.entries(flags).map(([action, flag]) => [
        action,
        passes.includes(action) ? flag : { allowed: false, because: [...flag.because, ...because] },
      ]),
    ),
  )
}

/**
 * `permissions` as the wire shows them: `{action: {allowed, because}}` and, beside each, the plain boolean `can_<action>` (conventions §2).
 * Long lists may leave the reasons out.
 */
export function shownFlags(flags: Record<string, { allowed: boolean; because: Because[] }>, reasons = true): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [action, flag] of Object.entries(flags)) {
    out[action] = reasons ? flag : { allowed: flag.allowed, because: NO_REASON }
    out[`can_${action}`] = flag.allowed
  }
  return out
}
