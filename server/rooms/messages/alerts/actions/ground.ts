import { type Areal, boundsOf, lonLat } from '../../../../../shared/geometry/plane.ts'
import { discAround } from '../../../../../shared/geometry/reach.ts'
import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Row } from '../../../../base/rows.ts'
import { readPlace, type StoredPlace, shapeOf } from '../../../../kernel/placed/door.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import type { Period, Source } from '../domain.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'alert.place': StoredPlace | null
    'alert.area': Areal | null
    'alert.periods': Period[]
    'alert.source': Source
  }
}

/** An alert as a row. */
export type Alert = Row<'alert'>

/** What a person gave of where an alert is. */
export type GivenGround = Pick<Alert, 'site_id' | 'radius_m' | 'levels'> & { place: unknown }

/** What a place leads to: the building that it is in, and the ground that it covers as it is now. */
export async function grounded(ctx: Ctx, next: GivenGround): Promise<{ set: Partial<Alert>; faults: FieldFault[] }> {
  const fault = (path: string, message: string) => ({ set: {}, faults: [{ path, message }] })
  const { site_id } = next
  if (next.place == null || Object.values(next.place).every(part => part == null)) {
    if (next.radius_m !== null) return fault('radius_m', 'requires a point.')
    if (next.levels.length > 0) return fault('levels', 'requires a building.')
    return { set: { place: null, area: null, bounds: null, building_id: null, radius_m: null }, faults: [] }
  }
  const { stored, faults, building_id } = await readPlace(ctx, site_id, next.place, ctx.now)
  if (faults.length > 0) return { set: {}, faults }
  const shape = shapeOf(stored)
  if (shape?.type !== 'Point' && next.radius_m !== null) return fault('radius_m', 'requires a point.')
  const { level_index } = stored
  const levels = next.levels.length === 0 && level_index !== undefined ? [level_index] : next.levels
  if (levels.length > 0 && stored.building_id === undefined) return fault('levels', 'requires a building.')
  for (const level of levels) {
    const read = await readPlace(ctx, site_id, { building_id: stored.building_id, level_index: level }, ctx.now)
    if (read.faults.length > 0) return fault('levels', `has ${level}, which the building doesn’t have.`)
  }
  const radius_m = shape?.type === 'Point' ? (next.radius_m ?? 25) : null
  const named = stored.zone_id ?? stored.building_id
  const known = shape === null && named !== undefined ? (await shapesAt(ctx.db, site_id, ctx.now, [named])).get(named) : undefined
  const area = shape === null ? (known ?? null) : shape.type === 'Point' ? discAround(lonLat(shape.coordinates), radius_m ?? 25) : shape
  if (area === null) return fault('place', 'Choose where this is: a point or an area on the map, a building or a zone.')
  const [west, south, east, north] = boundsOf(area)
  const bounds = `(${east},${north}),(${west},${south})` // as PostgreSQL writes a box, so that an unchanged one is equal
  return { set: { place: stored, levels: [...levels].sort((a, b) => a - b), radius_m, area, bounds, building_id }, faults: [] }
}

const GROUND = ['place', 'radius_m', 'levels'] as const
/** Returns whether the place differs. */
export const moved = (next: Alert, before: Alert | null) =>
  before === null || GROUND.some(column => canonicalJson(next[column]) !== canonicalJson(before[column]))
/** What a period says. */
export const SAID = ['effect', 'activities', ...GROUND] as const

/** What the place of a write leads to; its hooks read it once. */
const read = new WeakMap<object, ReturnType<typeof grounded>>()
/** Returns what the place of an alert leads to. */
export const groundOf = (ctx: Ctx, next: Alert) => {
  const known = read.get(next) ?? grounded(ctx, next)
  read.set(next, known)
  return known
}
