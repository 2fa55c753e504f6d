import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Notification rules of the site: recipients and messages. */
export const room: WebRoom = {
  name: 'rules',
  group: 'site',
  pages: [
    { path: '/settings/rules', load: () => import('./rules.tsx'), needs: { permission: 'notification_rule_view', says: 'closed.rules' } },
    {
      path: '/settings/rules/$rule',
      load: () => import('./rule.tsx'),
      needs: { permission: 'notification_rule_view', says: 'closed.rules' },
    },
  ],
  entries: [{ label: 'rules.title', glyph: 'bell', to: site => paths.rules(site), when: here => here.can('notification_rule_view') }],
  stale: { rules: ['notification_rule', 'smart_group'] },
  office: true,
}
