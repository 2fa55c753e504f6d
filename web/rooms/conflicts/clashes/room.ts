import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Clashes that someone has to settle. */
export const room: WebRoom = {
  name: 'clashes',
  group: 'permits',
  switchable: 'conflicts',
  pages: [{ path: '/clashes', load: () => import('./clashes.tsx'), needs: { permission: 'clash_view', says: 'closed.clashes' } }],
  entries: [{ label: 'clashes.title', glyph: 'warning', to: site => paths.clashes(site), tab: true, when: here => here.can('clash_view') }],
  stale: { clashes: ['clash', 'clash_rule', 'rule_profile', 'permit', 'blocker'] },
}
