import { codingOf } from '../../../base/coding.ts'
import { notFound, refuse } from '../../../base/errors.ts'
import { type Answer, answer, get, textAnswer } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { floorPlan } from '../floor-plans/door.ts'
import { siteMap } from '../site-maps/door.ts'
import { oneTile, type Sent, siteCard, tiledMap, tiledPlan, tileInfo, tileJson } from './actions/pictures.ts'
import { vectorTile } from './actions/vectors.ts'
import { SchemeQuery, TileInfo, TileJson, TileQuery, VectorQuery } from './schema.ts'

const produces = ['image/webp', 'image/png', 'image/jpeg']
const also = { 204: 'Nothing of the picture is in this tile' }

const sent = ({ type, bytes, headers }: Sent): Answer =>
  bytes === null ? answer(undefined, { status: 204, headers }) : textAnswer(type, bytes, headers)
const access = { needs: 'map_view' }

const VECTOR = 'application/vnd.mapbox-vector-tile'
const vectors = (set: 'tokens' | 'plants' | 'zones', summary: string, says: string) =>
  get(`/tiles/vector/:site_id/${set}/:z/:x/:y.mvt`, {
    name: `site.tile_of_${set}`,
    summary,
    says: `${says} Mapbox Vector Tile 2.1 in Web Mercator (XYZ). The \`ETag\` stays the same until something on the layer is written, starts or ends.`,
    access,
    query: VectorQuery,
    reply: null,
    produces: VECTOR,
    also: { 204: 'Nothing is in this tile' },
    tagged: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, site_id, params, query, wire }) => {
      const coding = codingOf(String(wire.headers['accept-encoding'] ?? ''))
      const { made, headers, same } = await vectorTile(ctx, site_id, set, params, query, { if_none_match: wire.if_none_match, coding })
      if (made !== null) return textAnswer(VECTOR, made, headers)
      const { 'content-encoding': _none, ...bare } = headers
      return same ? textAnswer(VECTOR, '', bare) : answer(undefined, { status: 204, headers: bare })
    },
  })

export const routes = [
  vectors(
    'tokens',
    'Download a vector tile of tokens',
    'Returns the workers, plant and deliveries at a point in time: the layer `tokens` has a point for each, `token_areas` the polygons. Zooms 12 to 20.',
  ),
  vectors(
    'plants',
    'Download a vector tile of plant',
    'Returns the ground that plant takes up at a point in time: the layer `plants` has the footprint, the working radius and the exclusion zone of each. Zooms 14 to 20.',
  ),
  vectors(
    'zones',
    'Download a vector tile of zones',
    'Returns areas, buildings, zones and active areas at a point in time: the layer `zones` has their polygons, and `zone_labels` one point for each. Zooms 12 to 20.',
  ),
  get('/tiles/raster/:site_map_id/tilejson.json', {
    name: 'site_map.show_tilejson',
    summary: 'Show where the tiles of a site map are',
    says: 'Returns the TileJSON 3.0.0 of a site map. Its URLs contain the version of the content, so that tiles can be stored for a year. 404 until the map has tiles.',
    access,
    on: siteMap,
    reply: ref(TileJson),
    handle: ({ ctx, site_id, thing }) => tileJson(ctx, site_id, tiledMap(thing), 'xyz'),
  }),
  get('/tiles/info/:site_map_id', {
    name: 'site_map.show_tiles',
    summary: 'Describe the tiles of a site map',
    says: 'Returns the formats, zooms, bounds, size and accuracy of the tiles of a site map. 404 until the map has tiles.',
    access,
    on: siteMap,
    reply: ref(TileInfo),
    handle: ({ thing }) => tileInfo(thing),
  }),
  get('/tiles/raster/:site_map_id/:z/:x/:y.:ext', {
    name: 'site_map.tile',
    summary: 'Download a tile of a site map',
    says: 'Returns a tile of 256 pixels in Web Mercator (XYZ), transparent outside the picture. JPEG is available for pictures without transparent parts. With the current `v`, the response can be stored for a year.',
    access,
    on: siteMap,
    query: TileQuery,
    reply: null,
    produces,
    also,
    tagged: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, thing, params, query }) => sent(await oneTile(ctx, tiledMap(thing), params, { v: query.v })),
  }),
  get('/tiles/floor-plan/:floor_plan_id/tilejson.json', {
    name: 'floor_plan.show_tilejson',
    summary: 'Show where the tiles of a floor plan are',
    says: 'Returns the TileJSON 3.0.0 of a floor plan; with `scheme=tms`, its rows are counted from the south. 404 until the plan has tiles.',
    access,
    on: floorPlan,
    query: SchemeQuery,
    reply: ref(TileJson),
    handle: ({ ctx, site_id, thing, query }) => tileJson(ctx, site_id, tiledPlan(thing), query.scheme ?? 'xyz'),
  }),
  get('/tiles/floor-plan/:floor_plan_id/:z/:x/:y.:ext', {
    name: 'floor_plan.tile',
    summary: 'Download a tile of a floor plan',
    says: 'Returns a tile of 256 pixels in Web Mercator (XYZ), transparent outside the picture. With the current `v`, the response can be stored for a year.',
    access,
    on: floorPlan,
    query: TileQuery,
    reply: null,
    produces,
    also,
    tagged: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, thing, params, query }) => sent(await oneTile(ctx, tiledPlan(thing), params, { v: query.v })),
  }),
  get('/tiles/floor-plan/:floor_plan_id/:tms/:z/:x/:y.:ext', {
    name: 'floor_plan.tile_by_scheme',
    summary: 'Download a tile of a floor plan by its scheme',
    says: 'Returns the same tiles, with rows counted from the south (`tms`) or from the north (`xyz`).',
    access,
    on: floorPlan,
    query: TileQuery,
    reply: null,
    produces,
    also,
    tagged: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, thing, params, query }) => {
      if (params.tms !== 'tms' && params.tms !== 'xyz') refuse(notFound())
      return sent(await oneTile(ctx, tiledPlan(thing), params, { v: query.v, tms: params.tms === 'tms' }))
    },
  }),
  get('/tiles/sites/:site_id/preview.webp', {
    name: 'site.show_card',
    summary: 'Download the picture of a site',
    says: 'Returns a picture of 640 × 400 pixels: the active site map, the boundary and the buildings as they are now, on plain ground where there is no map.',
    access,
    reply: null,
    produces: 'image/webp',
    tagged: true,
    refuses: ['unavailable'],
    handle: async ({ ctx, site_id }) => sent(await siteCard(ctx, site_id)),
  }),
]
