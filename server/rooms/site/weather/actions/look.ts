// What an hour of a site is: its site day, daylight, working time, and its limits.

import { isLight } from '../../../../../shared/sun.ts'
import { HOUR, type Instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Calendar, type Interval, workDateOf, workingIntervals } from '../../../../kernel/site/domain.ts'
import { calendarOf } from '../../../../kernel/site/door.ts'
import type { Hour } from '../domain/hours.ts'
import { JIB_M, type Limit, type LimitState, PLANT_OF, STANDARD, stateOf, valueFor, windAt } from '../domain/limits.ts'
import { type Machine, machinesDuring, type SiteRow } from '../queries.ts'

/** A limit in an hour. */
export type Found = { key: string; label: string; state: LimitState; value: number; at_height_m: number | null; applies_to: Id[] }

/** Everything that the hours of a period need. */
export type Look = {
  site: SiteRow
  calendar: Calendar
  limits: readonly Limit[]
  machines: readonly Machine[]
  working: readonly Interval[]
}

/** The limits of a site: the standard ones until it sets its own. */
const limitsOf = ({ weather_limits }: SiteRow): readonly Limit[] =>
  (weather_limits.length === 0 ? STANDARD : weather_limits).filter(limit => limit.enabled)

/** Reads what the hours of a period need. */
export async function lookAt(ctx: Pick<Ctx, 'db'>, site: SiteRow, from: Instant, to: Instant): Promise<Look> {
  const [calendar, machines] = await Promise.all([
    calendarOf(ctx.db, site.site_id),
    machinesDuring(ctx.db, site.site_id, Object.values(PLANT_OF).flat(), from, to),
  ])
  return { site, calendar, limits: limitsOf(site), machines, working: workingIntervals(calendar, from, to) }
}

/** Returns whether something is there at some time of a period. */
export const overlaps = ({ start_at, end_at }: { start_at: Instant; end_at: Instant | null }, from: Instant, to: Instant) =>
  start_at < to && (end_at === null || end_at > from)

/** The height that a limit is about: its own, or that of the tallest of these machines. */
const heightOf = (limit: Limit, own: readonly Machine[]): number =>
  limit.height_m ??
  own.reduce<number | null>((most, { height_m }) => (height_m !== null && (most === null || height_m > most) ? height_m : most), null) ??
  JIB_M

const machinesOf = ({ key }: Limit, machines: readonly Machine[]) => machines.filter(one => PLANT_OF[key]?.includes(one.category) === true)

/**
 * Returns the lowest gust at 10 m that is a stop for machines: for those that are there in the period, or for all kinds if none is. Null without such a limit.
 */
export function gustLimit({ site, limits, machines }: Look): { key: string; label: string; gust_m_s: number; at_height_m: number } | null {
  const raised = limits.filter(limit => limit.metric === 'gust_at_height_m_s' && limit.stop !== null)
  const here = raised.filter(limit => machinesOf(limit, machines).length > 0)
  const found = (here.length > 0 ? here : raised).map(limit => {
    const at_height_m = heightOf(limit, machinesOf(limit, machines))
    const gust_m_s = Math.round(((limit.stop ?? 0) / windAt(1, at_height_m, site.terrain)) * 10) / 10
    return { key: limit.key, label: limit.label, gust_m_s, at_height_m }
  })
  return found.toSorted((a, b) => a.gust_m_s - b.gust_m_s)[0] ?? null
}

/** Returns the limits of an hour that have a value. `rain`: the rain of the 24 hours that end with it. */
export function limitsIn({ site, limits, machines }: Look, hour: Hour, rain: number | null): Found[] {
  const end = later(hour.at, HOUR)
  return limits.flatMap(limit => {
    const own = machinesOf(limit, machines).filter(one => overlaps(one, hour.at, end))
    const raised = limit.metric.includes('at_height')
    const height_m = heightOf(limit, own)
    const value = valueFor(limit, hour, { terrain: site.terrain, height_m, precipitation_24h_mm: rain })
    const state = stateOf(limit, value)
    if (state === null || value === null) return []
    return [
      {
        key: limit.key,
        label: limit.label,
        state,
        value: Math.round(value * 100) / 100,
        at_height_m: raised ? height_m : null,
        applies_to: own.map(one => one.id),
      },
    ]
  })
}

const DAY_HOURS = 24

/** Returns for each of these hours, which are in order, the rain of the 24 hours that end with it; null if one of them is missing. */
export function rainOf(hours: readonly Hour[]): (number | null)[] {
  return hours.map((hour, i) => {
    const own = hours.slice(Math.max(0, i - DAY_HOURS + 1), i + 1)
    const [first] = own
    if (own.length < DAY_HOURS || first === undefined || ms(hour.at) - ms(first.at) !== (DAY_HOURS - 1) * HOUR) return null
    return own.reduce<number | null>((sum, one) => (sum === null || one.precipitation_mm === null ? null : sum + one.precipitation_mm), 0)
  })
}

/** Returns what is computed for each of these hours, which are in order. */
export function shownHours(
  { site, calendar, working }: Look,
  hours: readonly Hour[],
): { work_date: string; daylight: boolean | null; working: boolean }[] {
  const place = site.lon === null || site.lat === null ? null : { lon: site.lon, lat: site.lat }
  let next = 0
  return hours.map(({ at }) => {
    const end = later(at, HOUR)
    while (next < working.length && (working[next]?.end_at ?? '') <= at) next++
    const run = working[next]
    return {
      work_date: workDateOf(calendar, at),
      daylight: place === null ? null : isLight(at, place) && isLight(end, place),
      working: run !== undefined && run.start_at < end,
    }
  })
}
