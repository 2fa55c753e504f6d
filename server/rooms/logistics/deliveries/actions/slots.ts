// The slot of a delivery, checked under a lock: one vehicle in a bay, and one at an unloading machine, at a time.
import { boundsOf, positionsOf } from '../../../../../shared/geometry/plane.ts'
import { dateOn, type Instant, ms, plusDays, startOfDay } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, type FieldFault, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { overlapArea } from '../../../../kernel/geometry/door.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { type Calendar, type Interval, joined, runOf, shiftsOn } from '../../../../kernel/site/domain.ts'
import { calendarOf, siteOf } from '../../../../kernel/site/door.ts'
import { freeSlots, longestIn, slotWarnings } from '../domain.ts'
import { bayGround, closedRoutes, referredBy, takenDuring } from '../queries.ts'

type Delivery = Row<'delivery'>

/** Slots are offered on these days from that of the slot on. */
const OFFERED_DAYS = 14

/** Returns the working hours of a site on these days from the day of an instant on, with those of the night shift that began the day before. */
function hoursFrom(calendar: Calendar, at: Instant, days: number): Interval[] {
  const first = plusDays(dateOn(calendar.timezone, at), -1)
  return joined(
    Array.from({ length: days + 1 }, (_, i) => plusDays(first, i)).flatMap(date =>
      shiftsOn(calendar, date).map(shift => runOf(calendar.timezone, shift, date)),
    ),
  )
}

/** Returns the next free slots of a delivery’s length, within working hours. */
export async function nextFree(ctx: Ctx, row: Delivery): Promise<Interval[]> {
  const { site_id, start_at, end_at } = row
  if (end_at === null) return []
  const from = start_at > ctx.now ? start_at : ctx.now
  const hours = hoursFrom(await calendarOf(ctx.db, site_id), from, OFFERED_DAYS)
  const until = hours.at(-1)?.end_at ?? from
  const taken = until <= from ? [] : await takenDuring(ctx.db, { ...row, end_at }, from, until, ctx.now)
  return freeSlots(hours, taken, ms(end_at) - ms(start_at), from)
}

/** Writes whose caller books over others on purpose. */
const overlapping = new WeakSet<Ctx>()
/** Lets a write book a slot although it is taken. */
export const allowOverlap = (ctx: Ctx): void => void overlapping.add(ctx)

/** Takes the slot of a delivery and returns the columns that record it; refuses one that is taken. */
export async function takeSlot(ctx: Ctx, row: Delivery): Promise<Pick<Delivery, 'slot_start_at' | 'slot_end_at'>> {
  const { site_id, start_at, end_at } = row
  if (end_at !== null && (row.bay_id !== null || row.unload_plant_id !== null) && !overlapping.has(ctx)) {
    await hold(ctx, 'delivery slots', site_id)
    const taken = await takenDuring(ctx.db, { ...row, end_at }, start_at, end_at, ctx.now)
    const [first] = taken
    if (first !== undefined)
      refuse(
        conflict(
          'overlap',
          `${first.number} (${first.name}) has the same bay or machine during this time. Choose another time or bay, or send allow_overlap.`,
          {
            overlapping: taken.map(({ id, number, name, ...time }) => ({ id, number, name, start_at: time.start_at, end_at: time.end_at })),
            next_free: await nextFree(ctx, row),
          },
        ),
      )
  }
  return { slot_start_at: start_at, slot_end_at: end_at }
}

/** Returns what is wrong with the gate, the bay and the machine of a delivery. */
export async function referenceFaults(ctx: Ctx, next: Delivery): Promise<FieldFault[]> {
  const { gate, bay_kind, bay_there, plant_there } = await referredBy(ctx.db, next)
  return [
    ...(gate !== null && gate !== 'vehicle_gate' ? [{ path: 'gate_poi_id', message: 'isn’t a vehicle gate.' }] : []),
    ...(bay_kind !== null && bay_kind !== 'delivery_bay' ? [{ path: 'bay_id', message: 'isn’t a delivery bay.' }] : []),
    ...(bay_kind === 'delivery_bay' && bay_there === false
      ? [{ path: 'bay_id', message: 'isn’t a delivery bay during the whole slot.' }]
      : []),
    ...(plant_there === false ? [{ path: 'unload_plant_id', message: 'isn’t on site during the whole slot.' }] : []),
  ]
}

/** Returns what people should know about the slot of a delivery. */
export async function warningsOf(ctx: Ctx, row: Delivery): Promise<Record<string, unknown>[]> {
  const { site_id, start_at, end_at, bay_id, vehicle_length_m } = row
  if (end_at === null) return []
  const ground = bay_id === null ? null : await bayGround(ctx.db, site_id, bay_id)
  const closed = ground === null ? [] : await closedRoutes(ctx.db, site_id, boundsOf(ground), start_at, end_at)
  return slotWarnings({
    ...{ start_at, end_at, now: ctx.now, vehicle_length_m },
    hours: hoursFrom(await calendarOf(ctx.db, site_id), start_at, 2),
    bay_m: ground === null ? null : longestIn(positionsOf(ground)),
    closed: ground === null ? [] : closed.filter(one => overlapArea(one.geometry, ground) > 0).map(({ name }) => name),
  })
}

/** Returns the site day of an instant. */
export async function siteDay(ctx: Ctx, site_id: Id, at: Instant): Promise<{ from: Instant; to: Instant }> {
  const zone = (await siteOf(ctx, site_id)).timezone
  const date = dateOn(zone, at)
  return { from: startOfDay(zone, date), to: startOfDay(zone, plusDays(date, 1)) }
}
