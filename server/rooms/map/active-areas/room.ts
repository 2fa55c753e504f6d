import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { areas, geometry } from './actions/areas.ts'
import { target } from './actions/cutting.ts'
import { activeArea, activeAreaSchedule, activeAreaVersion, areaFill } from './door.ts'
import { areasDuring, areasThen } from './queries/areas.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'active-areas',
  says: 'Who has which patch of ground, from when to when: work areas, exclusion zones, lifting zones, laydown, closed routes.',
  routes,
  kinds: [activeArea, activeAreaSchedule, activeAreaVersion, areaFill],
  uses: [...areas.uses, rowUse({ of: 'contractor', name: 'fills', when: 'ever' }, 'area_fill', 'contractor_id')],
  geometry: { ...geometry, targets: [target] },
  exports: [areas.area.exported('active_areas', { as_then: areasThen, during: areasDuring })],
  changes: [areas.area.changing('active_area', { during: areasDuring })],
  members: areas.area.members,
  site: { outside: [areas.area.outside], rederive: [areas.rederive] },
})
