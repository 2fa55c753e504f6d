import { textOrNull } from '../../../../../shared/narrow.ts'
import { sunDay } from '../../../../../shared/sun.ts'
import {
  DAY,
  dateOn,
  HOUR,
  hourOf,
  type Instant,
  instant,
  isLonger,
  later,
  ms,
  startOfDay,
  startOfDayAt,
  type WorkDate,
} from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { minutesOf, shiftsOn, workDateOf, workingOn } from '../../../../kernel/site/domain.ts'
import { calendarOf } from '../../../../kernel/site/door.ts'
import { currentIn, type Hour, hoursIn, noValues } from '../domain/hours.ts'
import { PLANT_OF } from '../domain/limits.ts'
import { type KeptHour, keptForecast, keptHours, type SiteRow, siteRow, stopsDuring } from '../queries.ts'
import { answerFor, cellOf } from './cells.ts'
import { type Found, gustLimit, limitsIn, lookAt, rainOf, shownHours } from './look.ts'
import { fillPast } from './past.ts'

const siteHere = async (ctx: Ctx, site_id: Id) => (await siteRow(ctx.db, site_id)) ?? refuse(notFound())
const NOTE = { measured: false }
/** Says where the data of a site come from. */
function sourceOf(house: House, site: SiteRow) {
  const { attribution, example } = cellOf(house, site).provider
  return { attribution, example, ...NOTE }
}

/** An hour with where it comes from. */
type Sourced = Hour & { source: 'forecast' | 'recorded' | 'reanalysis'; issued_at: Instant | null; fetched_at: Instant | null }

const forecastOf = (hours: readonly Hour[], fetched_at: Instant): Sourced[] =>
  hours.map(hour => ({ ...hour, source: 'forecast', issued_at: fetched_at, fetched_at }))
const keptOf = ({ at, source, issued_at, fetched_at, measures }: KeptHour): Sourced => ({ at, ...measures, source, issued_at, fetched_at })

/** The running quarter of an hour. */
export async function showCurrent(ctx: Ctx, site_id: Id) {
  const site = await siteHere(ctx, site_id)
  const { answer, fetched_at, age_minutes, stale, attribution, example } = await answerFor(ctx.house, site)
  const all = hoursIn(answer)
  const start = hourOf(ctx.now)
  const i = all.findIndex(hour => hour.at === start)
  const quarter = currentIn(answer)
  const fresh =
    quarter !== null && hourOf(quarter.at) === start
      ? Object.fromEntries(Object.entries(quarter).filter(([name, value]) => name !== 'at' && value !== null))
      : {}
  const hour: Hour = { ...noValues(), ...all[i], ...fresh, at: start }
  const look = await lookAt(ctx, site, start, later(start, HOUR))
  const [shown] = shownHours(look, [hour])
  const rain = i < 0 ? null : (rainOf(all)[i] ?? null)
  return {
    ...{ ...hour, ...shown, source: 'forecast' as const, issued_at: fetched_at, fetched_at },
    limits: limitsIn(look, hour, rain),
    ...{ stale, age_minutes, attribution, example, ...NOTE },
  }
}

const beyond = (found: readonly Found[]) =>
  found
    .filter(one => one.state !== 'ok')
    .map(({ applies_to, ...limit }) => ({ ...limit, on_map: PLANT_OF[limit.key] === undefined ? null : applies_to.length > 0 }))

/** Returns hours as they are shown, with the limits that they reach. `before`: earlier hours, for the rain of 24 hours. */
async function shownWith(ctx: Ctx, site_id: Id, hours: readonly Sourced[], before: readonly Hour[]) {
  const site = await siteHere(ctx, site_id)
  const [first, last] = [hours[0]?.at ?? ctx.now, hours.at(-1)?.at ?? ctx.now]
  const look = await lookAt(ctx, site, first, later(last, HOUR))
  const shown = shownHours(look, hours)
  const rain = rainOf([...before, ...hours]).slice(before.length)
  return { look, hours: hours.map((hour, i) => ({ ...hour, ...shown[i], limits: beyond(limitsIn(look, hour, rain[i] ?? null)) })) }
}

type Shown = Awaited<ReturnType<typeof shownWith>>['hours'][number]
const most = (values: readonly (number | null)[], pick: (...all: number[]) => number) => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : pick(...known)
}
const sum = (values: readonly (number | null)[]) => Math.round(values.reduce<number>((all, value) => all + (value ?? 0), 0) * 10) / 10
/** Returns what hours had together. */
const measuresOf = (hours: readonly Hour[]) => ({
  min_c: most(
    hours.map(one => one.temperature_c),
    Math.min,
  ),
  max_c: most(
    hours.map(one => one.temperature_c),
    Math.max,
  ),
  rain_mm: sum(hours.map(one => one.precipitation_mm)),
  max_gust_m_s: most(
    hours.map(one => one.wind_gust_m_s),
    Math.max,
  ),
})
const counted = (hours: readonly Shown[], by: number): Record<string, number> => {
  const out: Record<string, number> = {}
  for (const { limits } of hours) for (const { key, state } of limits) if (state === 'stop') out[key] = (out[key] ?? 0) + by
  return out
}

