import { createHash } from 'node:crypto'
import { flippedRow, TILE, worldOf } from '../../../../../shared/geometry/mercator.ts'
import { type Areal, type Box, boundsOf, lonLat, type Position, polygonsOf, widened } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse } from '../../../../base/errors.ts'
import { groundOf } from '../../../../kernel/geometry/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import type { FloorPlanRow } from '../../floor-plans/door.ts'
import { quick } from '../../kit/actions/process.ts'
import { fetchTo, tileOf, withScratch } from '../../kit/actions/stored.ts'
import { CARD, windowOf } from '../../kit/domain/card.ts'
import type { TileSet } from '../../kit/domain/tileset.ts'
import { outlinesAt } from '../../reference-features/door.ts'
import { activeAt, makePreview, previewKey, type SiteMapRow } from '../../site-maps/door.ts'
import { cachingOf, centreOf, FORMATS, formatsOf, svgPath, wantedTile } from '../domain/pictures.ts'

/** A picture whose tiles are served. `path` is that of its tiles, below /api. */
export type Tiled = { id: string; name: string; content_version: number; set: TileSet; path: string }

/** Returns the picture of a site map; 404 until it has tiles. */
export function tiledMap(map: SiteMapRow): Tiled & { set: NonNullable<SiteMapRow['served']> } {
  const { served } = map
  if (served === null) return refuse(notFound())
  return { id: map.id, name: map.name, content_version: map.content_version, set: served, path: `/tiles/raster/${map.id}` }
}

/** Returns the picture of a floor plan; 404 until it has tiles. */
export function tiledPlan(plan: FloorPlanRow): Tiled {
  const { served } = plan
  if (served === null) return refuse(notFound())
  return { id: plan.id, name: plan.name, content_version: plan.content_version, set: served, path: `/tiles/floor-plan/${plan.id}` }
}

/** A picture as it is sent; null if there is nothing to see. */
export type Sent = { type: string; bytes: Buffer | null; headers: Record<string, string> }

/** Returns one tile of a picture. `tms`: its rows are counted from the south. */
export async function oneTile(
  ctx: Ctx,
  tiled: Tiled,
  params: Readonly<Record<string, string>>,
  { v, tms = false }: { v?: string | undefined; tms?: boolean },
): Promise<Sent> {
  const format = FORMATS[params.ext ?? '']
  if (format === undefined || !formatsOf(tiled.set).includes(params.ext ?? '')) return refuse(notFound())
  const wanted = wantedTile(params, tiled.set)
  if ('refusal' in wanted) return refuse(wanted.refusal)
  const { z, x } = wanted.tile
  const y = tms ? flippedRow(z, wanted.tile.y) : wanted.tile.y
  const headers = {
    etag: `"${tiled.id}-${tiled.content_version}-${z}-${x}-${y}-${format.as}"`,
    'cache-control': cachingOf(tiled.content_version, v),
  }
  const tile = await tileOf(ctx.house, tiled.set, z, x, y)
  const bytes = tile === null || format.as === 'webp' ? tile : await quick.recode(tile, format.as)
  return { type: format.type, bytes, headers }
}

/** Returns where the tiles of a picture are, as map libraries read it. */
export async function tileJson(ctx: Ctx, site_id: string, tiled: Tiled, scheme: 'xyz' | 'tms'): Promise<Record<string, unknown>> {
  const { set, content_version, path } = tiled
  const rows = scheme === 'tms' ? '/tms' : ''
  return {
    tilejson: '3.0.0',
    name: tiled.name,
    tiles: [`${ctx.house.settings.public_url.replace(/\/$/, '')}/api${path}${rows}/{z}/{x}/{y}.webp?v=${content_version}`],
    bounds: set.bounds,
    center: centreOf(set),
    minzoom: set.min_zoom,
    maxzoom: set.max_zoom,
    scheme,
    version: `1.${content_version}.0`,
    attribution: (await siteOf(ctx, site_id)).name,
  }
}

