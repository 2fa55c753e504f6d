import { DAY, type Instant, later, startOfDayAt } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type Batch, inRounds, type Schedule } from '../../../kernel/jobs/door.ts'
import { erasePersonData } from '../../../kernel/person-data/door.ts'
import { siteOf, writingOn } from '../../../kernel/site/door.ts'
import { deliveries } from './actions/deliveries.ts'
import { report } from './actions/steps.ts'
import { isLate, minutesLate } from './domain.ts'
import { blankPeople, idsWithPeople, lateIds, missedIds, reportedLate, sitesWithLate, sitesWithMissed, sitesWithPeople } from './queries.ts'

/** Deliveries in one transaction. */
const AT_ONCE = 100
/** Drivers and registrations are kept this long after the day. */
const KEPT_DAYS = 90

const missedOn = (house: House, site_id: Id): Promise<Batch> =>
  writingOn(house, { actor: jobActor('delivery_no_shows'), cause: 'delivery.no_show' }, site_id, async ctx => {
    const day_start = startOfDayAt((await siteOf(ctx, site_id)).timezone, ctx.now)
    const rows = await deliveries.lock(ctx, site_id, await missedIds(ctx.db, site_id, day_start, AT_ONCE))
    for (const row of rows.filter(({ status }) => status === 'booked')) await deliveries.step(ctx, row, 'mark_no_show', {})
    return { done: rows.length, more: rows.length === AT_ONCE }
  })

const lateOn = (house: House, site_id: Id): Promise<Batch> =>
  writingOn(house, { actor: jobActor('delivery_late'), cause: 'delivery.late' }, site_id, async ctx => {
    const rows = (await deliveries.lock(ctx, site_id, await lateIds(ctx.db, site_id, ctx.now, AT_ONCE))).filter(row => isLate(row, ctx.now))
    await reportedLate(
      ctx.db,
      site_id,
      rows.map(({ id }) => id),
    )
    for (const row of rows) report(ctx, 'late', row, { from_status: row.status, minutes_late: minutesLate(row.start_at, ctx.now) })
    return { done: rows.length, more: rows.length === AT_ONCE }
  })

/** Reports booked vehicles that are a quarter of an hour late, once for each slot. */
export const sweepLate = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithLate(house.database.db, house.clock.now()), batch: site_id => lateOn(house, site_id) })

/** Records booked vehicles that did not come on their day as no-shows, after midnight on site. */
export const sweepNoShows = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithMissed(house.database.db, house.clock.now()), batch: site_id => missedOn(house, site_id) })

const blankOn = (house: House, site_id: Id, before: Instant): Promise<Batch> =>
  writingOn(house, { actor: jobActor('delivery_people'), cause: 'delivery.blank' }, site_id, async ctx => {
    const rows = await deliveries.lock(ctx, site_id, await idsWithPeople(ctx.db, site_id, before, AT_ONCE))
    // A delivery that has got a later start meanwhile keeps them.
    const ids = rows.filter(({ start_at }) => start_at < before).map(({ id }) => id)
    await blankPeople(ctx.db, site_id, ids)
    await erasePersonData(ctx, deliveries.kind.name, site_id, ids)
    return { done: rows.length, more: rows.length === AT_ONCE }
  })

/** Erases drivers, their telephone numbers and registrations of deliveries of more than 90 days ago, in the audit log, too. */
export function sweepPeople(house: House): Promise<number> {
  const before = later(house.clock.now(), -KEPT_DAYS * DAY)
  return inRounds(house, { due: () => sitesWithPeople(house.database.db, before), batch: site_id => blankOn(house, site_id, before) })
}

export const schedules: Schedule[] = [
  {
    kind: 'delivery_late',
    says: 'Reports booked vehicles that are a quarter of an hour late.',
    every_minutes: 5,
    run: async house => ({ late: await sweepLate(house) }),
  },
  {
    kind: 'delivery_no_shows',
    says: 'Records booked vehicles that did not come on their day as no-shows.',
    every_minutes: 10,
    run: async house => ({ missed: await sweepNoShows(house) }),
  },
  {
    kind: 'delivery_people',
    says: 'Erases drivers and registrations of old deliveries.',
    every_minutes: 60,
    run: async house => ({ blanked: await sweepPeople(house) }),
  },
]
