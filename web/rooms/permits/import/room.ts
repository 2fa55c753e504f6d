import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Import: a register of permits from a spreadsheet. */
export const room: WebRoom = {
  name: 'import',
  group: 'permits',
  pages: [{ path: '/import', load: () => import('./import.tsx'), needs: { permission: 'contractor_manage', says: 'closed.import' } }],
  entries: [{ label: 'nav.import', glyph: 'import', to: paths.import, when: here => here.can('contractor_manage'), tab: true }],
  stale: { import: ['permit_set', 'job'] },
  office: true,
}
