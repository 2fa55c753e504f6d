import { ROLES } from '../../../base/actor.ts'
import { flag, flags, id, instant, integer, object, oneOf, optional, orNull, paging, shape, text } from '../../../base/schema.ts'

export const WHY_PENDING = ['approval', 'inviter', 'email_differs', 'email_unverified', 'unknown_firm'] as const
const role = (description: string) => oneOf(ROLES, description, { example: 'member' })

export const Membership = shape('Membership', 'A person’s membership of a site', {
  id: id('Membership'),
  site_id: id('Site'),
  user_id: id('Person'),
  role: role('Role'),
  contractor_id: orNull(id('Contractor; null for the main contractor')),
  status: oneOf(['pending', 'active', 'ended'], 'State'),
  why_pending: orNull(oneOf(WHY_PENDING, 'Reason why the membership is pending; null if it isn’t')),
  requested_contractor_name: orNull(text('Contractor name as the person entered it; null if they entered none', { max: 200 })),
  invite_id: orNull(id('Invitation that the person used; null if they used none')),
  approved_by: orNull(id('Person who approved the membership; null if no one did')),
  approved_at: orNull(instant('Time when the membership became active; null if it never did')),
  ended_at: orNull(instant('Time when the membership ended; null if it hasn’t')),
  ended_by: orNull(id('Person who ended the membership; null if it hasn’t ended')),
  permissions: optional(flags(['approve', 'end'])),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

export const PendingMembership = shape('PendingMembership', 'A pending membership', {
  id: id('Membership'),
  site_id: id('Site'),
  role: role('Requested role'),
  contractor_id: orNull(id('Contractor; null for the main contractor, or if the person entered a name')),
  requested_contractor_name: orNull(text('Contractor name as the person entered it; null if they entered none', { max: 200 })),
  user: object({
    id: id('Person'),
    name: text('Name', { max: 200 }),
    email: orNull(text('Email address; null if the identity provider has given none', { max: 320 })),
    email_verified: flag('Whether the address is verified'),
  }),
  invite: orNull(
    object(
      {
        label: orNull(text('Label of the link; null if it has none', { max: 200 })),
        kind: oneOf(['email', 'link'], 'Kind'),
        invited_by: orNull(text('Name of the person who created the invitation; null if unknown', { max: 200 })),
      },
      'Invitation that the person used; null if they used none',
    ),
  ),
  why: oneOf(WHY_PENDING, 'Reason why the membership is pending'),
  waiting_days: integer('Number of full days since the request'),
  permissions: flags(['approve', 'end']),
  created_at: instant('Time of the request'),
  version: integer('Version'),
})
export const PendingQuery = object({ ...paging })

export const ApproveMembership = shape('ApproveMembership', 'Role and contractor of a membership', {
  role: optional(role('Role; default: the requested or current role')),
  contractor_id: optional(orNull(id('Contractor; null for the main contractor; default: unchanged'))),
  create_contractor: optional(
    flag('Whether to use the contractor name that the person entered; a contractor that doesn’t exist yet is created'),
  ),
})
