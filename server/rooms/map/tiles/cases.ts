// Who can call each endpoint of this room: see tests/calls.ts.
import { needs, roomCases } from '../../../../tests/calls.ts'

const view = needs('map_view')

export const cases = roomCases({
  records: async () => ({ z: '17', x: '65503', y: '43584', ext: 'webp' }),
  routes: {
    'site_map.show_tilejson': view,
    'site_map.show_tiles': view,
    'site_map.tile': view,
    'site.show_card': view,
  },
})
