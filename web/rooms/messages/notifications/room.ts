import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Notifications: what happened, why a person is notified, and their settings. */
export const room: WebRoom = {
  name: 'notifications',
  group: 'today',
  pages: [
    { path: '/notifications', load: () => import('./inbox.tsx') },
    { path: '/notifications/preferences', load: () => import('./preferences.tsx') },
  ],
  entries: [
    { label: 'nav.notifications', glyph: 'bell', to: paths.notifications, tab: true, count: counts => counts.notifications, informs: true },
    { label: 'prefs.title', glyph: 'settings', to: paths.preferences },
  ],
  stale: { notifications: ['membership'], 'notifications list': ['notification'], 'notifications unread': ['unread'] },
}
