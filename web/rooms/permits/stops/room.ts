import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Area stops: where work is stopped, and which permits still have to be revalidated. */
export const room: WebRoom = {
  name: 'stops',
  group: 'permits',
  pages: [{ path: '/stops', load: () => import('./stops.tsx'), field: true }],
  entries: [{ label: 'stops.title', glyph: 'stop', to: site => paths.stops(site), tab: true }],
  // Lifting and resolving are one thing; a permit that is revalidated, handed back or closed out no longer waits.
  stale: { stops: ['alert', 'permit'] },
}
