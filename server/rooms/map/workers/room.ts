import { sql } from '../../../base/db.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { workers } from './actions.ts'
import { worker, workerSchedule } from './door.ts'
import { workersAt } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'workers',
  says: 'Workers and gangs: who works where and when, once or by a schedule.',
  routes,
  kinds: [worker, workerSchedule],
  uses: [
    ...workers.uses,
    { of: 'contractor', name: 'workers_now', when: 'now', count: (ctx, site_id, ids) => workersAt(ctx.db, site_id, ids, ctx.now) },
  ],
  exports: [workers.area.exported('workers')],
  changes: [workers.area.changing('worker', { people: sql`t.headcount` })],
  members: workers.area.members,
  tokens: [workers.tokens],
  site: { outside: [workers.area.outside], rederive: [workers.rederive] },
})
