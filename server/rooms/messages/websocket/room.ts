import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'websocket', says: 'Live updates over a WebSocket.', routes })
