import { eventsOf } from '../../../kernel/events/door.ts'
import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { seedShifts } from './actions.ts'
import { shift } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'shifts',
  says: 'Working hours of a site and of its contractors.',
  routes,
  kinds: [shift],
  events: eventsOf(
    'shift',
    { contractor_id: 'Contractor of the shift' },
    { created: 'A shift was added', ended: 'A shift was ended' },
    { contractors: { own: 'contractor_id' } },
  ),
  uses: [rowUse({ of: 'contractor', name: 'shifts', when: 'ever' }, 'shift', 'contractor_id')],
  site: { seeds: [{ area: 'shifts', keys: ['day'], run: seedShifts }] },
})
