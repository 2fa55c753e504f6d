import type { Role } from '../../../base/actor.ts'
import type { Id } from '../../../base/ids.ts'
import type { PermitFacts } from './facts.ts'

/** Roles that act for their contractor, and see its permits. */
export const CONTRACTOR_ROLES: readonly Role[] = ['member', 'contractor_hse']
/** Roles that see what was ever issued. */
export const ONLOOKERS: readonly Role[] = ['viewer', 'client', 'commercial']

/** The caller, as far as seeing is concerned. */
export type Viewer = {
  id: Id | null
  is_superadmin: boolean
  /** In either review band. */
  in_band: boolean
  /** Acts for these contractors (member, contractor_hse); null among them: for the main contractor's own permits, which name none. */
  scope: ReadonlySet<Id | null>
  /** viewer, client, commercial: sees what was ever issued. */
  sees_issued: boolean
  is_nominee: boolean
  /** Codes that active appointments cover; null: all types. */
  appointed_codes: ReadonlySet<string> | null
}

/** What a permit shows of itself to this question. */
export type Seen = Pick<
  PermitFacts,
  'source' | 'requestor_id' | 'receiver_id' | 'contractor_id' | 'categories' | 'submitted_at' | 'endorsed_at' | 'approved_at' | 'issued_at'
>

/** A permit that was never submitted is its requestor's alone; withdrawn before submission it stays so. */
export const isPrivate = (permit: Pick<Seen, 'source' | 'submitted_at'>): boolean =>
  permit.source === 'requested' && permit.submitted_at === null

/** Who sees a permit (`permits.md` R10, `permits-decisions.md` §1). The SQL of the lists says the same. */
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
