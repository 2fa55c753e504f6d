import { jobActor } from '../../../base/actor.ts'
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type Batch, inRounds, type Schedule } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { alerts } from './actions/alerts.ts'
import { needsAPerson } from './domain.ts'
import { lockDue, sitesWithSteps } from './queries.ts'

/** Alerts in one transaction. */
const AT_ONCE = 100

const stepsOn = (house: House, site_id: Id): Promise<Batch> =>
  writingOn(house, { actor: jobActor('alerts'), cause: 'alert.clock' }, site_id, async ctx => {
    const due = await lockDue(ctx.db, site_id, ctx.now, AT_ONCE)
    for (const row of due) await alerts.step(ctx, row, row.state === 'scheduled' ? 'start' : needsAPerson(row) ? 'overrun' : 'lapse', {})
    return { done: due.length, more: due.length === AT_ONCE }
  })

/** Starts alerts whose start has come, and ends those whose end has come; danger and what stops work become overdue instead. */
export const sweepAlerts = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithSteps(house.database.db, house.clock.now()), batch: site_id => stepsOn(house, site_id) })

export const schedules: Schedule[] = [
  {
    kind: 'alerts',
    says: 'Starts and ends alerts by the clock, and reports those that are overdue.',
    every_minutes: 1,
    run: async house => ({ taken: await sweepAlerts(house) }),
  },
]
