import { defineRoom } from '../../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'push', says: 'Devices that get push notifications.', routes, schedules })
