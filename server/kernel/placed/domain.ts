// Everything that is on the map for a time: when it can be changed, and what deleting it means (`map.md` §0.1, §0.4). Pure.
import type { Box } from '../../../shared/geometry/plane.ts'
import { HOUR, type Instant, later } from '../../../shared/time.ts'
import { forbidden, type Verdict } from '../../base/errors.ts'

/** When something is there: from its start until just before its end; without an end, forever. */
export type Life = { start_at: Instant; end_at: Instant | null }

/** Contractors can correct what ended this recently; the diary and lost time rest on what is older. */
const CORRECTED_HOURS = 24

/** Returns whether something is still ahead, is there, or has ended. */
export function stateAt({ start_at, end_at }: Life, now: Instant): 'future' | 'running' | 'past' {
  if (start_at >= now) return 'future'
  return end_at !== null && end_at <= now ? 'past' : 'running'
}

/** What is said of something whose place is missing, or of another kind than its place has. */
export const PLACE_MISSING = {
  point: 'Choose the point on the map where this is.',
  polygon: 'Draw on the map where this is.',
  either: 'Choose on the map where this is: a point or an area.',
} as const

/** The permissions of things on the map. */
export const MAP_ANY = 'map_entity_edit_any'
export const MAP_PURGE = 'map_entity_purge'

/** Returns why someone can’t change what ended a day ago; null if they can. */
export function tooLate({ end_at }: Life, now: Instant, can_edit_any: boolean, any = MAP_ANY): Verdict {
  return can_edit_any || end_at === null || later(end_at, CORRECTED_HOURS * HOUR) > now
    ? null
    : forbidden(any, 'This ended more than 24 hours ago. Only a coordinator can still change it.')
}

/** Returns why someone can’t delete what has ended; null if they can. */
export const cantPurge = (life: Life, now: Instant, can_purge: boolean): Verdict =>
  can_purge || stateAt(life, now) !== 'past'
    ? null
    : forbidden(
        MAP_PURGE,
        'This has ended, and stays on the map of that time. Only an H&S person, site manager or administrator can delete it.',
      )

/** Why the links of a thing to permits were removed, if it was deleted. */
export const deleted = (label: string): string => `${label} was deleted.`

/** Returns the box around several boxes. */
export const boxAround = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(box => box[0])),
  Math.min(...boxes.map(box => box[1])),
  Math.max(...boxes.map(box => box[2])),
  Math.max(...boxes.map(box => box[3])),
]

/** Returns the time that several lives take up together. */
export const spanOf = (lives: readonly Life[]): { from: Instant; to: Instant | null } => ({
  from: lives.reduce((first, { start_at }) => (start_at < first ? start_at : first), lives[0]?.start_at ?? ''),
  to: lives.some(({ end_at }) => end_at === null)
    ? null
    : lives.reduce((last, { end_at }) => (end_at !== null && end_at > last ? end_at : last), ''),
})
