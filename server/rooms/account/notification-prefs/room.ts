import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'notification-prefs', says: 'Which notifications a person gets, how and when.', routes })
