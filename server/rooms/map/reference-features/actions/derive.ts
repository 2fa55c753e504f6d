// Where something is: what a person named, and what follows from its position (`map.md` §0.2, rules 3 and 4).
import { boundsOf, type Geometry, type LonLat, lonLat, metresTo, position } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { overlapArea, pointOn, readAreal, readPoint } from '../../../../kernel/geometry/door.ts'
import type { PlaceReader } from '../../../../kernel/placed/door.ts'
import { changesOf, type FeatureRow, featuresAt, shapesOf, versionsThen } from '../queries/features.ts'
import { placeOf } from './places.ts'

/** On the edge of a building is in it. */
const ON_THE_EDGE = 0.001
/** A position can be this far outside what a person named, in metres. */
const OFF_PLACE_M = 1
const ALL = { limit: 20_000, after: null }

/** Returns the shape of a body if it can be read; its faults are found by `placeOf`. */
function geometryIn(point: unknown, polygon: unknown): Geometry | null {
  const faults: FieldFault[] = []
  return point != null ? readPoint(point, '', faults) : polygon == null ? null : readAreal(polygon, '', faults)
}

/** Returns a check whether a feature contains the shape: a point, or at least half of a polygon and a point on its surface. */
function holding(geometry: Geometry, at: LonLat): (feature: FeatureRow) => boolean {
  if (geometry.type === 'Point' || geometry.type === 'LineString') return feature => metresTo(feature.geometry, at) <= ON_THE_EDGE
  const area = overlapArea(geometry, geometry)
  return feature => metresTo(feature.geometry, at) <= ON_THE_EDGE && overlapArea(geometry, feature.geometry) * 2 >= area
}

const smallest = (features: readonly FeatureRow[]): FeatureRow | undefined =>
  features.toSorted((a, b) => a.area_m2 - b.area_m2 || (a.id < b.id ? -1 : 1))[0]

const onLevel = (zone: FeatureRow, level: number | null): boolean =>
  level === null || zone.level_from === null || (level >= zone.level_from && level <= (zone.level_to ?? zone.level_from))

/** Reads a place, and finds the building, level and zone that a person left out. */
const read: PlaceReader['read'] = async (ctx, site_id, given, at) => {
  const geometry = geometryIn(given.point, given.polygon)
  const where = geometry === null ? null : geometry.type === 'Point' ? lonLat(geometry.coordinates) : pointOn(areal(geometry))
  const around = geometry === null || where === null ? [] : await standingAround(ctx, site_id, geometry, where, at)
  const named = given.building_id != null || given.level_index != null || given.zone_id != null
  // What a person named comes first: a named zone implies its building.
  const home = given.building_id ?? (given.zone_id == null ? smallest(around.filter(({ kind }) => kind === 'building'))?.id : undefined)
  const { place, faults } = await placeOf(ctx, site_id, { ...given, ...(home === undefined ? {} : { building_id: home }) }, { at })
  if (place === null || faults.length > 0) {
    const none = { building_id: null, level_index: null, zone_id: null }
    return { stored: {}, place_source: 'none', ...none, faults }
  }
  const building_id = place.building_id ?? null
  const level_index = place.level_index ?? (await groundLevel(ctx, site_id, building_id, at))
  const zones = around.filter(({ kind, building_id: of }) => kind === 'zone' && of === building_id)
  const zone_id = place.zone_id ?? smallest(zones.filter(zone => onLevel(zone, level_index)))?.id ?? null
  const { point, polygon } = place
  const said = (id: Id | null | undefined) => id != null
  return {
    stored: {
      ...(said(given.building_id) && place.building_id !== undefined ? { building_id: place.building_id } : {}),
      ...(given.level_index != null && place.level_index !== undefined ? { level_index: place.level_index } : {}),
      ...(said(given.zone_id) && place.zone_id !== undefined ? { zone_id: place.zone_id } : {}),
      ...(point === undefined ? {} : { point }),
      ...(polygon === undefined ? {} : { polygon }),
    },
    place_source: named ? 'given' : building_id !== null || zone_id !== null ? 'derived' : 'none',
    building_id,
    level_index,
    zone_id,
    faults,
  }
}

const areal = (geometry: Exclude<Geometry, { type: 'Point' }>) =>
  geometry.type === 'LineString' ? { type: 'Polygon' as const, coordinates: [geometry.coordinates] } : geometry

/** Returns the buildings and zones that contain a shape. */
async function standingAround(ctx: Ctx, site_id: Id, geometry: Geometry, where: LonLat, at: Instant): Promise<FeatureRow[]> {
  const box = boundsOf({ type: 'Point', coordinates: position(where) })
  const near = await featuresAt(ctx.db, site_id, at, { kind: ['building', 'zone'], box }, ALL)
  return near.filter(holding(geometry, where))
}

/** Returns the ground level of a building, if it has one. */
async function groundLevel(ctx: Ctx, site_id: Id, building_id: Id | null, at: Instant): Promise<number | null> {
  if (building_id === null) return null
  const [building] = await featuresAt(ctx.db, site_id, at, { id: [building_id] }, ALL)
  return building?.levels.some(({ index }) => index === 0) ? 0 : null
}

const off: PlaceReader['off'] = async (ctx, site_id, standings) => {
  const versions = await versionsThen(ctx.db, site_id, standings)
  const shapes = await shapesOf(ctx.db, site_id, [...new Set(versions.flatMap(id => id ?? []))])
  return standings.map(({ where }, i) => {
    const shape = shapes.get(versions[i] ?? '')
    return shape === undefined || metresTo(shape, where) > OFF_PLACE_M
  })
}

const changes: PlaceReader['changes'] = async (ctx, site_id, given, from, to) => {
  const geometry = geometryIn(given.point, given.polygon)
  const ids = [given.building_id, given.zone_id].flatMap(id => id ?? [])
  return changesOf(ctx.db, site_id, { box: geometry === null ? null : boundsOf(geometry), ids, from, to })
}

/** How places in bodies are read. */
export const places: PlaceReader = { read, off, changes }
