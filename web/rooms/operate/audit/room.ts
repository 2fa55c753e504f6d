import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Audit log: who did what, when, and whether it is verified. */
export const room: WebRoom = {
  name: 'audit',
  group: 'site',
  pages: [{ path: '/audit', load: () => import('./audit.tsx'), needs: { permission: 'audit_view', says: 'closed.audit' } }],
  entries: [{ label: 'nav.audit', glyph: 'audit', to: site => paths.audit(site), when: here => here.can('audit_view'), tab: true }],
  // Every write adds entries, so they make nothing stale: readers of the log refresh it. Only a revert or a broken chain is shown immediately.
  stale: { audit: ['audit'] },
  office: true,
}
