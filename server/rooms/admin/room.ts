import { BANDS, held, superadminOnly } from '../../kernel/access/domain.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'admin',
  routes,
  schedules,
  permissions: {
    platform_operate: superadminOnly('Email, queues and background jobs of the installation'),
    job_view: held(BANDS.administer, 'Background jobs of your own site'),
  },
})
