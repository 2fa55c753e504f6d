import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Audit log: who did what, when, and whether it is verified. */
export const room: WebRoom = {
  name: 'audit',
  group: 'site',
  pages: [{ path: '/audit', load: () => import('./audit.tsx') }],
  entries: [{ label: 'nav.audit', glyph: 'audit', to: site => paths.audit(site), when: here => here.can('audit_view'), tab: true }],
  // Every write adds entries: who reads the log asks again. A revert or an alarm shows at once.
  stale: { audit: ['audit'] },
  office: true,
}
