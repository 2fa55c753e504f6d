import { BANDS, held, superadminOnly } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'admin',
  says: 'Running the installation: job runs, queues, bounced emails.',
  routes,
  schedules,
  permissions: {
    platform_operate: superadminOnly('See the installation’s queues, background jobs, connections and logs, and manage its email'),
    job_view: held(BANDS.administer, 'See the background jobs of your own site'),
  },
})
