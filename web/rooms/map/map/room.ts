import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** The map: what is where on the site, and which permits are open there at an instant. */
export const room: WebRoom = {
  name: 'map',
  group: 'map',
  pages: [{ path: '/map', load: () => import('./map.tsx') }],
  entries: [{ label: 'nav.map', glyph: 'map', to: site => paths.map(site), when: here => here.can('map_view'), tab: true, phone: true }],
  stale: { map: ['reference_feature', 'site_map', 'label_styles', 'map_entity', 'poi'] },
  office: true,
}
