// How the live view of the map follows the clock: what was read is read again when a change that was known before has passed.
import type { Schemas } from '../../../base/api.ts'
import { untilReread } from '../../../base/live.ts'
import { queries } from '../../../base/query.ts'
import { serviceTime } from '../../../base/service-time.ts'
import { hasPassed, isWhole } from './passing.ts'

/** How often something is read again of which no event and no change says when it is due. */
export const AGAIN_MS = 60_000

/** Returns whether an open page follows all changes of today. */
export function isFollowed(): boolean {
  const days = queries.getQueryCache().findAll({ queryKey: ['changes'], type: 'active' })
  return days.some(({ queryKey, state: { error } }) => {
    const day = queries.getQueryData<Schemas['ChangePoints']>(queryKey)
    // With a group, only the changes of its members are known.
    return (queryKey[4] ?? null) === null && error === null && day !== undefined && isWhole(day, serviceTime())
  })
}

/** Returns how long to wait until something that is there now is read again: seldom if events and the changes of the day say when it is due, otherwise each minute. */
export const untilLooked = (): number => (isFollowed() ? untilReread() : AGAIN_MS)

/** Reads everything on the screen again whose last change has passed since it was read. `now` is a time of this device. */
export function readPassed(day: Schemas['ChangePoints'], now: number): Promise<void> {
  return queries.invalidateQueries({
    type: 'active',
    predicate: ({ meta, state: { dataUpdatedAt } }) =>
      meta?.kinds !== undefined && hasPassed(day, meta.kinds, serviceTime(dataUpdatedAt), serviceTime(now)),
  })
}
