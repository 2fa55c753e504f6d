import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Audit log: who did what, when, and whether it is verified. */
export const room: WebRoom = {
  name: 'audit',
  pages: [{ path: '/audit', load: () => import('./audit.tsx') }],
  entries: [{ label: 'nav.audit', glyph: 'audit', to: site => paths.audit(site), when: here => here.can('audit_view'), bar: true }],
}
