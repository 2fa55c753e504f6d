import type { Role } from '../../../../base/actor.ts'
import type { Id } from '../../../../base/ids.ts'
import type { PermitFacts } from './facts.ts'

/** Roles that act for their contractor, and see its permits. */
export const CONTRACTOR_ROLES: readonly Role[] = ['member', 'contractor_hse']
/** Roles that see every permit that was ever issued. */
export const ONLOOKERS: readonly Role[] = ['viewer', 'client', 'commercial']

/** The facts about the caller that decide what they see. */
export type Viewer = {
  id: Id | null
  is_superadmin: boolean
  /** Whether the caller is in either review band. */
  in_band: boolean
  /**
   * The contractors that the caller acts for (member, contractor_hse); null among them means the main contractor's own permits, which have no
   * contractor.
   */
  scope: ReadonlySet<Id | null>
  /** Whether the caller sees every permit that was ever issued (viewer, client, commercial). */
  sees_issued: boolean
  is_nominee: boolean
  /** Codes that active appointments cover; null means all types. */
  appointed_codes: ReadonlySet<string> | null
}

/** The columns of a permit that decide who sees it. */
export const SIGHT = [
  ...(['source', 'requestor_id', 'receiver_id', 'contractor_id', 'categories'] as const),
  ...(['submitted_at', 'endorsed_at', 'approved_at', 'issued_at'] as const),
] as const
/** The parts of a permit that decide who sees it. */
export type Seen = Pick<PermitFacts, (typeof SIGHT)[number]>

/** Returns whether a permit is private: one that was never submitted belongs to its requestor alone, even once it is withdrawn. */
export const isPrivate = (permit: Pick<Seen, 'source' | 'submitted_at'>): boolean =>
  permit.source === 'requested' && permit.submitted_at === null

/** Returns whether a caller sees a permit (`permits.md` R10, `permits-decisions.md` §1). The SQL of the lists has the same rule. */
export function seesPermit(permit: Seen, viewer: Viewer): boolean {
  if (viewer.is_superadmin) return true
  if (viewer.id !== null && permit.requestor_id === viewer.id) return true
  if (isPrivate(permit)) return false
  if (viewer.in_band) return true
  if (viewer.id !== null && permit.receiver_id === viewer.id) return true
  if (viewer.scope.has(permit.contractor_id)) return true
  if (viewer.sees_issued && permit.issued_at !== null) return true
  if (viewer.is_nominee && (permit.endorsed_at !== null || permit.approved_at !== null)) return true
  if (permit.approved_at === null) return false
  return viewer.appointed_codes === null || permit.categories.some(code => viewer.appointed_codes?.has(code))
}
