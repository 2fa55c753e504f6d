import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { geometryDefault } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'geometry',
  says: 'Help with drawing: sizes to start with.',
  routes,
  kinds: [geometryDefault],
  permissions: { geometry_defaults_manage: held(BANDS.manage, 'Change the sizes to start with when something is drawn') },
})
