import { ROLES } from '../../base/actor.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { opensFirms } from './actions/come.ts'
import { invite, inviteUse } from './door.ts'
import { mails } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'invitations',
  routes,
  kinds: [invite, inviteUse],
  mails,
  links: [{ kind: 'invite', find: opensFirms }],
  events: eventsOf(
    'invite',
    {
      invite_id: 'Invitation',
      role: field.text('Role that it gives', ROLES),
      contractor_id: 'Firm',
      inviter_id: 'Who invited',
      user_id: 'Who came',
      membership_id: 'The place that was taken',
      status: 'How that stands',
    },
    {
      sent: 'An invitation goes out by mail',
      bounced: 'The mail of an invitation came back',
      accepted: 'Somebody came by an invitation',
      revoked: 'An invitation was taken back',
    },
    { identities: { inviter: 'inviter_id' }, contractors: { own: 'contractor_id' }, sometimes: ['user_id', 'membership_id', 'status'] },
  ),
  notices: {
    kinds: [
      {
        kind: 'invite_trouble',
        label: 'Invitations that came back',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} invitations came back',
      },
    ],
    rules: [
      {
        key: 'invite_trouble',
        event_kind: 'invite.bounced',
        kind: 'invite_trouble',
        audience: [{ named: 'inviter' }],
        channels: ['in_app'],
        title: 'An invitation could not be delivered',
        body: 'The mail of {{subject_label}} came back. Check the address, and send it again.',
        link: '/sites/{site_id}/members',
        may_reach_nobody: true,
      },
    ],
  },
})
