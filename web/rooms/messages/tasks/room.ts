import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** What is waiting for the person. */
export const room: WebRoom = {
  name: 'tasks',
  group: 'today',
  pages: [{ path: '/tasks', load: () => import('./tasks.tsx'), field: true }],
  entries: [{ label: 'nav.tasks', glyph: 'tasks', to: paths.tasks, tab: true, phone: true, count: counts => counts.tasks }],
  stale: { tasks: ['permit', 'permit_config', 'membership', 'task'] },
}
