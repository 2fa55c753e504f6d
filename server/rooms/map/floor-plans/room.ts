import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { planChanges } from './actions/changes.ts'
import { planLayer } from './actions/exports.ts'
import { dxfImport, floorPlan } from './door.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'floor-plans',
  says: 'Drawings of levels, placed on their buildings: pictures, pages of PDFs and DXF drawings, with their line work.',
  routes,
  kinds: [floorPlan, dxfImport],
  permissions: { floor_plan_edit: held(BANDS.coordinate, 'Upload, place, show and remove floor plans') },
  jobs,
  schedules,
  changes: [planChanges],
  exports: [planLayer],
  events: eventsOf(
    'floor_plan',
    {
      floor_plan_id: 'Floor plan',
      feature_id: 'Building, zone or area',
      level_index: field.number('Level'),
      uploader_id: 'Person who uploaded it',
      reason: 'Why it couldn’t be read',
    },
    { ready: 'A floor plan is ready', failed: 'A floor plan couldn’t be read' },
    { identities: { uploader: 'uploader_id' }, sometimes: ['reason'] },
  ),
  notices: {
    kinds: [
      {
        kind: 'floor_plan_failed',
        label: 'Floor plans that failed',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} floor plans couldn’t be read',
        moot_after: ['floor_plan.ready'],
      },
    ],
    rules: [
      {
        key: 'floor_plan_failed',
        event_kind: 'floor_plan.failed',
        kind: 'floor_plan_failed',
        audience: [{ named: 'uploader' }],
        channels: ['in_app'],
        title: '{{subject_label}} couldn’t be read',
        body: '{{reason}}',
        link: '/sites/{site_id}/map',
      },
    ],
  },
})
