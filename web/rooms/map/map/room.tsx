import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** The map: what is where on the site, and which permits are open there at an instant. */
export const room: WebRoom = {
  name: 'map',
  pages: [{ path: '/map', load: () => import('./map.tsx') }],
  entries: [{ label: 'nav.map', glyph: 'map', to: paths.map, when: here => here.can('map_view'), bar: true }],
}
