import { defineRoom } from '../../../kernel/sockets/door.ts'
import { areaStop, areaStopPermit } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-stops',
  area: 'permits',
  says: 'Area stops: work stops at a place, and each live permit there is revalidated before its work goes on.',
  routes,
  kinds: [areaStop, areaStopPermit],
})
