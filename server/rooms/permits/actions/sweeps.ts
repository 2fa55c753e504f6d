// What the clock does: it raises alarms and never closes. One query that finds, one `act` for each thing: the scheduler has no rules of its own.
import { MINUTE, ms } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import type { House } from '../../../base/ctx.ts'
import { Refused } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { isSingleStage } from '../domain/facts.ts'
import { type PermitRow, permitRow, savePermit } from '../queries/permits.ts'
import { overWindows, runningOut } from '../queries/sweeps.ts'
import { act } from './act.ts'
import { judgeOne } from './facts.ts'
import { tellPermit } from './tell.ts'

const PIECE = 500
const ACTOR = jobActor('permit_sweep')

/** Expires what has run out, and warns of what is about to; each exactly once per arming, however often and by however many it is run. */
export async function sweepPermits(house: House): Promise<{ expired: number; warned: number }> {
  return { expired: await each(house, overWindows, expireOne), warned: await each(house, runningOut, warnOne) }
}

type Found = { site_id: Id; id: Id }

async function each(house: House, find: typeof overWindows, one: (house: House, found: Found) => Promise<boolean>): Promise<number> {
  let count = 0
  const stuck = new Set<Id>()
  for (;;) {
    const found = (await find(house.database.db, house.clock.now(), PIECE + stuck.size)).filter(p => !stuck.has(p.id))
    for (const permit of found) {
      try {
        if (await one(house, permit)) count++
        else stuck.add(permit.id)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        stuck.add(permit.id) // an authored graph without this step, or a site that was deleted since: not ours to force
      }
    }
    if (found.length === 0) return count
  }
}

/** The permit, locked and looked at again: another process may have been quicker. */
const onPermit = (
  house: House,
  { site_id, id }: Found,
  cause: string,
  work: (ctx: Parameters<Parameters<typeof writingOn>[3]>[0], permit: PermitRow) => Promise<boolean>,
): Promise<boolean> =>
  writingOn(
    house,
    { actor: ACTOR, cause },
    site_id,
    async ctx => {
      const permit = await permitRow(ctx.db, site_id, id, 'change')
      return permit !== null && work(ctx, permit)
    },
    // An alarm is raised on a locked site too: work in the field must be made safe and told of.
    { passes_lock: true },
  )

const expireOne = (house: House, found: Found): Promise<boolean> =>
  onPermit(house, found, 'permit.expire', async (ctx, permit) => {
    if (permit.status !== 'issued' || permit.end_at === null || permit.end_at > ctx.now) return false
    await act(ctx, permit, 'expire', {})
    return true
  })

const warnOne = (house: House, found: Found): Promise<boolean> =>
  onPermit(house, found, 'permit.warn', async (ctx, permit) => {
    if (permit.status !== 'issued' || permit.expiring_warned_at !== null || permit.end_at === null || permit.end_at <= ctx.now) return false
    const { facts, graph, policy } = await judgeOne(ctx, permit, null)
    await savePermit(ctx.db, permit, { expiring_warned_at: ctx.now })
    const minutes_left = Math.floor((ms(permit.end_at) - ms(ctx.now)) / MINUTE)
    tellPermit(
      ctx,
      'permit.expiring_soon',
      { ...permit, expiring_warned_at: ctx.now },
      permit.status,
      isSingleStage(facts.permit, facts.set),
      graph,
      policy,
      { lead_hours: policy.expiring_warning_lead_hours, minutes_left },
    )
    return true
  })
