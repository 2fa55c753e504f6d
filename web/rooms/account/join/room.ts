import type { WebRoom } from '../../../base/room.ts'

/** The page to which an invitation leads: what the site is, and how to get in. */
export const room: WebRoom = {
  name: 'join',
  group: null,
  pages: [],
  outside: [{ path: '/join', load: () => import('./join.tsx') }],
  entries: [],
  // The reader of this page is on no site yet, so no event concerns it.
  stale: { join: [] },
}
