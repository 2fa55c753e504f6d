import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { importStored } from './actions/upload.ts'
import { permitSet } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-import',
  routes,
  kinds: [permitSet],
  jobs: [
    { kind: 'permit_import', says: 'Imports a permit register that was sent to be read in the background.', run: importStored, retries: 2 },
  ],
  events: eventsOf(
    'permit_set',
    {
      set_id: 'Set; null where all imported permits were looked at',
      permit_ids: 'Permits that were written, deleted or placed: they send no event of their own',
      new: field.number('New permits'),
      updated: field.number('Changed permits'),
      errors: field.number('Faults of refused rows'),
      unresolved: field.number('Places that were not found'),
      kept: field.texts('Numbers of permits that stayed, for people had acted on them'),
    },
    {
      imported: 'A register was imported',
      deleted: 'An import was taken back',
      re_resolved: 'Places of imported permits were found',
    },
    { sometimes: ['kept'] },
  ),
})
