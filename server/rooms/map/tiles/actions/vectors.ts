// Vector tiles of the map (`map.md` §11): what changes their tag, what is in them, and how it is written.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type Areal,
  boundsOf,
  boxesMeet,
  type LonLat,
  lonLat,
  metresBetween,
  polygonsOf,
  widened,
} from '../../../../../shared/geometry/plane.ts'
import { discAround, rectangleAround, sectorAround } from '../../../../../shared/geometry/reach.ts'
import { dateOn, type Instant } from '../../../../../shared/time.ts'
import { type Coding, compressed } from '../../../../base/coding.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { joined } from '../../../../kernel/geometry/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { areasThen } from '../../active-areas/door.ts'
import { examinationState, exclusionShapes } from '../../plant/door.ts'
import { featuresNear } from '../../reference-features/door.ts'
import { BUFFER, groundOfTile, pointIn, shapeIn, unitsOf } from '../domain/ground.ts'
import { newLayer, tileOfLayers } from '../domain/mvt.ts'
import { type Wanted, wantedTile } from '../domain/pictures.ts'
import { idText, placeOf } from '../domain/spots.ts'
import { type Asked, areasIn, coloursIn, type MachineRow, machinesIn, type Watched } from '../queries.ts'
import { type Made, openTiles } from './cache.ts'
import { stateOf } from './state.ts'
import { type Clock, tokensOf } from './tokens.ts'

/** Features of a layer and tile. */
const AT_MOST = 10_000
/** The farthest reach of a machine, metres. */
const REACH_M = 230
/** Time between two turns of other work, milliseconds. */
const SLICE_MS = 8

type Making = Asked & Clock & { tile: Wanted; zone: string }
type Set = {
  zooms: { min_zoom: number; max_zoom: number }
  watched: Watched
  daily?: true
  make(ctx: Ctx, making: Making): Promise<Buffer | null>
}

/** Does something for each of many things, in slices, so that other requests go on. */
async function each<T>(all: readonly T[], work: (one: T) => void): Promise<void> {
  let since = performance.now()
  for (const one of all) {
    work(one)
    if (performance.now() - since < SLICE_MS) continue
    await turn()
    since = performance.now()
  }
}

async function tokens(ctx: Ctx, making: Making): Promise<Buffer | null> {
  const units = unitsOf(making.tile)
  const [points, areas] = [newLayer('tokens', 'id'), newLayer('token_areas', 'id')]
  await each(await tokensOf(ctx, making, AT_MOST), ({ alike, spots, names, series, polygons }) => {
    // What tokens have in common is written with the first of them that is on the tile.
    let addPoint: ReturnType<typeof points.alike> | undefined
    let addArea: ReturnType<typeof areas.alike> | undefined
    for (const [n, name] of names.entries()) {
      const place = placeOf(spots, n)
      const polygon = polygons?.[n] ?? null
      const inside = boxesMeet([place.lon, place.lat, place.lon, place.lat], making.box)
      const point = inside ? pointIn(units, place) : null
      const shapes = polygon !== null && boxesMeet(boundsOf(polygon), making.box) ? shapeIn(units, polygon, making.tile.z) : []
      if (point === null && shapes.length === 0) continue
      const properties = { id: idText(spots, n), name, schedule_group_id: series?.[n] }
      if (point !== null) {
        addPoint ??= points.alike(alike)
        addPoint({ point, properties })
      }
      if (shapes.length > 0) {
        addArea ??= areas.alike(alike)
        addArea({ polygons: shapes, properties })
      }
    }
  })
  return tileOfLayers([points.done(), areas.done()])
}

/** Returns the parts of the ground that a machine takes up. */
function partsOf(machine: MachineRow): [string, Areal][] {
  const {
    place,
    working_radius_m: working,
    slew_from_deg: from,
    slew_to_deg: to,
    length_m,
    width_m,
    bearing_deg,
    exclusion_radius_m,
  } = machine
  const centre: LonLat | undefined = place.point
  if (centre === undefined) return []
  const swept =
    working === null || working <= 0
      ? null
      : from === null || to === null
        ? discAround(centre, working)
        : sectorAround(centre, working, from, to)
  const footprint = length_m === null || width_m === null ? null : rectangleAround(centre, length_m, width_m, bearing_deg)
  const [first, ...others] = exclusionShapes(centre, machine)
  // What swings within the full circle adds nothing to it.
  const inside =
    from === null &&
    others.every(one =>
      polygonsOf(one)
        .flat(2)
        .every(corner => metresBetween(centre, lonLat(corner)) < exclusion_radius_m * 0.99),
    )
  return [
    ...(footprint === null ? [] : [['footprint', footprint] satisfies [string, Areal]]),
    ...(swept === null ? [] : [['working', swept] satisfies [string, Areal]]),
    ...(first === undefined ? [] : [['exclusion', inside ? first : joined([first, ...others])] satisfies [string, Areal]]),
  ]
}

async function plants(ctx: Ctx, making: Making): Promise<Buffer | null> {
  const units = unitsOf(making.tile)
  const layer = newLayer('plants')
  let n = 0
  await each(await machinesIn(ctx.db, { ...making, box: widened(making.box, REACH_M) }, AT_MOST), machine => {
    const { id, name, category, contractor_id, level_index, no_permit, contractor_colour } = machine
    const common = { name, category, contractor_id, colour: machine.colour ?? contractor_colour, level_index, no_permit }
    const examination_state = examinationState(machine, dateOn(making.zone, making.at))
    for (const [part, ground] of partsOf(machine)) {
      const polygons = n < AT_MOST ? shapeIn(units, ground, making.tile.z) : []
      if (polygons.length === 0) continue
      n++
      layer.add({ polygons, properties: { id, part, ...common, examination_state } })
    }
  })
  return tileOfLayers([layer.done()])
}

