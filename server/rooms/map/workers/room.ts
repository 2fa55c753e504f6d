import { sql } from '../../../base/db.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { workers } from './actions.ts'
import { worker, workerSchedule } from './door.ts'
import { facts } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'workers',
  says: 'Workers and gangs: who works where and when, once or by a schedule.',
  routes,
  kinds: [worker, workerSchedule],
  uses: workers.uses,
  exports: [workers.area.exported('workers')],
  changes: [workers.area.changing('worker', { people: sql`t.headcount`, facts })],
  members: [workers.area.members(facts)],
  tokens: [workers.tokens],
  site: { outside: [workers.area.outside] },
})
