// What the map of an instant shows, of everything that was read: what is on the selected floor.
import type { Schemas } from '../../../base/api.ts'
import { standingOf, waitsForMe } from '../../permits/permits/door.tsx'
import { buildingOf, type Frame, levelsOf, onFloor, standsAt } from './model.ts'
import type { Token } from './tokens.ts'

type Floor = Parameters<typeof onFloor>[2]
type Moment = { at: number; ahead: boolean; clock: number }

/** Returns the selected floor: a building, and its level if one is selected. */
export function floorOf(building: string | undefined, said: string | undefined): Floor {
  const level = said === undefined ? Number.NaN : Number(said)
  return building === undefined ? null : { building, level: Number.isInteger(level) ? level : null }
}

/** Returns the permits on the map of an instant, with their standing and whether they wait for the caller. */
export const permitsShown = (rows: readonly Schemas['PermitCard'][], { at, ahead, clock }: Moment, floor: Floor, frame: Frame) =>
  rows
    .filter(permit => standsAt(permit, at, ahead))
    .filter(
      permit => floor === null || (permit.place !== null && onFloor(buildingOf(permit.place, frame), levelsOf(permit.place, frame), floor)),
    )
    .map(permit => ({ ...permit, standing: standingOf(permit, clock), mine: waitsForMe(permit) }))

/** Returns the workers, plant and deliveries on the selected floor. */
export const tokensShown = (all: readonly Token[], floor: Floor): readonly Token[] =>
  all.filter(({ place: { building_id, level_index } }) =>
    onFloor(building_id, level_index == null ? null : [level_index, level_index], floor),
  )
