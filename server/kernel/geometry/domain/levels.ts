import type { Areal } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Id } from '../../../base/ids.ts'

/** Where something is in height: without a building on every level of the site, without `from` on every level of its building. */
export type LevelSpan = { building_id: Id | null; from: number | null; to: number | null }

/** Something that is on the ground for a time, compared with others. */
export type OnGround = {
  kind: string
  id: Id
  name: string
  geometry: Areal
  from: Instant
  to: Instant | null
  levels: LevelSpan
  /** The levels that a building has; empty: every level. */
  indexes: readonly number[]
  zone_type: string | null
  contractor_id: Id | null
  exclusive: boolean
  base_m: number | null
  top_m: number | null
}

/** Returns whether two things share a level. */
export function levelsMeet(a: LevelSpan, b: LevelSpan): boolean {
  if (a.building_id === null || b.building_id === null) return true
  if (a.building_id !== b.building_id) return false
  if (a.from === null || b.from === null) return true
  return a.from <= (b.to ?? b.from) && b.from <= (a.to ?? a.from)
}
