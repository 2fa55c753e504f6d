import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { boundaryLayer } from './actions.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'exports',
  says: 'The map as a file for other programs.',
  routes,
  exports: [boundaryLayer],
  permissions: { map_export: held(BANDS.coordinate, 'Export the map as GeoJSON') },
})
