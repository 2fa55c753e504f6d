import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'tiles',
  says: 'Tiles of the map: site maps and floor plans as pictures, what is on the map as vectors, and the picture of a site for its card.',
  routes,
})
