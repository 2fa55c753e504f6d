// Marks of permits on the map, as plain data.
import type { Standing } from '../permits/door.tsx'

/** Longitude and latitude. */
export type Spot = readonly [number, number]

/** The most urgent comes first in a row of marks. */
export const FIRST: readonly Standing[] = [
  'expired',
  'window_ended',
  'handed_back',
  'issued',
  'awaiting_countersign',
  'approved',
  'endorsed',
  'requested',
  'corrections_requested',
  'draft',
  'closed',
  'rejected',
  'withdrawn',
]

/**
 * Permits of one standing on one spot: one mark, with their number. `slot`: its place in the row, in halves of a mark from the middle. Where rows
 * would lie on each other, one mark stands for all of a spot: `from` and `to` are the zooms between which a mark is shown.
 * `says`: how many it stands for, or how many stand behind it.
 */
export type Mark = {
  key: string
  spot: Spot
  standing: Standing
  ids: string[]
  slot: number
  mine: boolean
  from: number
  to: number
  says: string
  /** It stands for marks of several spots, or for a whole row of one. */
  together: boolean
}
