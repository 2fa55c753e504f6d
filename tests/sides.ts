// Sides of conflicts for tests and benchmarks: permits, gangs, machines and areas in metres around the middle of a site.
import type { Cells, Rule } from '../shared/conflicts/rules.ts'
import type { Ground, Side, SiteFacts, Stretch } from '../shared/conflicts/sides.ts'
import { STANDARD_RULES } from '../shared/conflicts/standard.ts'
import { type Position, planeAt } from '../shared/geometry/plane.ts'
import { type EntityFacts, NO_FACTS, type SideKind } from '../shared/predicates/entity.ts'
import { HOUR, ms } from '../shared/time.ts'
import { MIDDLE } from './geo.ts'

/** A site without oversight or dependencies. */
export const SITE: SiteFacts = { timezone: 'Europe/London', centre: MIDDLE, oversees: new Map(), dependents: new Map() }
export const NOW = ms('2026-03-16T09:00:00.000Z')
const MIDNIGHT = ms('2026-03-16T00:00:00.000Z')

/** Returns an hour of the day of the tests. */
export const hour = (n: number): number => MIDNIGHT + n * HOUR
/** The time around the day of the tests. */
export const PERIOD = { from: hour(-24), to: hour(14 * 24) }

const plane = planeAt(MIDDLE)
/** Returns the position some metres east and north of the middle. */
export const spot = (east: number, north: number): Position => plane.degrees([east, north])
/** Returns a point some metres east and north of the middle. */
export const point = (east: number, north = 0): Ground => ({ type: 'Point', coordinates: spot(east, north) })
/** Returns a circle. */
export const disc = (east: number, north: number, radius_m: number): Ground => ({ type: 'Disc', coordinates: spot(east, north), radius_m })

/** Returns a closed ring through corners in metres. */
export const ring = (corners: readonly (readonly [number, number])[]): Position[] =>
  [...corners, corners[0] ?? ([0, 0] as const)].map(([x, y]) => spot(x, y))

/** Returns a rectangle by its south-west corner and its size, with rectangular holes. */
export function box(
  east: number,
  north: number,
  width: number,
  height: number,
  ...holes: [east: number, north: number, width: number, height: number][]
): Ground {
  const corners = (x: number, y: number, w: number, h: number) =>
    [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ] as const
  return {
    type: 'Polygon',
    coordinates: [ring(corners(east, north, width, height)), ...holes.map(hole => ring(corners(...hole).toReversed()))],
  }
}

/** Returns a stretch from one hour to another. `level`: null if it isn’t known. */
export const stretch = (ground: Ground, from: number, to: number, level: number | null = 0, more: Partial<Stretch> = {}): Stretch => ({
  from: hour(from),
  to: hour(to),
  ground,
  levels: level === null ? null : { from: level, to: level },
  heights: null,
  building_id: null,
  zone_ids: [],
  basis: 'own',
  ...more,
})

/** Returns a side with a footprint. */
export function side(
  kind: SideKind,
  id: string,
  footprint: readonly Stretch[],
  facts: Partial<EntityFacts> = {},
  more: Partial<Side> = {},
): Side {
  return { id, kind, lineage_id: id, facts: { ...NO_FACTS, id, kind, label: id, ...facts }, footprint, ...more }
}

/** Returns a permit of some types. */
export const permit = (id: string, types: string[], footprint: readonly Stretch[], more: Partial<Side> = {}): Side =>
  side('permit', id, footprint, { permit_types: types }, more)

/** Returns a standard rule, switched on. */
export function standard(system_key: string): Rule {
  const found = STANDARD_RULES.find(rule => rule.system_key === system_key)
  if (found === undefined) throw new Error(`No standard rule is called ${system_key}.`)
  return { ...found.content, id: system_key, origin_id: system_key, version: 1, enabled: true, name: found.name }
}

/** Returns a rule between permits with these cells. */
export const matrixRule = (cells: Cells, default_distance_m = 10): Rule => ({
  ...standard('permit_proximity'),
  outcome: { matrix: 'permit_type', default_distance_m, cells },
})

/** Returns a rule with a fixed severity. */
export const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  origin_id: id,
  version: 1,
  enabled: true,
  name: id,
  a: { kinds: ['worker'] },
  b: { kinds: ['worker'] },
  when: { within_m: 5 },
  levels: { mode: 'same' },
  time_buffer_minutes: 0,
  min_overlap_minutes: 0,
  outcome: { severity: 'amber' },
  ...more,
})
