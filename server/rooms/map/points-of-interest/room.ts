import { field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { pois } from './actions.ts'
import { poi } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'points-of-interest',
  says: 'Points that everyone has to find: assembly points, first aid, fire points, gates, welfare.',
  routes,
  kinds: [poi],
  events: [
    {
      kind: 'poi.emergency_changed',
      says: 'A point that people rely on in an emergency was added, moved, changed, ended or removed',
      payload: {
        poi_kind: field.text('Kind of point'),
        change: field.text('What happened', ['added', 'changed', 'ended', 'removed']),
      },
    },
  ],
  uses: pois.uses,
  exports: [pois.exported('pois')],
  changes: [pois.changing('poi')],
  site: { outside: [pois.outside] },
  notices: {
    kinds: [
      {
        kind: 'emergency_point_changed',
        label: 'Emergency points',
        group: 'Safety',
        urgency: 'attention',
        channels: ['in_app'],
        mandatory: ['in_app'],
        many: '{{count}} changes to emergency points',
      },
    ],
    rules: [
      {
        key: 'emergency_point_changed',
        event_kind: 'poi.emergency_changed',
        kind: 'emergency_point_changed',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: '{{subject_label}} has been {{change}}',
        body: 'Look at the map, so that you know where to find help.',
        link: '/sites/{site_id}/map',
      },
    ],
  },
})
