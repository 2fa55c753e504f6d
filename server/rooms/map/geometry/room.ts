import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { copyDefaults } from './actions/defaults.ts'
import { reopened } from './actions/shapes.ts'
import { geometryCut, geometryDefault } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'geometry',
  says: 'Help with drawing: sizes to start with, overlaps, and holes that are cut out of features.',
  routes,
  kinds: [geometryDefault, geometryCut],
  geometry: { opener: reopened },
  site: { seeds: [{ area: 'geometry', keys: [], copy: copyDefaults }] },
  permissions: { geometry_defaults_manage: held(BANDS.manage, 'Change the sizes to start with when something is drawn') },
})