async function zones(ctx: Ctx, making: Making): Promise<Buffer | null> {
  const { site_id, at, box, level_index, tile } = making
  const units = unitsOf(tile)
  const [shapes, labels] = [newLayer('zones'), newLayer('zone_labels')]
  const [features, areas, colours] = await Promise.all([
    featuresNear(ctx, site_id, at, { box, ...(level_index === undefined ? {} : { level_index: [level_index] }) }, AT_MOST),
    areasIn(ctx.db, making, areasThen(site_id, at), AT_MOST),
    coloursIn(ctx.db, site_id),
  ])
  const all = [
    ...features.map(one => ({
      ground: one.geometry,
      middle: { lon: one.centre_lon, lat: one.centre_lat },
      ...{ id: one.id, kind: one.kind, type: one.zone_type, code: one.code, name: one.name, contractor_id: one.contractor_id },
      ...{ colour: colours.get(one.contractor_id ?? ''), building_id: one.building_id, level_from: one.level_from, level_to: one.level_to },
      ...{ area_m2: one.area_m2, exclusive: null, start_at: one.shown_from, end_at: one.shown_to },
    })),
    ...areas.map(one => ({
      ground: one.geometry,
      middle: { lon: one.lon, lat: one.lat },
      ...{ id: one.id, kind: 'active_area', type: one.area_kind, code: null, name: one.name, contractor_id: one.contractor_id },
      ...{
        colour: one.colour ?? colours.get(one.contractor_id ?? ''),
        building_id: one.building_id,
        level_from: one.level_index,
        level_to: one.level_index,
      },
      ...{ area_m2: one.area_m2, exclusive: one.exclusive, start_at: one.start_at, end_at: one.end_at },
    })),
  ].slice(0, AT_MOST)
  await each(all, ({ ground, middle, ...properties }) => {
    const point = pointIn(units, middle)
    if (point !== null) labels.add({ point, properties })
    const polygons = shapeIn(units, ground, tile.z)
    if (polygons.length > 0) shapes.add({ polygons, properties })
  })
  return tileOfLayers([shapes.done(), labels.done()])
}

const starts = (...tables: readonly ('worker' | 'plant' | 'delivery' | 'active_area')[]) =>
  tables.flatMap(table => [[table, 'start_at'] as const, [table, 'end_at'] as const])

/** The sets of vector tiles. */
const SETS = {
  tokens: {
    zooms: { min_zoom: 12, max_zoom: 20 },
    watched: { layers: ['tokens'], instants: starts('worker', 'plant', 'delivery'), deliveries: true },
    make: tokens,
  },
  plants: { zooms: { min_zoom: 14, max_zoom: 20 }, watched: { layers: ['tokens'], instants: starts('plant') }, daily: true, make: plants },
  zones: {
    zooms: { min_zoom: 12, max_zoom: 20 },
    watched: {
      layers: ['reference', 'areas'],
      instants: [
        ...starts('active_area'),
        ...[['active_area', 'version_from'] as const, ['active_area_version', 'valid_from'] as const],
        ...[['reference_feature_version', 'valid_from'] as const, ['reference_feature_version', 'valid_to'] as const],
      ],
    },
    make: zones,
  },
} satisfies Record<string, Set>

const cache = openTiles({ bytes: 64 * 2 ** 20, at_once: 2, waiting: 500 })

/** A vector tile as it is sent; `same`: the caller has it already. */
export type SentVector = { made: Made; headers: Record<string, string>; same: boolean }

/** Returns a vector tile. A caller that has it already gets nothing, before any geometry is read. */
export async function vectorTile(
  ctx: Ctx,
  site_id: Id,
  which: keyof typeof SETS,
  params: Readonly<Record<string, string>>,
  { at = ctx.now, level_index }: { at?: Instant | undefined; level_index?: number | undefined },
  wire: { if_none_match: string | null; coding: Coding | null },
): Promise<SentVector> {
  const set: Set = SETS[which]
  const wanted = wantedTile(params, set.zooms)
  if ('refusal' in wanted) return refuse(wanted.refusal)
  const { tile } = wanted
  const zone = ctx.actor.standing?.timezone ?? (await siteOf(ctx, site_id)).timezone
  const { revision, last, leaves } = await stateOf(ctx, site_id, which, set.watched, at)
  const key = [site_id, which, revision, last ?? '', set.daily ? dateOn(zone, at) : '', level_index ?? '', tile.z, tile.x, tile.y].join(' ')
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`
  const { coding } = wire
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  }
  const known = wire.if_none_match?.split(',').some(one => one.trim().replace(/^W\//, '') === etag)
  if (known) return { made: null, headers, same: true }
  const made = await cache.get(`${key} ${coding}`, async () => {
    const box = groundOfTile(tile, BUFFER.points)
    const plain = await set.make(ctx, { site_id, at, now: ctx.now, box, level_index, tile, zone, last, leaves })
    return plain === null || coding === null ? plain : compressed(plain, coding)
  })
  return { made, headers, same: false }
}
