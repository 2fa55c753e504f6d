import { defineRoom } from '../../../kernel/sockets/door.ts'
import { areas, geometry } from './actions.ts'
import { activeArea, activeAreaSchedule, activeAreaVersion } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'active-areas',
  says: 'Who has which patch of ground, from when to when: work areas, exclusion zones, lifting zones, laydown, closed routes.',
  routes,
  kinds: [activeArea, activeAreaSchedule, activeAreaVersion],
  uses: areas.uses,
  geometry,
  site: { outside: [areas.area.outside] },
})
