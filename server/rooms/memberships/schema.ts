import { ROLES } from '../../base/actor.ts'
import { flag, flags, id, instant, integer, object, oneOf, optional, orNull, paging, shape, text } from '../../base/schema.ts'

export const WHY_PENDING = ['approval', 'inviter', 'email_differs', 'email_unverified', 'unknown_firm'] as const
const role = (description: string) => oneOf(ROLES, description, { example: 'member' })

export const Membership = shape('Membership', 'A person’s place on a site', {
  id: id('Membership'),
  site_id: id('Site'),
  user_id: id('Person'),
  role: role('Role'),
  contractor_id: orNull(id('Firm; null: the main contractor’s own')),
  status: oneOf(['pending', 'active', 'ended'], 'State'),
  why_pending: orNull(oneOf(WHY_PENDING, 'Why it waits')),
  requested_contractor_name: orNull(text('Firm as the person typed it', { max: 200 })),
  invite_id: orNull(id('Invitation it came by')),
  approved_by: orNull(id('Who let the person in')),
  approved_at: orNull(instant('When')),
  ended_at: orNull(instant('When it ended')),
  ended_by: orNull(id('Who ended it')),
  permissions: optional(flags(['approve', 'end'])),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
})

export const PendingMembership = shape('PendingMembership', 'Somebody who waits at the gate', {
  id: id('Membership'),
  site_id: id('Site'),
  role: role('Role that was asked for'),
  contractor_id: orNull(id('Firm')),
  requested_contractor_name: orNull(text('Firm as the person typed it', { max: 200 })),
  user: object({
    id: id('Person'),
    name: text('Name', { max: 200 }),
    email: orNull(text('Address', { max: 320 })),
    email_verified: flag('Whether the address is proven'),
  }),
  invite: orNull(
    object({
      label: orNull(text('Label of the link', { max: 200 })),
      kind: oneOf(['email', 'link'], 'Kind'),
      invited_by: orNull(text('Who invited', { max: 200 })),
    }),
  ),
  why: oneOf(WHY_PENDING, 'Why it waits'),
  waiting_days: integer('Whole days that it waits'),
  created_at: instant('Since when'),
  version: integer('Version'),
})
export const PendingQuery = object({ ...paging })

export const ApproveMembership = shape('ApproveMembership', 'Terms of a membership', {
  role: optional(role('Role; left out: as asked, or as it is')),
  contractor_id: optional(orNull(id('Firm; left out: as it is'))),
  create_contractor: optional(flag('Make the firm that the person typed, and link it')),
})
