import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'copies', says: 'One step back after a copy of days on the map.', routes })
