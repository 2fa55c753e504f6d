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
  jobs: [
    {
      kind: 'permit_import',
      says: 'Imports a permit register in the background.',
      asked: {
        name: ({ dry }) => (dry === true ? 'Trial import of a register' : 'Import of a register'),
        link: '/sites/{site_id}/import',
        about: async (_db, _site_id, { filename }) => String(filename),
      },
      run: importStored,
      retries: 2,
    },
  ],
  events: eventsOf(
    'permit_set',
    {
      set_id: 'Import; null if the permits of all imports were matched again',
      permit_ids: 'Permits that were created, changed, deleted or given a place',
      new: field.number('Number of new permits'),
      updated: field.number('Number of existing permits in the register, including unchanged ones, or of permits that were given a place'),
      errors: field.number('Number of errors in refused rows'),
      unresolved: field.number('Number of permits whose place couldn’t be matched'),
      revived_ids: 'Expired permits that are live again, because the register gives them a later end',
      kept: field.texts('Numbers of the permits that stayed, because people had acted on them or other permits referred to them'),
    },
    {
      imported: 'A register was imported',
      deleted: 'An import was deleted',
      re_resolved: 'Places of imported permits were matched',
    },
    { sometimes: ['revived_ids', 'kept'] },
  ),
})
