// Some records have a place and a time, and are still not there: a delivery that was cancelled. Their area says which ones are.
import type { Instant } from '../../../../shared/time.ts'
import type { sql } from '../../../base/db.ts'
import type { aliveAt } from '../queries.ts'

/** Which records of an area are there at an instant, besides their time. */
export type There<Row> = {
  /** The condition on a row `t`; `at` null means some time. */
  where(at: Instant | null, now: Instant): ReturnType<typeof aliveAt>
  /** Whether a row can be there at all. */
  is(row: Row): boolean
  /** The end of a row `t` that people see, where it can be another than the one that is stored. */
  end_at?(now: Instant): ReturnType<typeof sql>
}
