import { defineRoom } from '../../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'diag',
  says: 'Settings for the app, and the app’s reports about faults and speed.',
  routes,
  schedules,
})
