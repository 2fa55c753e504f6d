import { BANDS, held } from '../../../kernel/access/domain.ts'
import { field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { siteMapChanges } from './actions/changes.ts'
import { siteMap, siteMapActivation, siteMapCalibration } from './door.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'site-maps',
  says: 'Layout drawings and aerial pictures of a site, calibrated by control points, and which of them was active when.',
  routes,
  kinds: [siteMap, siteMapCalibration, siteMapActivation],
  permissions: { site_map_manage: held(BANDS.manage, 'Upload, calibrate and activate site maps') },
  jobs,
  schedules,
  changes: [siteMapChanges],
  events: [
    {
      kind: 'site_map.activated',
      says: 'Another site map became active',
      payload: {
        site_map_id: 'Site map; null if none is active',
        from: field.instant('When it became active'),
      },
    },
    {
      kind: 'site_map.planned',
      says: 'A site map was planned for a later time, or such a plan was cancelled',
      payload: {
        site_map_id: 'Site map that will be active; null if none will be',
        from: field.instant('When it will become active'),
      },
    },
  ],
  notices: {
    kinds: [
      {
        kind: 'site_map_activated',
        label: 'Site maps',
        group: 'Site',
        urgency: 'info',
        channels: ['in_app'],
        many: '{{count}} site maps have become active',
      },
    ],
    rules: [
      {
        key: 'site_map_activated',
        event_kind: 'site_map.activated',
        kind: 'site_map_activated',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: 'The site map is now {{subject_label}}',
        body: 'Look at the map to see what has changed.',
        link: '/sites/{site_id}/map',
      },
    ],
  },
})
