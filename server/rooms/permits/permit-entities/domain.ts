// Which permits cover what is on the map, and whether that is enough (`map.md` §0.8). Pure.
import type { Instant } from '../../../../shared/time.ts'
import { type Verdict, wrongStep } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { Covered, LinkedPermit } from '../../../kernel/covers/domain.ts'

/** A permit in one of these states is over, so nothing new is linked to it. */
const OVER = ['closed', 'rejected', 'withdrawn', 'expired']
/** In these states, what a permit covered is part of its record. */
const RECORD = ['closed', 'rejected', 'withdrawn']

type Named = Pick<LinkedPermit, 'permit_number' | 'status'>

/** Returns why nothing can be linked to a permit; null if it can. */
export const cantLink = ({ permit_number, status }: Named): Verdict =>
  OVER.includes(status)
    ? wrongStep(status, [], `${permit_number ?? 'This permit'} is ${status}, so it can’t cover more work. Choose another permit.`)
    : null

/** Returns why no link of a permit can be removed; null if links can be removed. */
export const cantUnlink = ({ permit_number, status }: Named): Verdict =>
  RECORD.includes(status)
    ? wrongStep(status, [], `${permit_number ?? 'This permit'} is ${status}. What it covered is part of its record and can’t be changed.`)
    : null

/** Returns whether something is inside a permit's window from its start to its end. */
export const isInside = ({ start_at, end_at }: Covered, permit: Pick<LinkedPermit, 'start_at' | 'end_at'>): boolean =>
  end_at !== null && permit.start_at !== null && permit.end_at !== null && start_at >= permit.start_at && end_at <= permit.end_at

/** Returns whether something is there at an instant. */
export const isThere = ({ start_at, end_at }: Covered, at: Instant): boolean => start_at <= at && (end_at === null || end_at > at)

/** Returns whether a permit is live at an instant: issued, and in its window. */
export const isLive = ({ status, start_at, end_at }: LinkedPermit, at: Instant): boolean =>
  status === 'issued' && start_at !== null && end_at !== null && start_at <= at && at < end_at

/** What a permit for some work on the map starts with. `contractors`: whose work it is; a permit has one. */
export type Seeded = {
  contractors: (Id | null)[]
  start_at: Instant
  /** Null if some of the work has no end. */
  end_at: Instant | null
  place: { building_id?: Id; level_index?: number; zone_id?: Id; point?: unknown; polygon?: unknown } | null
}

/** Work on the map, as far as a permit for it depends on it. */
type Work = Covered & {
  contractor_id: Id | null
  place: { building_id: Id | null; level_index: number | null; zone_id: Id | null; point?: unknown; polygon?: unknown }
}

const shared = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null] = values
  return values.every(value => value === first) ? first : null
}

/** Returns the window, the contractors and the place of work on the map: the building, level and zone that all of it shares; and the position if it is one record. */
export function seedFrom(tokens: readonly [Work, ...Work[]]): Seeded {
  const places = tokens.map(({ place }) => place)
  const building_id = shared(places.map(place => place.building_id))
  const level_index = building_id === null ? null : shared(places.map(place => place.level_index))
  const zone_id = shared(places.map(place => place.zone_id))
  const { point, polygon } = tokens.length === 1 ? tokens[0].place : {}
  const place = {
    ...(building_id === null ? {} : { building_id }),
    ...(level_index === null ? {} : { level_index }),
    ...(zone_id === null ? {} : { zone_id }),
    ...(polygon == null ? (point == null ? {} : { point }) : { polygon }),
  }
  const ends = tokens.map(({ end_at }) => end_at)
  return {
    contractors: [...new Set(tokens.map(({ contractor_id }) => contractor_id))],
    start_at: tokens.map(({ start_at }) => start_at).toSorted()[0] ?? tokens[0].start_at,
    end_at: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null),
    place: Object.keys(place).length === 0 ? null : place,
  }
}
