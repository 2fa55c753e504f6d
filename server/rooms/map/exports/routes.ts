import { get, streamAnswer } from '../../../base/http.ts'
import { exportMap } from './actions.ts'
import { ExportQuery } from './schema.ts'

export const routes = [
  get('/exports/geojson', {
    name: 'site.export_map',
    summary: 'Export the map as GeoJSON',
    says: 'Returns what is on the map at a point in time, or during a period, as one GeoJSON file (RFC 7946), by layer and id. The whole file is read at one moment. Names of people are left out, and so are permits that the caller can’t see. Permits of an earlier time have the status and the window that they had then; those of a period, the ones that they have now. The read is recorded in the audit log.',
    access: { needs: 'map_export' },
    query: ExportQuery,
    reply: null,
    produces: 'application/geo+json',
    audited: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, site_id, query }) => streamAnswer(await exportMap(ctx, site_id, query)),
  }),
]
