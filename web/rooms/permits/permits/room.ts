import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** What can change the conflicts of a permit, besides permits: its linked things, and the clash rules. */
const MOVES = ['map_entity', 'schedule', 'clash_rule', 'rule_profile'] as const

/** Permits: the board, one permit, and all its actions. */
export const room: WebRoom = {
  name: 'permits',
  group: 'permits',
  pages: [
    { path: '/board', load: () => import('./board.tsx'), field: true },
    { path: '/permits/$permitId', load: () => import('./permit.tsx'), field: true },
    { path: '/request', load: () => import('./request.tsx'), needs: { permission: 'permit_request', says: 'closed.request' } },
  ],
  entries: [
    { label: 'nav.board', glyph: 'board', to: site => paths.board(site), tab: true },
    { label: 'board.request', glyph: 'plus', to: site => paths.request(site), when: here => here.canChange('permit_request') },
  ],
  captures: [{ label: 'board.request', glyph: 'card', to: site => paths.request(site), when: here => here.canChange('permit_request') }],
  stale: {
    permits: ['permit', 'permit_set', 'permit_type', 'permit_config', 'permit_appointment', 'permit_workflow', 'contractor'],
    // The open permit.
    permit: ['permit', 'permit_set', ...MOVES],
    conflicts: ['permit', ...MOVES],
  },
}
