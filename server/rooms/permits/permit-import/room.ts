import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { importStored } from './actions/upload.ts'
import { permitSet } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-import',
  says: 'Permit registers imported from spreadsheets.',
  routes,
  kinds: [permitSet],
  jobs: [{ kind: 'permit_import', says: 'Imports a permit register in the background.', run: importStored, retries: 2 }],
  events: eventsOf(
    'permit_set',
    {
      set_id: 'Import; null when all imported permits were matched',
      permit_ids: 'Permits that were created, deleted or placed; the permits have no events of their own',
      new: field.number('New permits'),
      updated: field.number('Existing permits in the register, including unchanged ones, or permits that were placed'),
      errors: field.number('Errors of refused rows'),
      unresolved: field.number('Places that couldn’t be matched'),
      kept: field.texts('Numbers of the permits that stayed because people had acted on them'),
    },
    {
      imported: 'A register was imported',
      deleted: 'An import was deleted',
      re_resolved: 'Places of imported permits were matched',
    },
    { sometimes: ['kept'] },
  ),
})
