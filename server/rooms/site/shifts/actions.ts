import { dateOn, plusDays, type WorkDate } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, explain, invalid, invalidField, refuse } from '../../../base/errors.ts'
import { type Id, ids, isId } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { hold, onSite } from '../../../kernel/records/door.ts'
import { type Calendar, clockChanges, minutesOf, plainMinutes, runOf, shiftsOn, without } from '../../../kernel/site/domain.ts'
import { calendarOf, siteOf } from '../../../kernel/site/door.ts'
import { endFaults, shiftFaults } from './domain.ts'
import { dropShift, endShift, insertShift, type ShiftRow, shiftsOf } from './queries.ts'
import type { NewShift, ShiftFilter } from './schema.ts'

const AHEAD = 60

/** Returns whether a shift starts on a site day. */
const isWorked = (calendar: Calendar, { id, contractor_id }: Pick<ShiftRow, 'id' | 'contractor_id'>, date: WorkDate): boolean =>
  shiftsOn(calendar, date, contractor_id).some(shift => shift.id === id)

function shown(ctx: Ctx, calendar: Calendar, row: ShiftRow): Record<string, unknown> {
  const today = dateOn(calendar.timezone, ctx.now)
  let next: { start_at: string; end_at: string } | null = null
  const first = row.valid_from > today ? row.valid_from : plusDays(today, -1)
  for (let i = 0, date = first; i < AHEAD && next === null; i++, date = plusDays(date, 1)) {
    if (!isWorked(calendar, row, date)) continue
    const run = runOf(calendar.timezone, row, date)
    if (run.start_at > ctx.now) next = run
  }
  return {
    ...{ ...row, minutes: plainMinutes(row), next_start_at: next?.start_at ?? null, next_end_at: next?.end_at ?? null },
    permissions: flagsFor(ctx.actor, { end: explain([ctx.actor.lacks('site_configure')]) }),
  }
}

/** Lists the shifts that are active on a day or later; the site's first. */
export async function listShifts(ctx: Ctx, filter: ShiftFilter): Promise<unknown[]> {
  const { site_id } = filter
  const { timezone } = await siteOf(ctx, site_id)
  const contractors = filter.contractor_id?.map(id => (id === 'none' ? null : id.toLowerCase()))
  if (contractors?.some(id => id !== null && !isId(id))) refuse(invalidField('contractor_id', 'must be an id (UUID) or "none".'))
  const rows = await shiftsOf(ctx.db, site_id, {
    ...(filter.include_ended || filter.id !== undefined ? {} : { from: filter.work_date ?? dateOn(timezone, ctx.now) }),
    ...(contractors === undefined ? {} : { contractors }),
    ...(filter.id === undefined ? {} : { ids: filter.id }),
  })
  const calendar = await calendarOf(ctx.db, site_id)
  return rows.map(row => shown(ctx, calendar, row))
}

/** Makes changes of a site’s shifts one at a time: a name is unique in its scope while it is active, and a shift that replaces another one ends it. */
export const holdShifts = (ctx: Ctx, site_id: Id): Promise<void> => hold(ctx, 'shifts', site_id)

