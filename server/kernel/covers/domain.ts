// What permits cover (`map.md` §0.8).
import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** A permit that something on the map is linked to. */
export type LinkedPermit = {
  id: Id
  permit_number: string | null
  title: string | null
  status: string
  categories: string[]
  start_at: Instant | null
  end_at: Instant | null
}

/** What the caller sees of the permits of one thing; whether it has none although the site requires one; whether one of them is live. */
export type Coverage = { permits: LinkedPermit[]; no_permit: boolean; live_permit: boolean }

/** Something on the map that permits can cover, with its time. */
export type Covered = { id: Id; start_at: Instant; end_at: Instant | null }
