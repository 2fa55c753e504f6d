import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'audit',
  routes,
  schedules,
  permissions: {
    audit_view: held(BANDS.coordinate, 'The trail of the site; others see the history of records that they may read'),
    audit_revert_old: held(BANDS.manage, 'Put back what is older than 30 days'),
  },
  events: eventsOf(
    'audit',
    { seq: 'First entry that does not fit', what: 'What is wrong with it', detail: 'The same in words' },
    { chain_broken: 'The audit trail of a site was altered' },
  ),
})
