import { del } from '../../../base/http.ts'
import { object, oneOf, optional } from '../../../base/schema.ts'
import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { scheduleRoutes } from '../kit/routes/schedules.ts'
import { leave, plants } from './actions.ts'

export const routes = [
  del('/plant/position-group/:source_plant_id', {
    name: 'plant.leave',
    summary: 'Remove a machine from the site',
    says: 'The machine leaves the site: its future positions are removed, and the one where it is now ends. What has ended stays, unless scope=all is sent, which requires map_entity_purge.',
    access: { needs: 'map_entity_edit' },
    on: { ...plants.area.kind, param: 'source_plant_id' },
    query: object({ scope: optional(oneOf(['future', 'all'], '`all` removes what has ended, too; requires map_entity_purge')) }),
    reply: null,
    refuses: ['conflict', 'forbidden'],
    handle: ({ ctx, thing, query }) => leave(ctx, thing, query),
  }),
  ...placedRoutes(plants.area, { order: 'by start and id' }),
  ...scheduleRoutes(plants, { verb: 'create-schedule' }),
]
