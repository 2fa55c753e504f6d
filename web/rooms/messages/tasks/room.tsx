import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** What is waiting for the person. */
export const room: WebRoom = {
  name: 'tasks',
  pages: [{ path: '/tasks', load: () => import('./tasks.tsx') }],
  entries: [{ label: 'nav.tasks', glyph: 'tasks', to: paths.tasks, bar: true, count: counts => counts.tasks }],
}
