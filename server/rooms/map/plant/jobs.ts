import { daysBetween, plusDays, startOfDay, type WorkDate } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type Batch, inRounds, type Schedule } from '../../../kernel/jobs/door.ts'
import { siteOf, writingOn } from '../../../kernel/site/door.ts'
import { raiseTask, resolveTasks } from '../../../kernel/tasks/door.ts'
import { dayFromSix } from './domain.ts'
import { type Due, hseOf, lockDue, lockGone, markTold, sitesWithDue, toldBefore } from './queries.ts'

const TASK = 'renew_plant_examination'
/** Machines in one transaction. */
const AT_ONCE = 100

async function tell(ctx: Ctx, site_id: Id, day: WorkDate, { id, name, category, contractor_id, examination_due_on }: Due): Promise<void> {
  const expired = day > examination_due_on
  const subject = { kind: 'plant', id, label: name }
  await markTold(ctx.db, site_id, id, expired ? 'expired' : 'due')
  ctx.emit({
    kind: expired ? 'plant.examination_expired' : 'plant.examination_due',
    site_id,
    subject,
    payload: { plant_id: id, category, due_on: examination_due_on, days_left: daysBetween(day, examination_due_on), contractor_id },
  })
  // There is one task for a machine: about the day on which it is there.
  for (const before of await toldBefore(ctx.db, site_id, id)) await resolveTasks(ctx, site_id, before, { only: [TASK] }, 'superseded')
  const user_ids = await hseOf(ctx.db, site_id, contractor_id)
  const due_at = startOfDay(ctx.site?.timezone ?? 'UTC', plusDays(examination_due_on, 1))
  await raiseTask(ctx, site_id, { kind: TASK, subject, bands: ['manage'], user_ids, contractor_id, due_at })
}

const tellOn = (house: House, site_id: Id): Promise<Batch> =>
  writingOn(house, { actor: jobActor('plant_examinations'), cause: 'plant.examinations' }, site_id, async ctx => {
    const day = dayFromSix((await siteOf(ctx, site_id)).timezone, ctx.now)
    const gone = await lockGone(ctx.db, site_id, ctx.now, AT_ONCE)
    for (const { id, renewed } of gone) {
      await resolveTasks(ctx, site_id, id, { only: [TASK] }, renewed ? 'done_by_step' : 'subject_left')
      // If the machine comes back, people have to hear of it again.
      await markTold(ctx.db, site_id, id, null)
    }
    // After the tasks for earlier dates: a machine whose next date is close, too, gets a new one.
    const due = await lockDue(ctx.db, site_id, day, ctx.now, AT_ONCE)
    for (const one of due) await tell(ctx, site_id, day, one)
    return { done: due.length + gone.length, more: due.length === AT_ONCE || gone.length === AT_ONCE }
  })

/** Tells people about examinations that are due within 14 days or have expired, from 06:00 on site; of each date of a machine twice at most, however often it comes by its schedule. The task for a machine that has left is resolved. */
export const sweepExaminations = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithDue(house.database.db, house.clock.now()), batch: site_id => tellOn(house, site_id) })

export const schedules: Schedule[] = [
  {
    kind: 'plant_examinations',
    says: 'Tells people about thorough examinations of plant that are due or have expired.',
    every_minutes: 10,
    run: async house => ({ told: await sweepExaminations(house) }),
  },
]
