// When what is on a site changes (`site-and-people.md` §17): one sweep over starts and ends, never one read for each instant.
import type { Box } from '../../../shared/geometry/box.ts'
import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** The kinds whose changes can be asked for. */
export const CHANGE_KINDS = [
  'worker',
  'plant',
  'delivery',
  'active_area',
  'poi',
  'text_label',
  'alert',
  'reference_feature',
  'floor_plan',
  'site_map',
  'permit',
  'clash',
] as const

/** A kind whose changes can be asked for. */
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What belongs to a contractor and is at a place, as the filters of lists say it. */
export type Narrowing = {
  contractor_id?: readonly Id[]
  building_id?: readonly Id[]
  level_index?: readonly number[]
  zone_id?: readonly Id[]
  bbox?: string
}

/** What changes are asked for: those of a period. `box` is that of the filters. */
export type WantedChanges = { from: Instant; to: Instant; by: Narrowing; box?: Box }

/** What begins, ends and is changed at an instant; the other numbers are by how much the sums change. */
export type Change = {
  at: Instant
  started: number
  ended: number
  changed: number
  /** People: the headcount of gangs. */
  people: number
  /** Things without a permit. */
  uncovered: number
}

/** What is there at the start of a period, without what begins in that instant; and all changes until its end, in order. */
export type Changes = { alive: number; people: number; uncovered: number; changes: Change[] }

/** Nothing is there, and nothing changes. */
export const NO_CHANGES: Changes = { alive: 0, people: 0, uncovered: 0, changes: [] }
