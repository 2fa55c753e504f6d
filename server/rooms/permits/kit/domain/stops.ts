// Area stops and permits (`permits-decisions.md` §4, 7): where a permit is, and what stops it. Pure; a stop changes no status.
import type { Instant } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Ground, isIn, type Where } from '../../../messages/alerts/domain.ts'

/** A stop for which a permit hasn’t been revalidated. */
export type OpenStop = { stop_id: Id; alert_id: Id; reason: string; stopped_at: Instant; lifted: boolean }
/** The same with its permit, as the facts of a site list them. */
export type StoppedPermit = OpenStop & { permit_id: Id }

/** Returns whether work goes on under a permit: only such a permit is stopped. Work under one that was handed back has ended. */
export const isUnderWay = ({ status, handed_back_at }: { status: string; handed_back_at: Instant | null }): boolean =>
  status === 'issued' && handed_back_at === null

/** Returns where a permit is: at a place of a stop at least partly, elsewhere, or nobody knows. `wheres`: its own place, and what is linked to it. */
export function placement(ground: Ground, wheres: readonly Where[]): 'inside' | 'outside' | 'unknown' {
  if (wheres.some(where => isIn(ground, where))) return 'inside'
  const known = wheres.some(({ geometry, building_id }) => geometry !== null || (building_id !== null && ground.building_id !== null))
  return known ? 'outside' : 'unknown'
}
