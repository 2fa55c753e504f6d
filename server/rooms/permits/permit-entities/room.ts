import { defineRoom } from '../../../kernel/sockets/door.ts'
import { keeper } from './actions.ts'
import { permitEntity } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-entities',
  area: 'permits',
  says: 'Which work on the map a permit covers.',
  routes,
  kinds: [permitEntity],
  coverage: keeper,
  schedules,
})
