// What is between two pieces of ground, for conditions (`conflict-and-planning.md` §0.4, fields of `pair`). What is expensive is computed only when a condition asks.
import { MINUTE } from '../time.ts'
import { containmentOf } from './containment.ts'
import type { ContractorRelation, PairFacts } from './pair.ts'
import type { Piece } from './pieces.ts'
import { isAbove, levelGap, type Side, type SiteFacts } from './sides.ts'

const shareOne = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && a.some(one => b.includes(one))

/** Returns whether two pieces share a zone. */
export const shareZone = (a: Piece, b: Piece): boolean => shareOne(a.stretch.zone_ids, b.stretch.zone_ids)

/** Makes the facts of two pieces, the first as a. `distance_m` is in whole millimetres; `overlap` is the common time of both sides in milliseconds. */
export function factsOf(a: Piece, b: Piece, distance_m: number, overlap: number, site: SiteFacts): PairFacts {
  const [one, two] = [a.of.side, b.of.side]
  const { levels: la, heights: ha, building_id: building } = a.stretch
  const { levels: lb, heights: hb, building_id: other } = b.stretch
  const level_gap = levelGap(la, lb)
  return {
    distance_m,
    level_gap,
    vertical_gap_m: ha === null || hb === null ? null : Math.max(0, ha.base_m - hb.top_m, hb.base_m - ha.top_m),
    same_level: level_gap === 0,
    a_above_b: isAbove(la, lb),
    same_building: building !== null && building === other,
    get same_zone() {
      return shareZone(a, b)
    },
    get containment() {
      return containmentOf(a.shape, b.shape)
    },
    overlap_minutes: overlap / MINUTE,
    get contractor_relation() {
      return relationOf(one.facts.contractor_id, two.facts.contractor_id, site)
    },
    same_work_line: one.facts.work_line_id !== null && one.facts.work_line_id === two.facts.work_line_id,
    get shares_permit() {
      return sharePermit(one, two)
    },
    get dependency_linked() {
      const [x, y] = [one.facts.work_line_id, two.facts.work_line_id]
      return x !== null && y !== null && (site.dependents.get(x)?.includes(y) || site.dependents.get(y)?.includes(x) || false)
    },
  }
}

/** Returns the relation of two contractors; unknown if a side has none. */
export function relationOf(a: string | null, b: string | null, { oversees }: Pick<SiteFacts, 'oversees'>): ContractorRelation {
  if (a === null || b === null) return 'unknown'
  if (a === b) return 'same'
  if (oversees.get(a)?.includes(b)) return 'a_oversees_b'
  return oversees.get(b)?.includes(a) ? 'b_oversees_a' : 'different'
}

const sharePermit = (a: Side, b: Side): boolean => shareOne(a.permit_ids, b.permit_ids)
