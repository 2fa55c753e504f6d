import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Clash rules of the site, in profiles: which two things can’t be together. */
export const room: WebRoom = {
  name: 'clash-rules',
  group: 'site',
  switchable: 'conflicts',
  pages: [
    {
      path: '/settings/clash-rules',
      load: () => import('./clash-rules.tsx'),
      needs: { permission: 'clash_view', says: 'closed.clash_rules' },
    },
    {
      path: '/settings/clash-rules/$rule',
      load: () => import('./clash-rule.tsx'),
      needs: { permission: 'clash_view', says: 'closed.clash_rules' },
    },
  ],
  entries: [{ label: 'clash.title', glyph: 'warning', to: site => paths.clashRules(site), when: here => here.can('clash_view') }],
  stale: { 'clash-rules': ['clash_rule', 'rule_profile', 'smart_group'] },
  office: true,
}
