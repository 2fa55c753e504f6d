import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Notification rules of the site: recipients and messages. */
export const room: WebRoom = {
  name: 'rules',
  pages: [
    { path: '/settings/rules', load: () => import('./rules.tsx') },
    { path: '/settings/rules/$rule', load: () => import('./rule.tsx') },
  ],
  entries: [{ label: 'rules.title', glyph: 'bell', to: site => paths.rules(site), when: here => here.can('notification_rule_view') }],
}
