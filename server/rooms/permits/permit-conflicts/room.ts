import { defineRoom } from '../../../kernel/sockets/door.ts'
import { conflictTeller } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-conflicts',
  area: 'permits',
  says: 'Which permits conflict with each other, and what a change would do about it.',
  routes,
  consumers: [conflictTeller],
})
