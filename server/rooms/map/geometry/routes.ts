import { get, patch } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { changeDefaults, showDefaults } from './actions.ts'
import { ChangeDefaults, GeometryDefaults, MaybeSite, OfSite } from './schema.ts'

export const routes = [
  get('/geometry/defaults', {
    name: 'geometry_default.show',
    summary: 'Show the geometry defaults',
    says: 'Returns the sizes to start with when something is drawn on a site, or the standard ones before the first save.',
    access: { needs: 'map_view' },
    query: OfSite,
    reply: ref(GeometryDefaults),
    handle: ({ ctx, site_id }) => showDefaults(ctx, site_id),
  }),
  patch('/geometry/defaults', {
    name: 'geometry_default.change',
    summary: 'Change the geometry defaults',
    says: 'Changes the sizes that are sent. Sizes are copied when something is drawn, so what is already on the map stays as it is.',
    access: { needs: 'geometry_defaults_manage' },
    query: MaybeSite,
    body: ChangeDefaults,
    of: GeometryDefaults,
    reply: ref(GeometryDefaults),
    refuses: ['version_conflict'],
    handle: ({ ctx, site_id, body: { site_id: _site, ...sizes }, wire }) =>
      changeDefaults(ctx, site_id, sizes, [wire.headers['if-match']].flat()[0]),
  }),
]
