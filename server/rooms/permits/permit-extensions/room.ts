import { defineRoom } from '../../../kernel/sockets/door.ts'
import { extension } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-extensions',
  says: 'Requests for a later end of a permit’s window.',
  routes,
  kinds: [extension],
})
