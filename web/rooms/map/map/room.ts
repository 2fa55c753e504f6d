import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'
import { concernedByEvents, readSingly } from './concerned.ts'

/** The map: what is where on the site, and which permits are open there at an instant. */
export const room: WebRoom = {
  name: 'map',
  group: 'map',
  switchable: 'map',
  pages: [
    { path: '/map', load: () => import('./map.tsx') },
    { path: '/map/emergency-plan', load: () => import('./emergency/plan.tsx') },
    { path: '/map/site-maps/$mapId', load: () => import('./plans/calibrate.tsx') },
    { path: '/map/floor-plans/$planId', load: () => import('./plans/calibrate.tsx') },
  ],
  entries: [{ label: 'nav.map', glyph: 'map', to: site => paths.map(site), when: here => here.can('map_view'), tab: true, phone: true }],
  captures: [
    {
      label: 'token.new_worker',
      glyph: 'people',
      to: site => `${paths.map(site)}?add=worker`,
      when: here => here.canChange('map_entity_edit'),
    },
  ],
  stale: {
    map: ['reference_feature', 'site_map', 'floor_plan', 'geodata_layer', 'label_styles', 'map_entity', 'poi'],
    'day-photos': ['token_photo'],
    changes: [
      'map_entity',
      'delivery',
      'schedule',
      'permit',
      'permit_set',
      'alert',
      'clash',
      'reference_feature',
      'site_map',
      'floor_plan',
    ],
    // It is asked for each minute, because no event says that a plan was hidden, moved or removed.
    'map-revision': [],
    'clashes-at': ['clash', 'clash_rule', 'rule_profile', 'map_entity', 'delivery', 'schedule', 'permit'],
    weather: ['weather', 'alert'],
    'working-time': ['shift', 'site'],
    'group-members': ['smart_group', 'map_entity', 'delivery', 'schedule', 'plant', 'permit', 'permit_config'],
    tokens: ['map_entity', 'delivery', 'schedule', 'plant', 'permit', 'permit_config', 'contractor'],
    ...concernedByEvents,
    // A form sends the version that was read when it was opened, whatever happens meanwhile (decision 1082).
    'schedule-seen': [],
  },
  singles: readSingly,
  office: true,
}
