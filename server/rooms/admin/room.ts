import { BANDS, held, superadminOnly } from '../../kernel/access/domain.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'admin',
  routes,
  schedules,
  permissions: {
    platform_operate: superadminOnly('Mail, queues and background work of the installation'),
    job_view: held(BANDS.administer, 'Background work of the own site'),
  },
})
