// Permissions by name. Roles are compared nowhere else: each room lists its permissions, and all code asks for them by name (conventions §2).
import type { Actor, Role, Standing } from '../../base/actor.ts'
import { ROLES } from '../../base/actor.ts'
import { type Because, explain, forbidden, lacksWords, siteLocked, type Verdict } from '../../base/errors.ts'
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

/** The roles in words: “administrator”. */
export const ROLE_WORDS: Record<Role, string> = {
  admin: 'administrator',
  site_manager: 'site manager',
  coordinator: 'coordinator',
  hse: 'H&S person',
  member: 'member',
  viewer: 'viewer',
  client: 'client',
  commercial: 'commercial',
  contractor_hse: 'contractor’s H&S person',
}

/** Bands of conventions §2: sets of roles that rooms grant permissions to. */
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

/** The settings of the installation that permissions depend on. */
export type Installation = { site_creation: 'superadmin' | 'anyone' }

/** The roles that have a permission on a site. `platform` permissions are checked for calls outside any site. */
export type Holder = {
  /** What the permission is for. */
  says: string
  roles: readonly Role[]
  /** Whether every signed-in user has the permission under these settings. */
  everyone?: (installation: Installation) => boolean
}

/** Makes a permission that these roles have. Superadmins have every permission. */
export const held = (roles: readonly Role[], says: string): Holder => ({ roles, says })
/** Makes a permission that only superadmins have. */
export const superadminOnly = (says: string): Holder => ({ roles: [], says })

/** The facts about a user that their permissions depend on. */
export type Person = { id: Id; name: string; is_superadmin: boolean }

/** Makes the actor for a person, whose permissions come from this table. */
export function actorOf(
  person: Person,
  standing: Standing | null,
  permissions: ReadonlyMap<string, Holder>,
  installation: Installation,
): Actor {
  const lacks = (permission: string): Verdict => {
    const holder = permissions.get(permission)
    if (holder === undefined) throw new Error(`No room defines the permission ${permission}.`)
    if (person.is_superadmin) return null
    if (holder.everyone?.(installation)) return null
    return standing?.role != null && holder.roles.includes(standing.role) ? null : forbidden(permission, lacksWords(holder.says))
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

/** Returns the initials of a name: the first letters of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/).filter(w => /[\p{L}\p{N}]/u.test(w))
  const first = words[0] ?? '?'
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (firstLetter(first) + firstLetter(last)).toLocaleUpperCase('en')
}

const firstLetter = (word: string) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? ''

/** A direct oversight pair: `overseer` engaged `subordinate` (`site-and-people.md` §6). */
export type Oversight = { overseer_id: Id; subordinate_id: Id }

const DEEPEST_CHAIN = 8

/** Returns the contractor that a person works for: a member without one is of the main contractor (`site-and-people.md` §2). */
export const workingFor = (
  { role, contractor_id }: { role: string | null; contractor_id: Id | null },
  main_contractor_id: Id | null,
): Id | null => contractor_id ?? (role === 'member' ? main_contractor_id : null)

/**
 * Returns the contractors that a member of this contractor acts for: their own and those it oversees, through chains (to depth 8) if the site allows
 * it. For derived pairs, `via` lists the contractors in between.
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

/**
 * Returns whether a record belongs to what a person acts for: to one of these contractors, or to none, if they created it. Who created a record for a contractor that they have left doesn't
 * act for it any longer (decision 1114).
 */
export const isOwnRecord = (
  { contractor_id, created_by }: { contractor_id?: Id | null; created_by: Id | null },
  user_id: Id | null,
  scope: ReadonlySet<Id>,
): boolean => (contractor_id == null ? user_id !== null && created_by === user_id : scope.has(contractor_id))

/** Returns the refusal of every write that isn't exempt from the lock of the caller's site; null if the site isn't locked. */
export const lockOn = ({ standing }: Pick<Actor, 'standing'>): Verdict => (standing?.lock == null ? null : siteLocked(standing.lock))

/**
 * Returns the `permissions` of a record on the caller's site. On a locked site it refuses every action except those in `passes`, as the calls do
 * (`site-and-people.md` §0.3), so that a flag and its call never disagree.
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

/** Returns `permissions` as the API shows them: `{action: {allowed, because}}` and, for each, the plain boolean `can_<action>` (conventions §2). */
export function shownFlags(flags: Record<string, { allowed: boolean; because: Because[] }>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const action in flags) {
    out[action] = flags[action]
    out[`can_${action}`] = flags[action]?.allowed
  }
  return out
}
