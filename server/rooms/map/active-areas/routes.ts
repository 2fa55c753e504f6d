import { fieldsIn } from '../../../../shared/narrow.ts'
import { created, del, get, post } from '../../../base/http.ts'
import { object, oneOf, optional, ref, Type } from '../../../base/schema.ts'
import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { scheduleRoutes } from '../kit/routes/schedules.ts'
import { areas, removeArea, showVersions } from './actions/areas.ts'
import { createFill, regenerateFill, removeFill } from './actions/fills.ts'
import { areaFill } from './door.ts'
import { AreaVersion } from './schema/areas.ts'
import { Fill, Filled, NewFill, Regenerated } from './schema/fills.ts'

export const routes = [
  ...placedRoutes(areas.area, {
    order: 'by start and id',
    removing: {
      says: 'Deleting one that has ended also needs scope=all.',
      query: { scope: optional(oneOf(['future', 'all'], '`all` deletes an area that has ended; requires map_entity_purge')) },
      handle: (ctx, row, query) => removeArea(ctx, row, query.scope === 'all'),
    },
  }),
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
  post('/active-areas/fill', {
    name: 'area_fill.create',
    summary: 'Fill the rest of a container',
    says: 'Makes active areas of everything in a container that no other active area takes, cut by time and by shape. Parts that are too small are listed and left out.',
    access: { needs: 'map_entity_edit_any' },
    body: NewFill,
    of: Fill,
    reply: ref(Filled),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, site_id, body: { site_id: _site, ...body } }) => {
      const made = await createFill(ctx, site_id, body)
      return created(made, `/active-areas/?site_id=${site_id}&fill_group_id=${fieldsIn(made.group).id}`)
    },
  }),
  post('/active-areas/fill/:group_id/regenerate', {
    name: 'area_fill.regenerate',
    summary: 'Compute a fill again',
    says: 'Computes a fill again from now on. What is past stays; a member that overlaps its old self by half keeps its id, name and notes. Repeating it changes nothing.',
    access: { needs: 'map_entity_edit_any' },
    on: areaFill,
    reply: ref(Regenerated),
    refuses: ['conflict', 'invalid_transition'],
    handle: ({ ctx, thing }) => regenerateFill(ctx, thing),
  }),
  del('/active-areas/fill/:group_id', {
    name: 'area_fill.delete',
    summary: 'Delete a fill',
    says: 'Removes the members that are still ahead, and ends those that are there now. What is past stays, unless scope=all is sent, which requires map_entity_purge.',
    access: { needs: 'map_entity_edit_any' },
    on: areaFill,
    query: object({ scope: optional(oneOf(['future', 'all'], '`all` removes what has ended, too; requires map_entity_purge')) }),
    reply: null,
    refuses: ['conflict', 'forbidden'],
    handle: ({ ctx, thing, query }) => removeFill(ctx, thing, query),
  }),
]
