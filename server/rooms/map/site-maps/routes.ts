import { created, fileAnswer, get, page, post, put, rehearsal } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { bringPlan } from '../kit/actions/upload.ts'
import { activate, calibrateSiteMap, redrawSiteMap, uploadSiteMap } from './actions/change.ts'
import { imageOf } from './actions/picture.ts'
import { listActivations, showActive, shown, showSiteMap, siteMaps } from './actions/show.ts'
import { BYTES_AT_MOST, TAKING } from './domain.ts'
import { siteMap } from './door.ts'
import {
  ActivateSiteMap,
  ActiveAtTime,
  ActiveSiteMap,
  CalibrateSiteMap,
  ImageQuery,
  SiteMap,
  SiteMapActivation,
  SiteMapCalibration,
  SiteMapUpload,
  UploadQuery,
} from './schema.ts'

const one = '/site-maps/:site_map_id'
const onSite = '/site-maps/sites/:site_id'

export const routes = [
  post('/site-maps/upload', {
    name: 'site_map.upload',
    summary: 'Upload a site map',
    says: 'Stores a layout drawing or an aerial picture: PNG, JPEG, WebP, TIFF or a page of a PDF, of at most 200 MB and 400 megapixels. A job reads it; a GeoTIFF in WGS84, Web Mercator, UTM or British National Grid is then calibrated from its own tags, and a picture in a zip archive from the world file (`.jgw`, `.pgw`, `.tfw`) and the `.prj` file next to it.',
    access: { needs: 'site_map_manage' },
    query: UploadQuery,
    upload: { max_bytes: BYTES_AT_MOST },
    body: SiteMapUpload,
    of: SiteMap,
    reply: ref(SiteMap),
    status: 201,
    refuses: ['unsupported_media_type', 'too_large', 'unavailable'],
    before: ({ ctx, files, body }) => bringPlan(ctx.house, files, TAKING, body.page ?? 1),
    handle: async ({ ctx, site_id, body, brought }) => {
      const made = await uploadSiteMap(ctx, site_id, body, brought)
      return created(made, `/site-maps/${made.id}`)
    },
  }),
  post(`${one}/calibrate`, {
    name: 'site_map.calibrate',
    summary: 'Calibrate a site map',
    says: 'Fits the picture to control points and queues its tiles; the tiles of the calibration before are served until the new ones are complete. With `dry_run`, returns the calibration and stores nothing. Earlier calibrations are kept.',
    access: { needs: 'site_map_manage' },
    on: siteMap,
    body: CalibrateSiteMap,
    of: SiteMap,
    reply: Type.Union([ref(SiteMap), ref(SiteMapCalibration)]),
    refuses: ['invalid_transition'],
    handle: async ({ ctx, thing, body }) => {
      const said = await calibrateSiteMap(ctx, thing, body)
      return body.dry_run === true ? rehearsal(said) : said
    },
  }),
  post(`${one}/redraw`, {
    name: 'site_map.redraw',
    summary: 'Make the tiles of a site map again',
    says: 'Queues the job that makes the tiles by the newest calibration, if the work on them was stopped. The older tiles are served until the new ones are complete.',
    access: { needs: 'site_map_manage' },
    on: siteMap,
    of: SiteMap,
    reply: ref(SiteMap),
    status: 200,
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing }) => redrawSiteMap(ctx, thing),
  }),
  get(one, {
    name: 'site_map.show',
    summary: 'Show a site map',
    says: 'Returns a site map with all its calibrations, newest first.',
    access: { needs: 'map_view' },
    on: siteMap,
    reply: ref(SiteMap),
    handle: ({ ctx, thing }) => showSiteMap(ctx, thing),
  }),
  get(`${one}/image`, {
    name: 'site_map.image',
    summary: 'Download the picture of a site map',
    says: 'Returns the uploaded file, or its preview as WebP of at most 2,048 pixels a side.',
    access: { needs: 'map_view' },
    on: siteMap,
    query: ImageQuery,
    reply: null,
    produces: [...TAKING.types],
    refuses: ['conflict', 'unavailable'],
    handle: async ({ ctx, thing, query }) => fileAnswer(await imageOf(ctx, thing, query.variant ?? 'original')),
  }),
  get(`${onSite}/maps`, {
    name: 'site_map.list',
    summary: 'List site maps',
    says: 'Returns the site maps of a site, newest first.',
    access: { needs: 'map_view' },
    query: siteMaps.query,
    sends: ['X-Total-Count'],
    reply: Type.Array(ref(SiteMap)),
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next, total } = await siteMaps.page(ctx, site_id, query)
      return page(await shown(ctx, site_id, rows), { next, total })
    },
  }),
  put(`${onSite}/active-map`, {
    name: 'site_map.activate',
    summary: 'Set the active site map',
    says: 'Makes a site map the active one from `effective_at` on, or none. The one before ends at that time, and one that is planned for later stays. To cancel a planned one, send what is active before it, with its start as `effective_at`. Members are notified when it becomes active. `If-Match` is compared with the version that the list of activations shows, 0 before the first.',
    access: { needs: 'site_map_manage' },
    body: ActivateSiteMap,
    of: SiteMapActivation,
    reply: ref(SiteMapActivation),
    refuses: ['invalid_transition', 'version_conflict'],
    handle: ({ ctx, site_id, body, wire }) => activate(ctx, site_id, body, wire.if_match),
  }),
  get(`${onSite}/activation-history`, {
    name: 'site_map.list_activations',
    summary: 'List when which site map was active',
    says: 'Returns the times at which site maps were, are and will be active, newest first. They never overlap.',
    access: { needs: 'map_view' },
    reply: Type.Array(ref(SiteMapActivation)),
    handle: ({ ctx, site_id }) => listActivations(ctx, site_id),
  }),
  get(`${onSite}/active-at-time`, {
    name: 'site_map.show_active',
    summary: 'Show the site map active at a point in time',
    says: 'Returns the site map that is active at a point in time; null if none is.',
    access: { needs: 'map_view' },
    query: ActiveAtTime,
    reply: ref(ActiveSiteMap),
    handle: ({ ctx, site_id, query }) => showActive(ctx, site_id, query.at),
  }),
]
