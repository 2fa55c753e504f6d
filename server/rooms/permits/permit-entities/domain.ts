// Which permits cover what is on the map, and whether that is enough (`map.md` §0.8). Pure.
import type { Instant } from '../../../../shared/time.ts'
import { type Verdict, wrongStep } from '../../../base/errors.ts'
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