const MOST_HOURS = 384

/** The forecast from now on, or the one that was kept at 06:00 of a site day. */
export async function showForecast(ctx: Ctx, site_id: Id, { hours: wanted = 72, issued }: { hours?: number; issued?: WorkDate }) {
  const site = await siteHere(ctx, site_id)
  const kept = issued === undefined ? null : ((await keptForecast(ctx.db, site_id, issued)) ?? refuse(notFound()))
  const live = kept === null ? await answerFor(ctx.house, site) : null
  const issued_at = kept?.issued_at ?? live?.fetched_at ?? ctx.now
  const all = kept?.hours ?? hoursIn(live?.answer)
  const start = hourOf(kept === null ? ctx.now : issued_at)
  const ahead = forecastOf(all.filter(hour => hour.at >= start).slice(0, Math.min(wanted, MOST_HOURS)), issued_at)
  const { hours } = await shownWith(
    ctx,
    site_id,
    ahead,
    all.filter(hour => hour.at < start),
  )
  const days = [...Map.groupBy(hours, hour => hour.work_date ?? '')].map(([work_date, own]) => ({
    work_date,
    ...measuresOf(own),
    ...sunDay(later(startOfDay(site.timezone, work_date), DAY / 2), { lon: site.lon ?? 0, lat: site.lat ?? 0 }),
    working_hours_in_stop: counted(
      own.filter(one => one.working),
      1,
    ),
  }))
  const age = { stale: live?.stale ?? false, age_minutes: live?.age_minutes ?? Math.floor((ms(ctx.now) - ms(issued_at)) / 60_000) }
  return { issued_at, ...age, hours, days, ...sourceOf(ctx.house, site) }
}

const LONGEST_DAYS = 366
const FIRST = '1940-01-01T00:00:00.000Z'

function period({ timezone }: SiteRow, from: Instant, to: Instant, days: number): void {
  if (to <= from) refuse(invalidField('to', 'must be later than from.'))
  if (isLonger(timezone, from, to, days)) refuse(invalidField('to', `can be at most ${days} days after from.`))
  if (from < FIRST) refuse(invalidField('from', 'can’t be before 1940.'))
}

/** Returns one row for each hour of a period, past ones as they are kept; an hour that is missing has no values and no source. */
function rowsOf(
  kept: readonly KeptHour[],
  only: 'recorded' | 'reanalysis',
  from: Instant,
  to: Instant,
): (Sourced | { at: Instant; source: null })[] {
  const by = Map.groupBy(kept, one => one.at)
  const rows: (Sourced | { at: Instant; source: null })[] = []
  for (let at = ms(hourOf(from)); at < ms(to); at += HOUR) {
    if (at < ms(from)) continue
    const own = by.get(instant(at)) ?? []
    const found = own.find(one => one.source === only) ?? (only === 'recorded' ? own[0] : undefined)
    rows.push(found === undefined ? { at: instant(at), source: null } : keptOf(found))
  }
  return rows
}

const isKept = (row: Sourced | { at: Instant; source: null }): row is Sourced => row.source !== null
const WET_MM = 5
const SNOW_AT = 'T09:00:00.000Z'

