import { isOneOf } from '../../../../shared/narrow.ts'
import type { Role } from '../../../base/actor.ts'
import { forbidden, guard, invalidField, type Verdict, wrongStep } from '../../../base/errors.ts'
import { BANDS, RANK, ROLE_WORDS } from '../../../kernel/access/domain.ts'

/** The facts behind approving a request, changing terms, and ending a membership. */
export type Facts = {
  status: 'pending' | 'active' | 'ended'
  role: Role
  /** Null for a superadmin who isn't a member of the site. */
  approver_role: Role | null
  approver_is_superadmin: boolean
  own: boolean
  manages: boolean
  /** Other active members who can manage members. */
  other_administrators: number
}

const administers = (role: Role) => isOneOf(BANDS.administer, role)

const rankOf = (facts: Facts) =>
  facts.approver_is_superadmin ? Number.POSITIVE_INFINITY : facts.approver_role === null ? -1 : RANK[facts.approver_role]

const outranked = (facts: Facts, role: Role): Verdict =>
  RANK[role] > rankOf(facts)
    ? forbidden('member_manage', `The role “${ROLE_WORDS[role]}” is above yours. Ask someone with at least that role.`, [
        { code: 'rank', detail: role },
      ])
    : null

const lastAdministrator = (facts: Facts, stays: boolean): Verdict =>
  facts.status === 'active' && administers(facts.role) && !stays && facts.other_administrators === 0
    ? guard(
        'not_last_administrator',
        'This is the last person who can manage members. Make someone else a site manager or administrator first.',
      )
    : null

/**
 * Decides whether a person can approve a pending membership with this role, or change an active one: never above their own rank, and only a superadmin can
 * raise their own role.
 */
export function admitting(facts: Facts, role: Role): Verdict[] {
  if (facts.status === 'ended') return [wrongStep(facts.status, [], 'This membership has ended. Invite the person again.')]
  const own =
    facts.own && RANK[role] > RANK[facts.role] && !facts.approver_is_superadmin
      ? forbidden('member_manage', 'You can’t give yourself a higher role. Ask an administrator.', [{ code: 'rank', detail: role }])
      : null
  return [outranked(facts, facts.role), outranked(facts, role), own, lastAdministrator(facts, administers(role))]
}

/** Decides whether a person can do that with this contractor. */
export const approving = (facts: Facts, role: Role, contractor_id: string | null): Verdict[] => [
  ...admitting(facts, role),
  role === 'contractor_hse' && contractor_id === null
    ? invalidField('contractor_id', 'is required: a contractor’s H&S person belongs to a contractor.')
    : null,
]

/** Decides whether a pending or active membership can be ended: by a person who manages members (rank as above), or by the member. */
export function ending(facts: Facts): Verdict[] {
  if (facts.status === 'ended') return [wrongStep(facts.status, [], 'This membership has already ended, so there is nothing left to end.')]
  if (facts.own) return [lastAdministrator(facts, false)]
  return [facts.manages ? null : forbidden('member_manage'), outranked(facts, facts.role), lastAdministrator(facts, false)]
}
