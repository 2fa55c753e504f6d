import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { user } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'users',
  routes,
  kinds: [user],
  events: eventsOf(
    'user',
    { user_id: 'Person', reason: 'Why its mails come back' },
    {
      provisioned: 'Somebody was here for the first time',
      changed: 'The provider says something new of a person',
      email_suppressed: 'Mails to an address come back',
      email_cleared: 'An address gets mails again',
    },
    { sometimes: ['reason'] },
  ),
})
