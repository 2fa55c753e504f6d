import { DAY, later } from '../../../../shared/time.ts'
import { dropOldKeys } from '../../../kernel/idempotency/door.ts'
import { dropOldRuns, type Schedule } from '../../../kernel/jobs/door.ts'
import { dropOldReports } from '../../../kernel/mail/door.ts'

const RUNS_KEPT_DAYS = 90

export const schedules: Schedule[] = [
  {
    kind: 'retention',
    says: 'Deletes job runs and email reports after 90 days, and stored responses after one day.',
    every_minutes: 24 * 60,
    run: async house => {
      const { db } = house.database
      const now = house.clock.now()
      await dropOldKeys(db, later(now, -DAY))
      await dropOldReports(db, later(now, -RUNS_KEPT_DAYS * DAY))
      return { job_runs: await dropOldRuns(db, later(now, -RUNS_KEPT_DAYS * DAY)) }
    },
  },
]
