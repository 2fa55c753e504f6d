// Who can call each endpoint of this room: see tests/calls.ts.
import { worldOf } from '../../../../shared/geometry/mercator.ts'
import { needs, ok, roomCases } from '../../../../tests/calls.ts'

const view = needs('map_view')

export const cases = roomCases({
  records: async t => {
    const { center, max_zoom } = await ok(t.as('viewer').get(`/tiles/info/${t.params.site_map_id}`))
    const [x = 0, y = 0] = worldOf({ lon: center[0], lat: center[1] }).map(part => Math.floor(part * 2 ** max_zoom))
    return { z: String(max_zoom), x: String(x), y: String(y), ext: 'webp', tms: 'xyz' }
  },
  routes: {
    'site_map.show_tilejson': view,
    'site_map.show_tiles': view,
    'site_map.tile': view,
    'floor_plan.show_tilejson': view,
    'floor_plan.tile': view,
    'floor_plan.tile_by_scheme': view,
    'site.show_card': view,
    'site.tile_of_tokens': view,
    'site.tile_of_plants': view,
    'site.tile_of_zones': view,
  },
})
