import { ROLES } from '../../../base/actor.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { opensContractors } from './actions/come.ts'
import { invite, inviteUse } from './door.ts'
import { mails } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'invitations',
  says: 'Invitations by link or email, and accepting an invitation.',
  routes,
  kinds: [invite, inviteUse],
  mails,
  uses: [rowUse({ of: 'contractor', name: 'invitations', when: 'ever' }, 'invite', 'contractor_id')],
  links: [{ kind: 'invite', find: opensContractors }],
  events: eventsOf(
    'invite',
    {
      invite_id: 'Invitation',
      role: field.text('Role given by the invitation', ROLES),
      contractor_id: 'Contractor',
      inviter_id: 'Person who sent the invitation',
      user_id: 'Person who joined',
      membership_id: 'Membership',
      status: 'Membership state',
    },
    {
      sent: 'An invitation was sent',
      bounced: 'An invitation email bounced',
      accepted: 'Someone joined through an invitation',
      revoked: 'An invitation was revoked',
    },
    { identities: { inviter: 'inviter_id' }, contractors: { own: 'contractor_id' }, sometimes: ['user_id', 'membership_id', 'status'] },
  ),
  notices: {
    kinds: [
      {
        kind: 'invite_trouble',
        label: 'Invitations that bounced',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} invitations bounced',
        moot_after: ['invite.accepted', 'invite.revoked'],
      },
    ],
    rules: [
      {
        key: 'invite_trouble',
        event_kind: 'invite.bounced',
        kind: 'invite_trouble',
        audience: [{ named: 'inviter' }],
        channels: ['in_app'],
        title: 'An invitation couldn’t be delivered',
        body: 'The email with an invitation bounced. Check the address, and send a new invitation.',
        link: '/sites/{site_id}/members',
        may_reach_nobody: true,
      },
    ],
  },
})