/** Returns the past of a site: by hour, day or month of the site. */
export async function showHistory(
  ctx: Ctx,
  site_id: Id,
  {
    from,
    to,
    group = 'hour',
    source = 'recorded',
  }: { from: Instant; to: Instant; group?: 'hour' | 'day' | 'month'; source?: 'recorded' | 'reanalysis' },
) {
  const site = await siteHere(ctx, site_id)
  period(site, from, to, LONGEST_DAYS)
  if (to > later(ctx.now, HOUR)) refuse(invalidField('to', 'can’t be in the future. Use the forecast or the timeline.'))
  const about = sourceOf(ctx.house, site)
  await fillPast(ctx, site, { from, to, source })
  const end = to > hourOf(ctx.now) ? hourOf(ctx.now) : to
  const rows = rowsOf(await keptHours(ctx.db, site_id, from, end), source, from, end)
  if (group === 'hour') {
    const { hours } = await shownWith(ctx, site_id, rows.filter(isKept), [])
    return { group: 'hour' as const, hours, hours_missing: rows.filter(row => !isKept(row)).length, ...about }
  }
  const dayOf = ({ at }: { at: Instant }) => dateOn(site.timezone, at)
  const days = [...Map.groupBy(rows, dayOf)].map(([work_date, own]) => {
    const known = own.filter(isKept)
    return {
      work_date,
      ...measuresOf(known),
      ...{
        max_wind_m_s: most(
          known.map(one => one.wind_m_s),
          Math.max,
        ),
        snow_lying: known.some(one => one.at.endsWith(SNOW_AT) && (one.snow_depth_m ?? 0) > 0),
      },
      hours_missing: own.length - known.length,
    }
  })
  if (group === 'day')
    return { group: 'day' as const, days, hours_missing: days.reduce((all, day) => all + day.hours_missing, 0), ...about }
  const months = [...Map.groupBy(days, day => day.work_date.slice(0, 7))].map(([month, own]) => ({
    month,
    ...{ rain_mm: sum(own.map(one => one.rain_mm)), days_over_5_mm: own.filter(one => one.rain_mm > WET_MM).length },
    ...{
      days_below_0_c: own.filter(one => one.min_c !== null && one.min_c < 0).length,
      days_snow_lying: own.filter(one => one.snow_lying).length,
    },
    hours_missing: own.reduce((all, day) => all + day.hours_missing, 0),
  }))
  return { group: 'month' as const, months, hours_missing: months.reduce((all, one) => all + one.hours_missing, 0), ...about }
}

/**
 * Returns the first hour of a period: the one that is running at its start. In a zone that isn’t whole hours from UTC, the hour that is running at midnight began on the
 * site day before, and belongs to that one.
 */
function firstHour(zone: string, from: Instant): Instant {
  const running = hourOf(from)
  return dateOn(zone, running) === dateOn(zone, from) ? running : later(running, HOUR)
}

const TIMELINE_DAYS = 31
const AHEAD = 16 * DAY

/** Returns past and future hours of a period in one row of time, with the declared stops. */
export async function showTimeline(ctx: Ctx, site_id: Id, given: { from?: Instant; to?: Instant }) {
  const site = await siteHere(ctx, site_id)
  // During a night shift, the running site day is the one on which the shift began.
  const today = startOfDay(site.timezone, workDateOf(await calendarOf(ctx.db, site_id), ctx.now))
  const from = textOrNull(given.from) ?? today
  const first = given.from === undefined ? today : startOfDayAt(site.timezone, from)
  const to = textOrNull(given.to) ?? startOfDayAt(site.timezone, later(first, 3 * DAY + DAY / 2))
  period(site, from, to, TIMELINE_DAYS)
  if (to > later(ctx.now, AHEAD)) refuse(invalidField('to', 'can be at most 16 days ahead.'))
  const running = hourOf(ctx.now)
  const live = to > running ? await answerFor(ctx.house, site) : null
  const begins = firstHour(site.timezone, from)
  const [kept, stops] = await Promise.all([keptHours(ctx.db, site_id, begins, to), stopsDuring(ctx.db, site_id, from, to)])
  const past = new Map(
    rowsOf(kept, 'recorded', begins, to < running ? to : running)
      .filter(isKept)
      .map(row => [row.at, row]),
  )
  const ahead = new Map(forecastOf(live === null ? [] : hoursIn(live.answer), live?.fetched_at ?? ctx.now).map(row => [row.at, row]))
  const rows: Sourced[] = []
  for (let at = ms(begins); at < ms(to); at += HOUR) {
    // The last hour is not kept yet until it is over; until then the newest answer has it.
    const row = past.get(instant(at)) ??
      ahead.get(instant(at)) ?? { at: instant(at), ...noValues(), source: 'forecast' as const, issued_at: null, fetched_at: null }
    rows.push(row)
  }
  const { look, hours } = await shownWith(ctx, site_id, rows, [])
  const covering = (at: Instant) =>
    stops.filter(stop => stop.from < later(at, HOUR) && (stop.to === null || stop.to > at)).map(stop => stop.alert_id)
  const shown = hours.map(hour => ({ ...hour, stops: covering(hour.at) }))
  const days = [...Map.groupBy(shown, hour => hour.work_date ?? '')].map(([work_date, own]) => ({
    work_date,
    working_minutes: minutesOf(workingOn(look.calendar, work_date, from, to)),
    minutes_in_stop: counted(
      own.filter(one => one.working),
      60,
    ),
    rain_in_working_hours_mm: sum(own.filter(one => one.working).map(one => one.precipitation_mm)),
    shifts: shiftsOn(look.calendar, work_date).map(({ name, start_time, end_time }) => ({ name, start_time, end_time })),
  }))
  return {
    ...{ from, to, hours: shown, days, stops, gust_limit: gustLimit(look) },
    ...{
      stale: live?.stale ?? false,
      age_minutes: live?.age_minutes ?? 0,
      ...sourceOf(ctx.house, site),
    },
  }
}
