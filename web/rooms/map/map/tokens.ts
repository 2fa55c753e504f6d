// Workers, gangs, plant and deliveries on the map, as plain data: what is there at an instant, and the ground that it takes up.

import type { LonLat } from '../../../../shared/geometry/plane.ts'
import { discAround, rectangleAround, sectorAround } from '../../../../shared/geometry/reach.ts'
import type { Schemas } from '../../../base/api.ts'
import { type Ground, groundIn, middleOf, type Spot, spotIn } from './model.ts'

/** A worker or gang. */
export type Worker = Schemas['Worker']
/** A machine. */
export type Plant = Schemas['Plant']
/** A delivery or collection. */
export type Delivery = Schemas['Delivery']
/** Something that people move on the map. */
export type Token = ({ token: 'worker' } & Worker) | ({ token: 'plant' } & Plant) | ({ token: 'delivery' } & Delivery)
/** A worker, a gang or a machine: what people put somewhere, and what stays there until its time is over. */
export type Standing = Exclude<Token, { token: 'delivery' }>

/** Returns whether something has started before this time and isn’t over: it can be finished then, because nothing ends when it starts. */
export const isRunning = ({ start_at, end_at }: Pick<Standing, 'start_at' | 'end_at'>, now: number): boolean =>
  Date.parse(start_at) < now && (end_at === null || now < Date.parse(end_at))

/** Returns the position of a token. */
export function tokenSpot({ place }: Pick<Token, 'place'>): Spot | null {
  const ground = groundIn(place.polygon)
  return spotIn(place.point) ?? (ground === null ? null : middleOf(ground))
}

/** A part of the ground that a token takes up; `radius_m`: how far it reaches from its sign, if it is around it. */
export type Reach = { part: 'area' | 'footprint' | 'working' | 'exclusion'; ground: Ground; radius_m: number | null }

/** The most that the line between two corners of an arc is away from it, metres: less than a pixel, unless the map is as close as it can be. */
const OFF_M = 0.02
/** Returns the degrees between two corners of an arc on the map. */
const stepOf = (metres: number): number => Math.min(30, Math.max(3, (2 * Math.acos(1 - OFF_M / Math.max(metres, 0.2)) * 180) / Math.PI))
const discOf = (centre: LonLat, metres: number): Ground => discAround(centre, metres, stepOf(metres))

/** Returns the ground that a token takes up: the place of a gang or a delivery; the footprint, the working radius and the exclusion zone of a machine. */
export function reachOf(token: Token): Reach[] {
  const drawn = groundIn(token.place.polygon)
  if (drawn !== null) return [{ part: 'area', ground: drawn, radius_m: null }]
  const spot = tokenSpot(token)
  if (spot === null) return []
  const centre = { lon: spot[0], lat: spot[1] }
  if (token.token !== 'plant') {
    const radius_m = token.radius_m ?? (token.token === 'worker' ? 2 : 5)
    return [{ part: 'area', ground: discOf(centre, radius_m), radius_m }]
  }
  const { exclusion_radius_m, working_radius_m, slew_from_deg, slew_to_deg, length_m, width_m, bearing_deg } = token
  const swept = (metres: number) =>
    slew_from_deg === null || slew_to_deg === null
      ? discOf(centre, metres)
      : sectorAround(centre, metres, slew_from_deg, slew_to_deg, stepOf(metres))
  return [
    // What everyone keeps out of is never hidden.
    ...(exclusion_radius_m > 0 ? [{ part: 'exclusion' as const, ground: swept(exclusion_radius_m), radius_m: null }] : []),
    ...(working_radius_m === null ? [] : [{ part: 'working' as const, ground: swept(working_radius_m), radius_m: working_radius_m }]),
    ...(length_m === null || width_m === null
      ? []
      : [
          {
            part: 'footprint' as const,
            ground: rectangleAround(centre, length_m, width_m, bearing_deg),
            radius_m: Math.hypot(length_m, width_m) / 2,
          },
        ]),
  ]
}

/** What is wrong with a token, the worst first: it is a word on the map and in the list, not only a colour. */
export type Alarm = 'examination_expired' | 'no_permit' | 'overrunning' | 'late' | 'off_place'

/** Returns what people have to see about a token; null if there is nothing. */
export function alarmOf(token: Token): Alarm | null {
  if (token.token === 'plant' && token.examination_state === 'expired') return 'examination_expired'
  if (token.no_permit) return 'no_permit'
  if (token.token === 'delivery' && token.overrunning) return 'overrunning'
  if (token.token === 'delivery' && token.late) return 'late'
  return token.off_place ? 'off_place' : null
}

/** Returns the short text below a token on the map: the name, and the number of people of a gang. */
export const saysOf = (token: Token): string =>
  token.token === 'worker' && token.headcount > 1 ? `${token.name} · ${token.headcount}` : token.name

const GRAVITY: Record<Alarm, number> = { examination_expired: 5, no_permit: 4, overrunning: 3, late: 2, off_place: 1 }
const gravityOf = (token: Token): number => {
  const alarm = alarmOf(token)
  return alarm === null ? 0 : GRAVITY[alarm]
}

/** Orders tokens for the list: those with something wrong first, the worst at the top, then gangs before plant, then by name. */
export const tokensInOrder = (tokens: readonly Token[]): Token[] =>
  tokens.toSorted((a, b) => gravityOf(b) - gravityOf(a) || b.token.localeCompare(a.token) || a.name.localeCompare(b.name))

/** Returns the number of people in gangs. */
export const headcountOf = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, token) => sum + (token.token === 'worker' ? token.headcount : 0), 0)
