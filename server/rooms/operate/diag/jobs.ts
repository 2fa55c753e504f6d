import { DAY, later } from '../../../../shared/time.ts'
import type { Schedule } from '../../../kernel/jobs/door.ts'
import { dropOldLines } from '../../../kernel/lines/door.ts'

const KEPT_DAYS = 14
const AUTH_KEPT_DAYS = 90

export const schedules: Schedule[] = [
  {
    kind: 'line_retention',
    says: 'Deletes log lines after 14 days, and sign-in events after 90 days.',
    every_minutes: 24 * 60,
    run: async house => {
      const now = house.clock.now()
      return { dropped: await dropOldLines(house.database.db, later(now, -KEPT_DAYS * DAY), later(now, -AUTH_KEPT_DAYS * DAY)) }
    },
  },
]
