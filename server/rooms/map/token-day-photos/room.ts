import { ROLES } from '../../../base/actor.ts'
import { held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { SEE_ALL } from './actions.ts'
import { tokenPhoto } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'token-day-photos',
  says: 'Photos of what a gang, a machine or a delivery did on a day.',
  routes,
  kinds: [tokenPhoto],
  permissions: {
    [SEE_ALL]: held(
      ROLES.filter(role => role !== 'client'),
      'See all photos of workers, plant and deliveries, not only those in a record that was issued',
    ),
  },
  uses: [rowUse({ of: 'contractor', name: 'token_photos', when: 'ever' }, 'token_photo', 'contractor_id')],
  events: eventsOf(
    'token_photo',
    {
      token_kind: field.text('What the photo shows: a worker or gang, a machine, or a delivery'),
      token_id: 'Worker or gang, machine, or delivery',
      work_date: field.text('Site day that it belongs to'),
      contractor_id: 'Contractor',
    },
    { added: 'A photo of a day was added', changed: 'A photo of a day was changed', removed: 'A photo of a day was deleted' },
    { contractors: { own: 'contractor_id' } },
  ),
})
