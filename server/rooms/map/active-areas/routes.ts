import { get } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { scheduleRoutes } from '../kit/routes/schedules.ts'
import { areas, showVersions } from './actions.ts'
import { AreaVersion } from './schema.ts'

export const routes = [
  ...placedRoutes(areas.area, { order: 'by start and id' }),
  get('/active-areas/:area_id/versions', {
    name: 'active_area.list_versions',
    summary: 'List the versions of an active area',
    says: 'Returns how an active area is and was before each change, newest first, with the time in which it was so.',
    access: { needs: 'map_view' },
    on: areas.area.kind,
    reply: Type.Array(ref(AreaVersion)),
    handle: ({ ctx, thing }) => showVersions(ctx, thing),
  }),
  ...scheduleRoutes(areas, { verb: 'schedule' }),
]