/** Adds a shift; with `replaces` it replaces another one from its first day. */
export async function createShift(ctx: Ctx, body: NewShift): Promise<Record<string, unknown>> {
  const { site_id, replaces } = body
  const { timezone } = await siteOf(ctx, site_id)
  const today = dateOn(timezone, ctx.now)
  await holdShifts(ctx, site_id)
  const contractor_id = body.contractor_id ?? null
  const row = {
    site_id,
    id: ids.next(),
    name: body.name,
    contractor_id,
    start_time: body.start_time,
    end_time: body.end_time,
    weekdays: body.weekdays === undefined || body.weekdays === null ? null : [...body.weekdays].sort(),
    breaks: body.breaks ?? [],
    valid_from: body.valid_from ?? today,
    valid_to: null,
    system_key: null,
  }
  const faults = shiftFaults(row, today)
  if (contractor_id !== null && !(await onSite(ctx, site_id, 'contractor', contractor_id)))
    faults.push({ path: 'contractor_id', message: 'isn’t a contractor on this site.' })
  const others = await shiftsOf(ctx.db, site_id, { contractors: [contractor_id] })
  const old = replaces == null ? null : (others.find(shift => shift.id === replaces) ?? null)
  if (replaces != null && old === null) faults.push({ path: 'replaces', message: 'isn’t a shift of this site with the same contractor.' })
  if (old !== null && old.valid_from >= row.valid_from)
    faults.push({ path: 'valid_from', message: 'must be later than the first day of the shift that it replaces.' })
  if (faults.length > 0) refuse(invalid(faults))
  const taken = others.find(
    shift =>
      shift.id !== old?.id &&
      shift.name.toLowerCase() === row.name.toLowerCase() &&
      (shift.valid_to === null || shift.valid_to > row.valid_from),
  )
  if (taken !== undefined)
    refuse(conflict('key_taken', `There is already a shift called “${taken.name}”. End it or replace it.`, { existing_id: taken.id }))
  if (old !== null && old.valid_to !== null && old.valid_to <= row.valid_from)
    refuse(
      conflict(
        'superseded',
        `“${old.name}” already ends before this shift would start, so there is nothing to replace. Look at the shifts of these days, then create this one without replacing another.`,
        { valid_to: old.valid_to },
      ),
    )
  if (old !== null) {
    await endShift(ctx.db, site_id, old.id, row.valid_from)
    tell(ctx, 'shift.ended', old)
  }
  await insertShift(ctx.db, row)
  tell(ctx, 'shift.created', row)
  const calendar = await calendarOf(ctx.db, site_id)
  const [made] = await shiftsOf(ctx.db, site_id, { ids: [row.id] })
  if (made === undefined) throw new Error('The shift that was just created is missing.')
  const warnings = clockChanges(timezone, today, AHEAD).flatMap(({ date }) =>
    // The night shift that starts the day before the clocks change is the one that is longer or shorter.
    [plusDays(date, -1), date].flatMap(day => {
      if (!isWorked(calendar, row, day)) return []
      const run = runOf(timezone, row, day)
      const minutes = minutesOf(without([run], run.breaks))
      return minutes === plainMinutes(row) ? [] : [{ date: day, minutes }]
    }),
  )
  return { ...shown(ctx, calendar, made), warnings }
}

/** Ends a shift; one that hasn't started by then is deleted. */
export async function removeShift(ctx: Ctx, row: ShiftRow, effective_on: string | undefined): Promise<void> {
  const { timezone } = await siteOf(ctx, row.site_id)
  const today = dateOn(timezone, ctx.now)
  const day = effective_on ?? plusDays(today, 1)
  const faults = endFaults(day, today)
  if (faults.length > 0) refuse(invalid(faults))
  // A shift that has ended by then stays as it is: with a later end it would have been worked on the days since.
  if (row.valid_to !== null && row.valid_to <= day) return
  if (row.valid_from >= day) await dropShift(ctx.db, row.site_id, row.id)
  else await endShift(ctx.db, row.site_id, row.id, day)
  tell(ctx, 'shift.ended', row)
}

function tell(ctx: Ctx, kind: string, row: Pick<ShiftRow, 'site_id' | 'id' | 'name' | 'contractor_id'>): void {
  ctx.emit({
    kind,
    site_id: row.site_id,
    subject: { kind: 'shift', id: row.id, label: row.name },
    payload: { contractor_id: row.contractor_id },
  })
}

/** Gives a site its day shift, unless it has one. */
export async function seedShifts(ctx: Ctx, site_id: Id): Promise<void> {
  if ((await shiftsOf(ctx.db, site_id, {})).some(shift => shift.system_key === 'day')) return
  const { timezone } = await siteOf(ctx, site_id)
  await insertShift(ctx.db, {
    site_id,
    id: ids.next(),
    name: 'Day',
    contractor_id: null,
    start_time: '07:30',
    end_time: '17:30',
    weekdays: null,
    breaks: [{ start_time: '12:00', end_time: '12:30' }],
    valid_from: dateOn(timezone, ctx.now),
    valid_to: null,
    system_key: 'day',
  })
}
