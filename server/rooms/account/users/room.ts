import { eventsOf } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { user } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'users',
  says: 'Names of the people who share, or have shared, a site with the caller.',
  routes,
  kinds: [user],
  events: eventsOf(
    'user',
    { user_id: 'Person', reason: 'Reason why email to the address is stopped' },
    {
      provisioned: 'A user was created',
      changed: 'A user’s details changed',
      email_suppressed: 'Email to an address was stopped',
      email_cleared: 'An address receives emails again',
    },
    { sometimes: ['reason'] },
  ),
})
