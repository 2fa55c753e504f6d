// Which things can overlap, and what a cut did (`map.md` §10). Pure.

import type { LonLat } from '../../../../shared/geometry/plane.ts'
import { isOneOf } from '../../../../shared/narrow.ts'
import { PLANT_CATEGORIES } from '../../../../shared/plant.ts'
import type { FieldFault } from '../../../base/errors.ts'
import { converter, gridOfCode, NAMED } from '../../../kernel/geofiles/domain/grids.ts'
import type { OnGround } from '../../../kernel/geometry/domain/levels.ts'
import { levelsMeet } from '../../../kernel/geometry/domain/levels.ts'
import type { FeatureKind, ZoneType } from '../reference-features/domain/features.ts'
import { KINDS, lyingOver, ZONE_TYPES } from '../reference-features/domain/features.ts'

export const GROUND_KINDS = [...KINDS, 'active_area'] as const
export type GroundKindName = (typeof GROUND_KINDS)[number]

export const VERDICTS = ['allow', 'warn', 'refuse'] as const
export type OverlapVerdict = (typeof VERDICTS)[number]

export const RELATIONS = ['equals', 'inside', 'contains', 'crosses'] as const
export type Relation = (typeof RELATIONS)[number]

const NEARLY_ALL = 0.999

/** Returns how one thing lies to another, by the shares of their areas that they have in common. */
export function relationOf(share_of_mine: number, share_of_theirs: number): Relation {
  if (share_of_mine >= NEARLY_ALL) return share_of_theirs >= NEARLY_ALL ? 'equals' : 'inside'
  return share_of_theirs >= NEARLY_ALL ? 'contains' : 'crosses'
}

const heightsMeet = (a: OnGround, b: OnGround): boolean =>
  (a.top_m === null || b.base_m === null || a.top_m > b.base_m) && (b.top_m === null || a.base_m === null || b.top_m > a.base_m)

/** Returns whether two things can share this much ground at the same time. */
export function verdictOn(a: OnGround, b: OnGround, shared_m2: number, areas: { mine_m2: number; theirs_m2: number }): OverlapVerdict {
  if (a.kind === 'active_area' && b.kind === 'active_area') {
    const meet = levelsMeet(a.levels, b.levels) && heightsMeet(a, b)
    return meet && (a.exclusive || b.exclusive) && a.contractor_id !== b.contractor_id ? 'warn' : 'allow'
  }
  if (!isOneOf(KINDS, a.kind) || !isOneOf(KINDS, b.kind)) return 'allow'
  return lyingOver(lying(a, a.kind, areas.mine_m2), lying(b, b.kind, areas.theirs_m2), shared_m2)
}

const lying = ({ zone_type, indexes, levels }: OnGround, kind: FeatureKind, area_m2: number) => ({
  kind,
  area_m2,
  zone_type: ZONE_TYPES.find((known): known is ZoneType => known === zone_type) ?? null,
  levels: indexes.map(index => ({ index })),
  building_id: kind === 'zone' ? levels.building_id : null,
  level_from: levels.from,
  level_to: levels.to,
})

/** What applies to a pair of kinds. */
export type PairRule = {
  kind: GroundKindName
  other_kind: GroundKindName
  verdict: OverlapVerdict
  warn_over_m2: number | null
  refuse_over_m2: number | null
  refuse_over_share: number | null
  says: string
}

const SPECIAL: readonly PairRule[] = [
  {
    ...{ kind: 'area', other_kind: 'area', verdict: 'refuse', warn_over_m2: null, refuse_over_m2: 1, refuse_over_share: null },
    says: 'Areas can’t overlap by more than 1 m².',
  },
  {
    ...{ kind: 'building', other_kind: 'building', verdict: 'warn', warn_over_m2: 0.5, refuse_over_m2: null, refuse_over_share: 0.9 },
    says: 'Buildings that share a level can overlap with a warning, up to 90% of the smaller one.',
  },
  {
    ...{ kind: 'zone', other_kind: 'zone', verdict: 'warn', warn_over_m2: 0.5, refuse_over_m2: null, refuse_over_share: null },
    says: 'Zones of the same type on the same level overlap with a warning; others can overlap.',
  },
  {
    ...{
      kind: 'active_area',
      other_kind: 'active_area',
      verdict: 'warn',
      warn_over_m2: 0.5,
      refuse_over_m2: null,
      refuse_over_share: null,
    },
    says: 'An exclusive area overlaps an area of another contractor with a warning, at the same time, level and height.',
  },
]

/** Returns the rule of every pair of kinds. */
export const pairRules = (): PairRule[] =>
  GROUND_KINDS.flatMap((one, i) =>
    GROUND_KINDS.slice(i).map(
      (other): PairRule =>
        SPECIAL.find(({ kind, other_kind }) => kind === one && other_kind === other) ?? {
          ...{ kind: one, other_kind: other, verdict: 'allow', warn_over_m2: null, refuse_over_m2: null, refuse_over_share: null },
          says: 'They can overlap.',
        },
    ),
  )

/** Returns faults of margins for categories of plant that there are none of: nothing would ever have them. */
export const categoryFaults = (per_category: Readonly<Record<string, number>>): FieldFault[] =>
  Object.keys(per_category).flatMap(name =>
    isOneOf(PLANT_CATEGORIES, name)
      ? []
      : [{ path: `per_category.${name}`, message: `isn’t a category of plant. Use one of ${PLANT_CATEGORIES.join(', ')}.` }],
  )

export const STATES = ['applied', 'undone'] as const
export const RESULTS = ['hole', 'notch', 'split'] as const
export type CutResult = (typeof RESULTS)[number]
export const SOURCES = ['feature', 'freeform'] as const
export const STEPS = ['cut', 'undo', 'reapply', 'outline'] as const

export const PENDING = ['undone', 'outside_outline', 'cutter_ended', 'cutter_changed'] as const
export type PendingReason = (typeof PENDING)[number]

/** Returns what a cut did: parted the feature, made a hole, or crossed its edge. */
export function resultOf(parts_before: number, parts_after: number, cut_m2: number, covered_m2: number): CutResult {
  if (parts_after > parts_before) return 'split'
  return covered_m2 >= cut_m2 * NEARLY_ALL ? 'hole' : 'notch'
}

/** A position in a grid, metres or degrees. */
export type GridPoint = { east: number; north: number }

/** What positions in a grid are in degrees, or what is wrong with them. */
export type InDegrees = { grid: string; accuracy_m: number | null; points: LonLat[] } | { faults: FieldFault[] }

const HIGHEST_LAT = 85.06

/** Converts positions in a grid, such as those that a surveyor writes next to control points, to degrees. */
export function inDegrees(epsg: number, points: readonly GridPoint[]): InDegrees {
  const grid = gridOfCode(epsg)
  const { project } = converter(grid)
  if (grid === null || project === null) return { faults: [{ path: 'epsg', message: `isn’t a grid that can be used here. Use ${NAMED}.` }] }
  const converted = points.map(({ east, north }) => project(east, north))
  const faults = converted.flatMap(([lon, lat], i) =>
    Math.abs(lon) <= 180 && Math.abs(lat) <= HIGHEST_LAT
      ? []
      : [{ path: `points[${i}]`, message: `is nowhere in ${grid.name}. Check both numbers.` }],
  )
  if (faults.length > 0) return { faults }
  return { grid: grid.name, accuracy_m: grid.accuracy_m, points: converted.map(([lon, lat]) => ({ lon: rounded(lon), lat: rounded(lat) })) }
}

const rounded = (degrees: number): number => Number(degrees.toFixed(8))
