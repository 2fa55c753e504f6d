import { defineRoom } from '../../../kernel/sockets/door.ts'
import { textLabels } from './actions.ts'
import { textLabel } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'text-labels',
  says: 'Words on the map that are no feature.',
  routes,
  kinds: [textLabel],
  uses: textLabels.uses,
  exports: [textLabels.exported('text_labels')],
  changes: [textLabels.changing('text_label')],
  site: { outside: [textLabels.outside] },
})
