// The things that conflict rules compare, and where they are over time (`conflict-and-planning.md` §0.1, §4.2). Pure: instants are milliseconds since 1970, and
// an open end is Infinity, so that the same code runs on the server and in the browser.
import { type Areal, type Box, boundsOf, type LonLat, middleOf, type Point, type Position, widened } from '../geometry/plane.ts'
import type { EntityFacts, SideKind } from '../predicates/entity.ts'

/** A circle on the ground: a centre in degrees, and a radius in metres. */
export type Disc = { type: 'Disc'; coordinates: Position; radius_m: number }
/** The ground that something takes up. */
export type Ground = Point | Areal | Disc

/**
 * The levels that something is on, from the lowest to the highest. A level that isn't known is null: it is 0 levels away from everything, so that a missing
 * level never hides a clash (§0.4). Open ground is level 0.
 */
export type Levels = { from: number; to: number } | null

/** How well the place is known: of a linked thing, its own point or polygon, or only its zone, level or building (§4.2). */
export const BASES = ['entity', 'own', 'zone', 'level', 'building'] as const
export type Basis = (typeof BASES)[number]

/** Heights above the site datum, in metres. */
export type Heights = { base_m: number; top_m: number }

/** Where a side is for a time: `[from, to)` × ground × level. */
export type Stretch = {
  from: number
  to: number
  ground: Ground
  levels: Levels
  /** Null if the whole level is taken up. */
  heights: Heights | null
  building_id: string | null
  zone_ids: readonly string[]
  basis: Basis
}

/** One of the two things of a pair, with everything that rules can ask about it. */
export type Side = {
  id: string
  kind: SideKind
  /** What stays the same when an occurrence repeats or moves: the series, the machine, or the record itself (§0.1). */
  lineage_id: string
  facts: EntityFacts
  /** Empty if no place is known: then it is compared with nothing, and its conflicts can't be checked. */
  footprint: readonly Stretch[]
  /** Of a permit: its parent, the parent of that, and so on. */
  ancestor_ids?: readonly string[]
  /** Of a permit: the permit that it was reissued from. */
  reissued_from_id?: string | null
  /** Of a permit: the things that are linked to it. */
  linked_ids?: readonly string[]
  /** Of a thing: the permits that it is linked to. */
  permit_ids?: readonly string[]
}

/** What the rules can ask about the site. */
export type SiteFacts = {
  timezone: string
  /** Near the middle of the site. Distances are right to a millimetre for everything within 10 km. */
  centre: { lon: number; lat: number }
  /** The contractors that each contractor oversees. */
  oversees: ReadonlyMap<string, readonly string[]>
  /** The work lines that depend on each work line. */
  dependents: ReadonlyMap<string, readonly string[]>
}

/** Which sides are compared, and when: clashes at some time of `[from, to)`. */
export type Period = { from: number; to: number }

/** Returns the box around some ground, in degrees. */
export const boxOf = (ground: Ground): Box =>
  ground.type === 'Disc' ? widened(boundsOf({ type: 'Point', coordinates: ground.coordinates }), ground.radius_m) : boundsOf(ground)

/** Returns a position near the first of these sides that has a place; null if none has one. */
export function somewhereIn(sides: readonly Pick<Side, 'footprint'>[]): LonLat | null {
  const first = sides.find(side => side.footprint.length > 0)?.footprint[0]
  return first === undefined ? null : middleOf(boxOf(first.ground))
}

/** Returns whether a side can’t be checked, because no place is known (§4.2: never "no conflicts"). */
export const isUnplaced = (side: Pick<Side, 'footprint'>): boolean => side.footprint.length === 0

/**
 * Returns the levels of a place: its own; 0 on open ground; unknown in a building without a level, or if nobody knows whether it is in a building.
 */
export function levelsOf(place: { level_from: number | null; level_to?: number | null; on_open_ground?: boolean }): Levels {
  if (place.level_from !== null) return { from: place.level_from, to: Math.max(place.level_from, place.level_to ?? place.level_from) }
  return place.on_open_ground ? { from: 0, to: 0 } : null
}

/** Returns how many levels are between two things; 0 if one of them is unknown (§0.4, `level_gap`). */
export const levelGap = (a: Levels, b: Levels): number => (a === null || b === null ? 0 : Math.max(0, a.from - b.to, b.from - a.to))

/** Returns whether the first is on a higher level; false if a level is unknown. */
export const isAbove = (a: Levels, b: Levels): boolean => a !== null && b !== null && a.from > b.to

/** Returns whether a permit is above another in their family (§1: a permit and its own ancestor or descendant never clash). */
const isAncestor = (a: Side, b: Side): boolean => b.ancestor_ids?.includes(a.id) ?? false

/**
 * Returns whether two sides can clash at all, before any condition (§1): they have different lineages, and aren't a permit and its ancestor or descendant, a
 * permit and the one that it was reissued from, or a permit and a thing that is linked to it.
 */
export function canClash(a: Side, b: Side): boolean {
  if (a.id === b.id || a.lineage_id === b.lineage_id) return false
  if (isAncestor(a, b) || isAncestor(b, a)) return false
  if (a.reissued_from_id === b.id || b.reissued_from_id === a.id) return false
  if (a.linked_ids?.includes(b.id) || b.linked_ids?.includes(a.id)) return false
  return !(a.permit_ids?.includes(b.id) || b.permit_ids?.includes(a.id))
}
