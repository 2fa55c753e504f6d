import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { overlayLayer } from './actions/exports.ts'
import { layers } from './actions/layers.ts'
import { geodataLayer } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'geometadata',
  says: 'Layers that others surveyed: buried services, constraints, topography, and sets of areas, buildings or zones.',
  routes,
  kinds: [geodataLayer],
  events: layers.events,
  uses: layers.uses,
  exports: [overlayLayer],
  permissions: { layer_manage: held(BANDS.manage, 'Upload, change and delete layers of surveys on the map') },
})
