import { eventsOf } from '../../kernel/events/door.ts'
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
    { invite_id: 'Invitation', role: 'Role that it gives', contractor_id: 'Firm', inviter_id: 'Who invited' },
    {
      sent: 'An invitation goes out by mail',
      bounced: 'The mail of an invitation came back',
      accepted: 'Somebody came by an invitation',
      revoked: 'An invitation was taken back',
    },
  ),
})
