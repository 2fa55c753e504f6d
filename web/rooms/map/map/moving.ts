// Moving something on the map with the finger or the arrow keys: where it goes, before it is saved.
import { holds, lonLat, metresBetween, planeAt } from '../../../../shared/geometry/plane.ts'
import type { Schemas } from '../../../base/api.ts'
import { arealOf } from './areas/areal.ts'
import { type Frame, groundOf, type Spot } from './model.ts'
import { type Token, tokenSpot } from './tokens.ts'

/** Where something was moved to, and how far it was turned; null if it wasn’t. */
export type Draft = { id: string; to: Spot | null; turn: number | null }

/**
 * Returns whether a move is one from now on: only a machine that is there now and doesn’t repeat gets another position, and stays where it was on the map of
 * before. A gang, a delivery, a day of a schedule, and what is only planned are where they are said to be.
 */
export const movesNow = (token: Token, now: number): boolean =>
  token.token === 'plant' && token.schedule_group_id === null && Date.parse(token.start_at) <= now

/** Returns whether something is at one point, and not on ground that was drawn. */
export const isAtPoint = ({ place }: Token): boolean => place.polygon == null && place.point != null

/** Returns a position this many metres further east and north. */
export function stepped(spot: Spot, east: number, north: number): Spot {
  const [lon, lat] = planeAt(lonLat(spot)).degrees([east, north])
  return [lon, lat]
}

/** Returns how far something is moved, in whole metres. */
export function metresMoved(token: Token, to: Spot): number {
  const from = tokenSpot(token)
  return from === null ? 0 : Math.round(metresBetween(lonLat(from), lonLat(to)))
}

/** Returns something as it would be after the move. */
export const tokenAt = (token: Token, spot: Spot): Token => ({ ...token, place: { ...token.place, point: lonLat(spot) } })

/** Returns what is on the map while one of it is being moved. */
export const movedTo = (tokens: readonly Token[], id: string | null, to: Spot | null): readonly Token[] =>
  to === null ? tokens : tokens.map(token => (token.id === id ? tokenAt(token, to) : token))

/** Returns the place to save: inside the same building it stays on its level; anywhere else the service finds out what is there. */
export function placeAt(
  { place }: { place: Pick<Schemas['GivenPlace'], 'building_id' | 'level_index'> },
  spot: Spot,
  frame: Frame,
): Schemas['GivenPlace'] {
  const point = lonLat(spot)
  const building = frame.get(place.building_id ?? '')
  if (building === undefined || place.level_index == null || !holds(arealOf(groundOf(building)), point)) return { point }
  return { point, building_id: building.id, level_index: place.level_index }
}
