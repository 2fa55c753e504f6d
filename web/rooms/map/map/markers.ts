// Markers of permits on the map, as plain data.
import type { Standing } from '../../permits/permits/door.tsx'

/** Longitude and latitude. */
export type Spot = readonly [number, number]

/** The most urgent status comes first in a row of markers. */
export const FIRST: readonly Standing[] = [
  'stopped',
  'expired',
  'window_ended',
  'handed_back',
  'issued',
  'awaiting_countersign',
  'not_started',
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
 * Permits of one status at one position: one marker, with their number. `slot`: its place in the row, in half widths of a marker from the middle. Where rows would
 * overlap, one marker represents all of a position: `from` and `to` are the zooms between which a marker is shown. `says`: how many permits it represents, or how
 * many are behind it.
 */
export type Marker = {
  key: string
  spot: Spot
  standing: Standing
  ids: string[]
  slot: number
  mine: boolean
  from: number
  to: number
  says: string
  /** True if it represents markers of several positions, or a whole row at one position. */
  together: boolean
}
