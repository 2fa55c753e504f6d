import { type Areal, type LonLat, lonLat } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { groundOf, outsideFault, readAreal, readPoint } from '../../../../kernel/geometry/door.ts'
import type { GivenPlace } from '../../../../kernel/placed/schema.ts'
import { share } from '../../../../kernel/records/door.ts'
import { type PinCheck, type UnplacedRecord, unplacedOn } from '../../../../kernel/site/door.ts'
import { FRAME } from '../domain/features.ts'
import { type FoundPlace, finderOf, type NamedFeature, type PlaceTexts } from '../domain/matching.ts'
import { namesAt, placesCalled } from '../queries/features.ts'

/** A place as records store it, without unknown fields. */
export type KnownPlace = { building_id?: Id; level_index?: number; zone_id?: Id; point?: LonLat; polygon?: Areal }

/**
 * Loads the frame of a site once, as it is at an instant (default now). The returned function matches place texts with it, without SQL for each row, and
 * works out each different row only once.
 */
export async function placeFinder(ctx: Ctx, site_id: Id, at: Instant = ctx.now): Promise<(texts: PlaceTexts) => FoundPlace> {
  return finderOf(await namesAt(ctx.db, site_id, at))
}

/** Returns the ids of the buildings and zones whose name, code or alias contains a text now. */
export const placesNamed = (ctx: Ctx, site_id: Id, text: string): Promise<Id[]> => placesCalled(ctx.db, site_id, ctx.now, text)

/** Returns records without a place that could be matched now. */
export async function nowPlaced(ctx: Ctx, site_id: Id): Promise<UnplacedRecord[]> {
  const waiting = await unplacedOn(ctx, site_id)
  if (waiting.length === 0) return []
  const find = await placeFinder(ctx, site_id)
  return waiting.filter(record => find(record).matched)
}

/**
 * Checks a place in a body against the frame that is active at an instant (default now) and the 2 km rule, and completes it: a zone implies its building,
 * and a zone on one level its level. `faults` are those of a 422, below `path`; `place` is null if there are faults, or if the body has no place.
 */
export async function placeOf(
  ctx: Ctx,
  site_id: Id,
  given: GivenPlace,
  options: { at?: Instant; path?: string } = {},
): Promise<{ place: KnownPlace | null; faults: FieldFault[] }> {
  const faults: FieldFault[] = []
  const under = (field: string) => `${options.path ?? 'place'}.${field}`
  const say = (field: string, message: string) => {
    faults.push({ path: under(field), message })
  }
  const place: KnownPlace = {}
  await drawnPlace(ctx, site_id, given, place, under, faults)

  const { building_id, level_index, zone_id } = given
  const named = [building_id, zone_id].filter(id => id != null)
  if (named.length > 0) await share(ctx, FRAME, site_id)
  const found = named.length === 0 ? [] : await namesAt(ctx.db, site_id, options.at ?? ctx.now, named)
  const zone = found.find(feature => feature.id === zone_id && feature.kind === 'zone')
  if (zone_id != null && zone === undefined) say('zone_id', 'isn’t a zone that is active on this site when the work starts.')
  let building = found.find(feature => feature.id === building_id && feature.kind === 'building')
  if (building_id != null && building === undefined)
    say('building_id', 'isn’t a building that is active on this site when the work starts.')
  if (building !== undefined && zone?.building_id != null && zone.building_id !== building.id)
    say('zone_id', `is ${zone.name}, which isn’t in ${building.name}. Choose a zone in that building.`)
  if (building_id == null && zone?.building_id != null) {
    const [home] = await namesAt(ctx.db, site_id, options.at ?? ctx.now, [zone.building_id])
    building = home
  }
  if (building !== undefined) place.building_id = building.id
  if (zone !== undefined) place.zone_id = zone.id
  const level = level_index ?? onlyLevel(zone)
  if (level !== null) {
    const fault = levelFault(level, building, zone, building_id != null)
    if (fault !== null) say('level_index', fault)
    place.level_index = level
  }
  return { place: faults.length > 0 || Object.keys(place).length === 0 ? null : place, faults }
}

/** Checks a pin: its feature is on the plan now, and has the level. */
export const checkPin: PinCheck = async (ctx, site_id, { feature_id, level_index }, path) => {
  const [feature] = await namesAt(ctx.db, site_id, ctx.now, [feature_id])
  if (feature === undefined) return [{ path: `${path}.feature_id`, message: 'isn’t an active area, building or zone on this site.' }]
  if (level_index === null) return []
  const [building] =
    feature.kind === 'zone' && feature.building_id !== null ? await namesAt(ctx.db, site_id, ctx.now, [feature.building_id]) : [feature]
  const home = building?.kind === 'building' ? building : undefined
  if (home === undefined) return [{ path: `${path}.level_index`, message: 'can be set only in a building or an indoor zone. Send null.' }]
  const fault = levelFault(level_index, home, feature.kind === 'zone' ? feature : undefined, true)
  return fault === null ? [] : [{ path: `${path}.level_index`, message: fault }]
}

/** Returns the point or the polygon of a place if it can be on the site. */
async function drawnPlace(
  ctx: Ctx,
  site_id: Id,
  given: GivenPlace,
  place: KnownPlace,
  under: (field: string) => string,
  faults: FieldFault[],
) {
  if (given.point == null && given.polygon == null) return
  if (given.point != null && given.polygon != null) faults.push({ path: under('polygon'), message: 'can’t be sent together with a point.' })
  const ground = await groundOf(ctx.db, site_id)
  if (given.point != null) {
    const point = readPoint(given.point, under('point'), faults)
    const outside = point === null ? null : outsideFault(ground, point)
    if (outside !== null) faults.push({ path: under('point'), message: outside })
    if (point !== null) place.point = lonLat(point.coordinates)
  }
  if (given.polygon != null) {
    const polygon = readAreal(given.polygon, under('polygon'), faults)
    const outside = polygon === null ? null : outsideFault(ground, polygon)
    if (outside !== null) faults.push({ path: under('polygon'), message: outside })
    if (polygon !== null) place.polygon = polygon
  }
}

const onlyLevel = (zone: NamedFeature | undefined): number | null =>
  zone !== undefined && zone.building_id !== null && zone.level_from === zone.level_to ? zone.level_from : null

/** Returns why a level isn't possible; null when it is, or when the building itself is the fault. */
function levelFault(level: number, building: NamedFeature | undefined, zone: NamedFeature | undefined, named: boolean): string | null {
  if (building === undefined) return named ? null : 'needs a building. Send building_id, or the zone_id of an indoor zone.'
  if (!building.levels.some(own => own.index === level)) return `is ${level}, a level that ${building.name} doesn’t have.`
  if (zone?.building_id == null || zone.level_from === null) return null
  const high = zone.level_to ?? zone.level_from
  return level >= zone.level_from && level <= high ? null : `is ${level}, but ${zone.name} is on levels ${zone.level_from} to ${high}.`
}
