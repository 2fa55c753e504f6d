import { ROLES } from '../../../base/actor.ts'
import { flag, flags, id, instant, integer, object, oneOf, optional, orNull, paging, shape, text } from '../../../base/schema.ts'

export const WHY_PENDING = ['approval', 'inviter', 'email_differs', 'email_unverified', 'unknown_firm'] as const
const role = (description: string) => oneOf(ROLES, description, { example: 'member' })

export const Membership = shape('Membership', 'A membership of a person on a site', {
  id: id('Membership'),
  site_id: id('Site'),
  user_id: id('Person'),
  role: role('Role'),
  contractor_id: orNull(id('Contractor; null for the main contractor')),
  status: oneOf(['pending', 'active', 'ended'], 'State'),
  why_pending: orNull(oneOf(WHY_PENDING, 'Reason why the membership is pending')),
  requested_contractor_name: orNull(text('Contractor name as the person entered it', { max: 200 })),
  invite_id: orNull(id('Invitation that the person used')),
  approved_by: orNull(id('Person who approved the membership')),
  approved_at: orNull(instant('Time of the approval')),
  ended_at: orNull(instant('End time')),
  ended_by: orNull(id('Person who ended the membership')),
  permissions: optional(flags(['approve', 'end'])),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

export const PendingMembership = shape('PendingMembership', 'A pending membership', {
  id: id('Membership'),
  site_id: id('Site'),
  role: role('Requested role'),
  contractor_id: orNull(id('Contractor; null if the membership has none')),
  requested_contractor_name: orNull(text('Contractor name as the person entered it', { max: 200 })),
  user: object({
    id: id('Person'),
    name: text('Name', { max: 200 }),
    email: orNull(text('Email address', { max: 320 })),
    email_verified: flag('Whether the address is verified'),
  }),
  invite: orNull(
    object({
      label: orNull(text('Link label', { max: 200 })),
      kind: oneOf(['email', 'link'], 'Kind'),
      invited_by: orNull(text('Person who sent the invitation', { max: 200 })),
    }),
  ),
  why: oneOf(WHY_PENDING, 'Reason why the membership is pending'),
  waiting_days: integer('Full days that the request has been waiting'),
  created_at: instant('Time of the request'),
  version: integer('Version'),
})
export const PendingQuery = object({ ...paging })

export const ApproveMembership = shape('ApproveMembership', 'Role and contractor of a membership', {
  role: optional(role('Role; default: the requested or current one')),
  contractor_id: optional(orNull(id('Contractor; default: unchanged'))),
  create_contractor: optional(flag('Whether to create the contractor that the person entered, and link it')),
})
