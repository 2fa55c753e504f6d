import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Smart groups of the site: saved conditions that select things on the site, or permits. */
export const room: WebRoom = {
  name: 'smart-groups',
  group: 'site',
  pages: [
    { path: '/settings/smart-groups', load: () => import('./smart-groups.tsx') },
    { path: '/settings/smart-groups/$group', load: () => import('./smart-group.tsx') },
  ],
  entries: [{ label: 'groups.title', glyph: 'people', to: site => paths.smartGroups(site), when: here => here.can('smart_group_edit') }],
  stale: {
    // What uses a group is part of it.
    groups: ['smart_group', 'clash_rule', 'rule_profile', 'notification_rule'],
    'group-counts': ['smart_group', 'map_entity', 'delivery', 'schedule', 'plant', 'permit', 'permit_config'],
    'group-preview': ['smart_group', 'map_entity', 'delivery', 'schedule', 'plant', 'permit', 'permit_config'],
  },
  office: true,
}
