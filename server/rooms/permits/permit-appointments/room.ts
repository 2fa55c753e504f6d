import { eventsOf } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { comesOrGoes } from './actions.ts'
import { appointment } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-appointments',
  says: 'Appointments of the people who can issue permits, by permit type.',
  routes,
  kinds: [appointment],
  comings: [comesOrGoes],
  events: eventsOf(
    'permit_appointment',
    { user_id: 'Person', permit_type_id: 'Permit type; null for all types' },
    { made: 'An issuer was appointed', revoked: 'An appointment was revoked' },
    { identities: { issuer: 'user_id' } },
  ),
})
