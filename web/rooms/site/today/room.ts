import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Everybody's first page: what is waiting for the person, and the site now. It shows parts of other rooms, and has no data of its own. */
export const room: WebRoom = {
  name: 'today',
  group: 'today',
  pages: [{ path: '/today', load: () => import('./today.tsx'), field: true }],
  entries: [{ label: 'nav.today', glyph: 'today', to: site => paths.today(site), tab: true, phone: true }],
  stale: {},
}
