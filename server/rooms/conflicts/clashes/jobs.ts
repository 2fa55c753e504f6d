import { DAY, later } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { caughtUp, marksBehind } from '../../../kernel/events/door.ts'
import { type Batch, inRounds, noteFailure, type Schedule } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { FOLLOWER } from '../kit/actions/caught-up.ts'
import { compute, HORIZON, takeSite } from './actions/compute.ts'
import { followClock, moveHorizon } from './actions/follow.ts'
import { sitesToFollow, sitesToMove } from './queries/clock.ts'
import { rulesByClock } from './queries/rules.ts'

/** `now`: the time of the work, if it is that of other work. */
const on = <T>(house: House, site_id: Id, cause: string, task: (ctx: Ctx) => Promise<T>, now = house.clock.now()): Promise<T> =>
  writingOn(house, { actor: jobActor('clashes'), cause, now }, site_id, task, { passes_lock: true })

/** Does on every site what the clock alone changes. */
export const followClocks = (house: House): Promise<number> =>
  inRounds(house, {
    due: () => sitesToFollow(house.database.db, house.clock.now()),
    batch: site_id => on(house, site_id, 'clash.clock', ctx => followClock(ctx, site_id)),
  })

/**
 * Computes everything on a site again and compares it with what is stored. A difference is a fault, which is reported and corrected; rules that ask for the
 * time are left out, because their clashes change without an edit. Returns how many clashes differed; null while events are waiting.
 */
export async function rebuild(house: House, site_id: Id): Promise<number | null> {
  const now = house.clock.now()
  for (let more = true; more; ) ({ more } = await on(house, site_id, 'clash.clock', ctx => followClock(ctx, site_id), now))
  return on(house, site_id, 'clash.rebuild', ctx => compareAll(ctx, site_id), now)
}

async function compareAll(ctx: Ctx, site_id: Id): Promise<number | null> {
  const state = await takeSite(ctx, site_id)
  if (state === null || (await marksBehind(ctx.db, site_id, FOLLOWER)) > 0) return null
  const { inserted, changed, ended } = await compute(ctx, site_id, state, 'all')
  const by_clock = await rulesByClock(ctx.db, site_id)
  const differing = [...inserted, ...changed, ...ended.map(one => one.clash)].filter(clash => !by_clock.has(clash.rule_id))
  if (differing.length > 0)
    await noteFailure(ctx, {
      ...{ kind: 'clashes', site_id, attempts: 1 },
      message: `${differing.length} stored clashes differed from those that were computed again. They were corrected.`,
      detail: differing
        .slice(0, 20)
        .map(({ rule_id, a, b, from }) => `${rule_id} ${a.id} ${b.id} ${new Date(from).toISOString()}`)
        .join('\n'),
      input: { found_anew: inserted.length, different: changed.length, no_longer_found: ended.length },
    })
  return differing.length
}

async function everyNight(house: House, site_id: Id): Promise<Batch> {
  await caughtUp(house, [site_id], ({ name }) => name === FOLLOWER)
  const differing = await rebuild(house, site_id)
  if (differing !== null && differing > 0) house.log.error({ site_id, differing }, 'stored clashes differed from a rebuild')
  await on(house, site_id, 'clash.horizon', ctx => moveHorizon(ctx, site_id))
  return { done: 1, more: false }
}

/** Moves the horizon of every site once a day, after a comparison with a rebuild. */
export const moveHorizons = (house: House): Promise<number> =>
  inRounds(house, {
    due: () => sitesToMove(house.database.db, later(house.clock.now(), HORIZON - DAY)),
    batch: site_id => everyNight(house, site_id),
  })

export const schedules: Schedule[] = [
  {
    kind: 'clashes',
    says: 'Ends clashes that are over, and asks people to settle those that are near.',
    every_minutes: 1,
    run: async house => ({ done: await followClocks(house) }),
  },
  {
    kind: 'clash_horizon',
    says: 'Looks a day further ahead for clashes on each site once a day, and compares what is stored with what is computed again.',
    every_minutes: 30,
    run: async house => ({ moved: await moveHorizons(house) }),
  },
]
