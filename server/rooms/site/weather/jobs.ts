import { DAY, dateOn, HOUR, type Instant, instantOf, later, MINUTE, ms, plusDays } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import { Refused } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'
import type { Schedule } from '../../../kernel/jobs/door.ts'
import { type Interval, runOf, shiftsOn, workDateOf, workingIntervals } from '../../../kernel/site/domain.ts'
import { calendarOf, writingOn } from '../../../kernel/site/door.ts'
import { answerFor } from './actions/cells.ts'
import { type Look, limitsIn, lookAt, rainOf, shownHours } from './actions/look.ts'
import { providerOf } from './actions/provider.ts'
import { type Hour, hoursIn } from './domain/hours.ts'
import { INSPECTED_AFTER, PLANT_OF, TYPES_OF } from './domain/limits.ts'
import {
  dropNotice,
  keepForecast,
  keepHours,
  keepNotice,
  keptForecast,
  noticesFrom,
  permitsDuring,
  placedSites,
  type SiteRow,
} from './queries.ts'

const BEFORE_SHIFT = 2 * HOUR
/** Outside working hours weather is fetched this often, so that no past hour is missed. */
const AT_REST = 6 * HOUR
const MORNING = '06:00'
const ALL_NULL = ({ at: _at, ...values }: Hour) => Object.values(values).every(value => value === null)

type Ahead = {
  key: string
  work_date: string
  state: 'caution' | 'stop'
  from: Instant
  to: Instant
  at: Instant
  value: number
  contractor_ids: string[]
}

/** Returns whether an hour is working time of a contractor, which can have shifts of its own; the intervals are read once for each contractor. */
function workOf({ calendar }: Look, from: Instant, until: Instant): (hour: Instant, contractor_id: Id | null) => boolean {
  const known = new Map<Id | null, Interval[]>()
  return (hour, contractor_id) =>
    remembered(known, contractor_id, () => workingIntervals(calendar, from, until, contractor_id)).some(
      one => one.start_at < later(hour, HOUR) && one.end_at > hour,
    )
}

/**
 * Returns which limits the working hours of the next 24 reach while plant or a permit that they concern is there: one for each limit and site day. An hour is a
 * working hour of the site, or of the contractor whose plant or permit it is: a lift at night is warned of, too.
 */
async function reached(ctx: Ctx, site: SiteRow, hours: readonly Hour[]): Promise<Ahead[]> {
  const until = later(ctx.now, DAY)
  const own = hours.filter(hour => later(hour.at, HOUR) > ctx.now && hour.at < until)
  const [first] = own
  if (first === undefined) return []
  const [look, permits] = await Promise.all([lookAt(ctx, site, first.at, until), permitsDuring(ctx.db, site.site_id, first.at, until)])
  const [shown, rain] = [shownHours(look, own), rainOf(hours).slice(hours.indexOf(first))]
  const works = workOf(look, first.at, until)
  const found = new Map<string, Ahead>()
  for (const [i, hour] of own.entries()) {
    const { work_date: site_day = '', working = false } = shown[i] ?? {}
    const end = later(hour.at, HOUR)
    for (const { key, state, value, applies_to } of limitsIn(look, hour, rain[i] ?? null)) {
      if (state === 'ok' || (PLANT_OF[key] === undefined && TYPES_OF[key] === undefined)) continue
      const machines = look.machines.filter(one => applies_to.includes(one.id))
      const covered = permits.filter(
        one => one.start_at < end && one.end_at > hour.at && one.categories.some(type => TYPES_OF[key]?.includes(type)),
      )
      const concerned = [...machines, ...covered].filter(one => working || works(hour.at, one.contractor_id))
      const [one] = concerned
      if (one === undefined) continue
      const work_date = working ? site_day : workDateOf(look.calendar, hour.at, one.contractor_id)
      const contractors = concerned.flatMap(({ contractor_id }) => contractor_id ?? [])
      const known = found.get(`${key} ${work_date}`)
      const worse = known === undefined || (state === 'stop' && known.state === 'caution')
      found.set(`${key} ${work_date}`, {
        ...{ key, work_date, state: worse ? state : known.state, from: known?.from ?? hour.at, to: end },
        ...(worse ? { at: hour.at, value } : { at: known.at, value: known.value }),
        contractor_ids: [...new Set([...(known?.contractor_ids ?? []), ...contractors])],
      })
    }
  }
  return [...found.values()]
}

const subjectOf = (site: SiteRow, label: string) => ({ kind: 'site', id: site.site_id, label })

