// What happens by the clock: sweeps alert people and never close permits. Both work in bounded batches for each site, so that no site waits for another.
import { MINUTE, ms } from '../../../../../shared/time.ts'
import { jobActor } from '../../../../base/actor.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { type Batch, inRounds, type Running } from '../../../../kernel/jobs/door.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { judge } from '../../kit/actions/facts.ts'
import { isSingleStage } from '../../kit/domain/facts.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { lockEnded, lockEndingSoon, markWarned, sitesWithEnded, sitesWithEndingSoon } from '../queries/sweeps.ts'
import { expirePermits } from './expire.ts'

/** Permits in one transaction: few enough that it takes a fraction of a second, and that one statement seals everything it wrote. */
const AT_ONCE = 200

/** Alerts are raised on a locked site too: work in the field must be made safe, and its people notified. */
const onSite = (house: House, site_id: Id, cause: string, work: (ctx: Ctx) => Promise<Batch>): Promise<Batch> =>
  writingOn(house, { actor: jobActor('permit_sweep'), cause }, site_id, work, { passes_lock: true })

/** Expires one batch of a site at a time. Permits that the site's workflow doesn't let expire are skipped from then on. */
function expiring(house: House): (site_id: Id) => Promise<Batch> {
  const stuck = new Map<Id, Id[]>()
  return site_id => {
    const left = remembered(stuck, site_id, () => [])
    return onSite(house, site_id, 'permit.expire', async ctx => {
      const { permits, more } = await lockEnded(ctx.db, site_id, ctx.now, left, AT_ONCE)
      const done = await expirePermits(ctx, site_id, permits)
      left.push(...done.stuck)
      return { done: done.expired, more }
    })
  }
}

/** Expires permits whose window has ended, each only once, however many processes run this. */
export const sweepExpiries = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithEnded(house.database.db, house.clock.now()), batch: expiring(house) })

/** Does the same for one site until no permit is left: used after an import with permits that have already ended. */
export async function expireOnSite({ house, site_id }: Running): Promise<{ expired: number }> {
  const due = () => sitesWithEnded(house.database.db, house.clock.now(), site_id)
  return { expired: await inRounds(house, { due, batch: expiring(house), to_the_end: true }) }
}

/** Warns about permits that are about to end. Each gets one warning for its present end. */
export const sweepWarnings = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithEndingSoon(house.database.db, house.clock.now()), batch: site_id => warnOn(house, site_id) })

const warnOn = (house: House, site_id: Id): Promise<Batch> =>
  onSite(house, site_id, 'permit.warn', async ctx => {
    const { permits, more } = await lockEndingSoon(ctx.db, site_id, ctx.now, AT_ONCE)
    if (permits.length === 0) return { done: 0, more }
    const judged = await judge(ctx, site_id, permits, null)
    await markWarned(
      ctx.db,
      site_id,
      permits.map(permit => permit.id),
      ctx.now,
    )
    for (const permit of permits) {
      const found = judged.get(permit.id)
      if (found === undefined || permit.end_at === null) continue
      const { facts, graph, policy } = found
      const minutes_left = Math.floor((ms(permit.end_at) - ms(ctx.now)) / MINUTE)
      const payload = { lead_hours: policy.expiring_warning_lead_hours, minutes_left }
      const single_stage = isSingleStage(facts.permit, facts.set)
      tellPermit(
        ctx,
        'permit.expiring_soon',
        { ...permit, expiring_warned_at: ctx.now },
        permit.status,
        single_stage,
        graph,
        policy,
        payload,
      )
    }
    return { done: permits.length, more }
  })

/** Runs the expiries and then the warnings: for tests and operators who move the clock by hand. */
export async function sweepPermits(house: House): Promise<{ expired: number; warned: number }> {
  return { expired: await sweepExpiries(house), warned: await sweepWarnings(house) }
}
