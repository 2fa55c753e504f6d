import type { Schedule } from '../../../kernel/jobs/door.ts'
import { dropOver } from '../../../kernel/push/door.ts'

export const schedules: Schedule[] = [
  {
    kind: 'push_subscriptions',
    says: 'Deletes devices whose subscription has expired, and delivery records that are no longer needed.',
    every_minutes: 24 * 60,
    run: async house => ({ subscriptions: await dropOver(house.database.db, house.clock.now()) }),
  },
]