/** Reports limits that are forecast, once for each site day, again when they begin an hour earlier or later or worsen; and those that no longer are. */
async function tellAhead(ctx: Ctx, site: SiteRow, hours: readonly Hour[]): Promise<void> {
  const today = dateOn(site.timezone, ctx.now)
  const [ahead, told] = [await reached(ctx, site, hours), await noticesFrom(ctx.db, site.site_id, 'forecast', plusDays(today, -1))]
  const look = await lookAt(ctx, site, ctx.now, later(ctx.now, HOUR))
  const labelOf = (key: string) => look.limits.find(one => one.key === key)?.label ?? key
  const emit = (verb: string, { key, ...one }: Ahead) =>
    ctx.emit({
      kind: `weather.${verb}`,
      site_id: site.site_id,
      subject: subjectOf(site, labelOf(key)),
      payload: { limit: key, ...one },
      contractor_ids: one.contractor_ids,
    })
  for (const one of ahead) {
    const before = told.find(notice => notice.limit_key === one.key && notice.work_date === one.work_date)
    // A limit that is reached already begins now, and not again with each hour.
    const moved = before !== undefined && before.starts_at > ctx.now && Math.abs(ms(before.starts_at) - ms(one.from)) >= HOUR
    const worse = before?.state === 'caution' && one.state === 'stop'
    if (before !== undefined && !moved && !worse) continue
    await keepNotice(ctx.db, site.site_id, 'forecast', {
      limit_key: one.key,
      work_date: one.work_date,
      state: one.state,
      starts_at: one.from,
      ends_at: one.to,
    })
    emit('limit_forecast', one)
  }
  for (const notice of told) {
    if (notice.ends_at <= ctx.now || ahead.some(one => one.key === notice.limit_key && one.work_date === notice.work_date)) continue
    await dropNotice(ctx.db, site.site_id, notice)
    const state = notice.state === 'stop' ? 'stop' : 'caution'
    emit('limit_cleared', {
      key: notice.limit_key,
      work_date: notice.work_date,
      state,
      from: notice.starts_at,
      to: notice.ends_at,
      at: notice.starts_at,
      value: 0,
      contractor_ids: [],
    })
  }
}

/** Reports each gale and each heavy rain that was recorded, once for each site day. */
async function tellPassed(ctx: Ctx, site: SiteRow, hours: readonly Hour[], fresh: ReadonlySet<Instant>): Promise<void> {
  const [first, last] = [hours[0], hours.at(-1)]
  if (first === undefined || last === undefined || fresh.size === 0) return
  const look = await lookAt(ctx, site, first.at, later(last.at, HOUR))
  const rain = rainOf(hours)
  // An hour of a night shift belongs to the day before.
  const since = plusDays(dateOn(site.timezone, first.at), -1)
  const told = new Set((await noticesFrom(ctx.db, site.site_id, 'passed', since)).map(one => `${one.limit_key} ${one.work_date}`))
  for (const [i, hour] of hours.entries()) {
    if (!fresh.has(hour.at)) continue
    const work_date = workDateOf(look.calendar, hour.at)
    for (const { key, state, value } of limitsIn(look, hour, rain[i] ?? null)) {
      if (state !== 'stop' || !INSPECTED_AFTER.includes(key) || told.has(`${key} ${work_date}`)) continue
      told.add(`${key} ${work_date}`)
      const end = later(hour.at, HOUR)
      await keepNotice(ctx.db, site.site_id, 'passed', { limit_key: key, work_date, state, starts_at: hour.at, ends_at: end })
      const label = look.limits.find(one => one.key === key)?.label ?? key
      const payload = { limit: key, state, from: hour.at, to: end, at: hour.at, value, work_date, contractor_ids: [] }
      ctx.emit({ kind: 'weather.limit_passed', site_id: site.site_id, subject: subjectOf(site, label), payload })
    }
  }
}

/** Returns whether a site, or a contractor that has shifts of its own, works now or soon. */
async function isBusy(house: House, site: SiteRow): Promise<boolean> {
  const now = house.clock.now()
  const calendar = await calendarOf(house.database.db, site.site_id)
  const today = dateOn(site.timezone, now)
  const contractors = [null, ...new Set(calendar.shifts.flatMap(({ contractor_id }) => contractor_id ?? []))]
  return [plusDays(today, -1), today, plusDays(today, 1)]
    .flatMap(date => contractors.flatMap(one => shiftsOn(calendar, date, one).map(shift => runOf(site.timezone, shift, date))))
    .some(run => later(run.start_at, -BEFORE_SHIFT) <= now && now <= run.end_at)
}

async function refresh(house: House, site: SiteRow): Promise<boolean> {
  let answer: Awaited<ReturnType<typeof answerFor>>
  try {
    answer = await answerFor(house, site, { wait: true, good_for: (await isBusy(house, site)) ? 0 : AT_REST })
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
  const { fetched_at } = answer
  const hours = hoursIn(answer.answer)
  await writingOn(house, { actor: jobActor('weather'), cause: 'weather.refresh' }, site.site_id, async ctx => {
    const over = hours.filter(hour => later(hour.at, HOUR) <= fetched_at && !ALL_NULL(hour))
    const fresh = await keepHours(ctx.db, site.site_id, 'recorded', over, fetched_at)
    await tellPassed(ctx, site, over, new Set(fresh))
    const today = dateOn(site.timezone, ctx.now)
    if (fetched_at >= instantOf(site.timezone, today, MORNING) && (await keptForecast(ctx.db, site.site_id, today)) === null)
      await keepForecast(
        ctx.db,
        site.site_id,
        today,
        fetched_at,
        hours.filter(hour => hour.at >= later(fetched_at, -HOUR)),
      )
    if (answer.age_minutes * MINUTE < AT_REST) await tellAhead(ctx, site, hours)
  })
  return true
}

/** Fetches the weather of every site, keeps what is over, and reports limits. */
export async function refreshWeather(house: House): Promise<number> {
  if (house.settings.weather.provider === 'none') return 0
  let done = 0
  for (const site of await placedSites(house.database.db)) {
    if (providerOf(house, site) === null) continue
    try {
      if (await refresh(house, site)) done++
    } catch (error) {
      house.log.error({ site_id: site.site_id, err: error }, 'the weather of a site couldn’t be kept')
    }
  }
  return done
}

export const schedules: Schedule[] = [
  {
    kind: 'weather',
    says: 'Fetches the weather of every site with a location, keeps what is over, and reports limits that are forecast or were passed.',
    every_minutes: 15,
    run: async house => ({ sites: await refreshWeather(house) }),
  },
]
