import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'health', says: 'Whether the service is alive, ready and healthy.', routes })
