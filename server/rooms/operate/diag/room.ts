import { defineRoom } from '../../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'diag',
  says: 'Settings for the app, and reports from it about faults and speed.',
  routes,
  schedules,
})
