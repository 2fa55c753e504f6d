import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Permits: the board, one permit, and all its actions. */
export const room: WebRoom = {
  name: 'permits',
  pages: [
    { path: '/board', load: () => import('./board.tsx') },
    { path: '/permits/$permitId', load: () => import('./permit.tsx') },
    { path: '/request', load: () => import('./request.tsx') },
  ],
  entries: [
    { label: 'nav.board', glyph: 'board', to: paths.board, bar: true },
    { label: 'board.request', glyph: 'plus', to: paths.request, when: here => here.can('permit_request') },
  ],
}