/** Returns what is known about the tiles of a site map. */
export function tileInfo(map: SiteMapRow): Record<string, unknown> {
  const { set } = tiledMap(map)
  return {
    status: map.status,
    tile_size: TILE,
    formats: formatsOf(set),
    min_zoom: set.min_zoom,
    max_zoom: set.max_zoom,
    bounds: set.bounds,
    center: centreOf(set),
    content_version: map.content_version,
    ground_resolution_m: set.ground_resolution_m,
    rmse_m: set.rmse_m,
    quality: set.quality,
    tile_count: set.tiles,
    bytes: set.index_at,
  }
}

const cards = new Map<string, Promise<Buffer>>()
const CARDS_AT_MOST = 100
/** What is shown around a site of which only the position is known, metres. */
const AROUND_M = 150
const MARGIN_M = 10

/** Returns the picture of a site for its card: the active map, the boundary and the buildings as they are now. */
export async function siteCard(ctx: Ctx, site_id: string): Promise<Sent> {
  const ground = await groundOf(ctx.db, site_id)
  const active = await activeAt(ctx, site_id)
  const buildings = (await outlinesAt(ctx, site_id, ctx.now, { kind: ['building'] })).map(building => building.geometry)
  const map = active?.served == null ? null : { ...active, served: active.served }
  const facts = [map?.id, map?.content_version, ground.boundary, ground.location, buildings]
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  const known = cards.get(digest) ?? drawn(ctx, map, cardBox(ground, map?.served.bounds ?? null, buildings), ground.boundary, buildings)
  cards.delete(digest)
  cards.set(digest, known)
  known.catch(() => cards.delete(digest))
  for (const oldest of cards.keys()) {
    if (cards.size <= CARDS_AT_MOST) break
    cards.delete(oldest)
  }
  return { type: 'image/webp', bytes: await known, headers: { etag: `"${digest.slice(0, 32)}"`, 'cache-control': 'private, no-cache' } }
}

/** Returns the part of the world that a card shows. */
function cardBox({ boundary, location }: Awaited<ReturnType<typeof groundOf>>, map: Box | null, buildings: readonly Areal[]): Box {
  if (boundary !== null) return widened(boundsOf(boundary), MARGIN_M)
  if (map !== null) return map
  const corners = buildings.flatMap(building => {
    const [west, south, east, north] = boundsOf(building)
    return [[west, south] satisfies Position, [east, north] satisfies Position]
  })
  if (corners.length > 0) return widened(boundsOf({ type: 'LineString', coordinates: corners }), MARGIN_M)
  const { lon, lat } = location ?? { lon: 0, lat: 0 }
  return widened([lon, lat, lon, lat], AROUND_M)
}

type DrawnMap = SiteMapRow & { served: NonNullable<SiteMapRow['served']> }

async function drawn(ctx: Ctx, map: DrawnMap | null, box: Box, boundary: Areal | null, buildings: readonly Areal[]): Promise<Buffer> {
  const window = windowOf(box)
  const outline = (area: Areal) =>
    polygonsOf(area)
      .map(rings =>
        svgPath(
          rings.map(ring =>
            ring.map((position): [number, number] => {
              const [x, y] = worldOf(lonLat(position))
              return [(x - window.left) / window.pixel, (y - window.top) / window.pixel]
            }),
          ),
        ),
      )
      .join('')
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}">`,
    ...buildings.map(building => `<path d="${outline(building)}" fill="#54585d" fill-opacity="0.25" stroke="#54585d" stroke-width="1.5"/>`),
    ...(boundary === null ? [] : [`<path d="${outline(boundary)}" fill="none" stroke="#14703a" stroke-width="3"/>`]),
    '</svg>',
  ].join('')
  const { house } = ctx
  if (map === null) return quick.card(null, box, lines)
  await makePreview(house, map, { by: quick })
  return withScratch(house, async scratch => {
    const path = scratch()
    await fetchTo(house, previewKey(map), path)
    return quick.card({ path, laid: map.served.laid }, box, lines)
  })
}
