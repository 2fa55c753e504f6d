import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** The workflow editor: the life of a permit as a graph, for the site or for one type. */
export const room: WebRoom = {
  name: 'workflow',
  group: 'site',
  pages: [{ path: '/settings/workflow', load: () => import('./workflow.tsx') }],
  entries: [
    { label: 'workflow.title', glyph: 'settings', to: site => paths.workflow(site), when: here => here.can('permit_workflow_author') },
  ],
  stale: { workflow: ['permit_workflow', 'job'] },
  office: true,
}
