import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { HOUR, instant, later, ms } from '../../../../shared/time.ts'
import { MONDAY, openTestHouse, type TestHouse, type World } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { troubleOf } from './actions/trouble.ts'
import { MEASURES, type Measure } from './domain/hours.ts'
import { refreshWeather } from './jobs.ts'

type Values = Partial<Record<Measure, number | null>>
const CALM: Values = {
  temperature_c: 9,
  dew_point_c: 4,
  feels_like_c: 8,
  precipitation_mm: 0,
  wind_m_s: 3,
  wind_gust_m_s: 5,
  weather_code: 2,
  snow_depth_m: 0,
}
const LONDON = { lon: -0.0877, lat: 51.5079 }
const at = (time: string, date = '2026-03-16') => `${date}T${time}:00.000Z`

/** A service that speaks like Open-Meteo: `sky` says what each hour is; sums and gusts are stamped at the end of their hour. */
const service = {
  sky: (_start: string): Values => CALM,
  units: {} as Record<string, string>,
  left_out: new Set<string>(),
  down: false,
  asked: [] as URL[],
}

function answer(url: URL): unknown {
  const past = url.pathname.endsWith('archive')
  const first = past ? Date.parse(`${url.searchParams.get('start_date')}T00:00Z`) : service_start - 48 * HOUR
  const last = past ? Date.parse(`${url.searchParams.get('end_date')}T23:00Z`) : service_start + 16 * 24 * HOUR
  const times: number[] = []
  for (let time = first; time <= last; time += HOUR) times.push(time)
  const value = (name: Measure, time: number) => {
    const start = instant('ends' in MEASURES[name] ? time - HOUR : time)
    return service.left_out.has(start) ? null : (service.sky(start)[name] ?? null)
  }
  const variables = Object.entries(MEASURES) as [Measure, { variable: string; unit: string }][] // as declared
  return {
    hourly_units: Object.fromEntries(variables.map(([, { variable, unit }]) => [variable, service.units[variable] ?? unit])),
    hourly: {
      time: times.map(time => instant(time).slice(0, 16)),
      ...Object.fromEntries(variables.map(([name, { variable }]) => [variable, times.map(time => value(name, time))])),
    },
  }
}
/** The day on which its forecast begins. */
let service_start = ms('2026-03-16T00:00:00.000Z')

describe('weather', () => {
  let server: Server
  let house: TestHouse & { close(): Promise<void> }
  before(async () => {
    server = createServer((request, reply) => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1')
      service.asked.push(url)
      // Not at once, so that parallel readers wait for the same call.
      void delay(20).then(() => {
        reply.statusCode = service.down ? 500 : 200
        reply.end(service.down ? '' : JSON.stringify(answer(url)))
      })
    })
    await new Promise<void>(up => server.listen(0, '127.0.0.1', up))
    const { port } = server.address() as AddressInfo // it listens
    house = await openTestHouse({ WEATHER_PROVIDER: 'open_meteo', WEATHER_URL: `http://127.0.0.1:${port}` })
  })
  after(async () => {
    await house.close()
    server.close()
  })
  const reset = (now = MONDAY, sky: (start: string) => Values = () => CALM) => {
    Object.assign(service, { sky, units: {}, down: false, asked: [] })
    service.left_out.clear()
    service_start = ms(`${now.slice(0, 10)}T00:00:00.000Z`)
    house.clock(now)
  }
  let n = 0
  /** Where the last site is. */
  const here = () => ({ lon: LONDON.lon + n * 0.02, lat: LONDON.lat })
  /** A site with a location in a cell of its own. */
  const site = async (options: { timezone?: string } = {}): Promise<World> => {
    const w = await house.world(options)
    n++
    const location = here()
    const set = await w.as('hse').patch(`/sites/${w.site_id}`, { location })
    assert.equal(set.status, 200, set.text)
    return w
  }
  const get = (w: World, path: string) => w.as('viewer').get(`/weather/sites/${w.site_id}/${path}`)
  const read = async (w: World, path: string) => {
    const reply = await get(w, path)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const contractor = async (w: World, name: string): Promise<string> =>
    (await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name })).body.id
  const events = (w: World, kind: string) =>
    house.rows(`select payload from event where site_id = $1 and kind = $2 order by event_no`, [w.site_id, kind])

  test('§13 a gust of 12.0 m/s at 10 m in a suburb is 17.8 at 60 m: tower_crane stop, mewp (13.98 at 20 m) stop, and 12.0 is shown as the value at 10 m', async () => {
    reset(MONDAY, () => ({ ...CALM, wind_gust_m_s: 12 }))
    const w = await site()
    const now = await read(w, 'current')
    const of = (key: string) => now.limits.find((one: { key: string }) => one.key === key)
    assert.deepEqual([of('tower_crane').state, of('tower_crane').value, of('tower_crane').at_height_m], ['stop', 17.8, 60])
    assert.deepEqual([of('mewp').state, of('mewp').value, of('mewp').at_height_m], ['stop', 13.98, 20])
    assert.deepEqual([now.wind_gust_m_s, now.measured, now.daylight, now.working], [12, false, true, true])
    assert.match(now.attribution, /CC BY/)
  })

  test('§13, §8 the provider down after one answer: 200 with stale and a rising age; never an answer: 503 with Retry-After, and readiness stays 200; no location: 409', async () => {
    reset()
    const w = await site()
    assert.equal((await read(w, 'current')).stale, false)
    service.down = true
    house.clock(at('09:20'))
    const first = await read(w, 'current')
    assert.deepEqual([first.stale, first.age_minutes], [true, 20])
    house.clock(at('11:00'))
    assert.deepEqual([(await read(w, 'forecast')).stale, (await read(w, 'current')).age_minutes], [true, 120])
    const other = await site()
    const never = await get(other, 'current')
    assert.deepEqual([never.status, never.body.error.code], [503, 'unavailable'])
    assert.ok(Number(never.headers['retry-after']) > 0)
    const calls = service.asked.length
    assert.equal((await get(other, 'forecast')).status, 503)
    assert.equal(service.asked.length, calls, 'the breaker rests for a minute')
    // §8: the service is degraded, and ready; a stranger isn't shown why.
    const health = await other.superadmin.get('/health')
    assert.deepEqual(
      [health.status, health.body.status, health.body.checks.weather.status, health.body.checks.weather.message],
      [200, 'degraded', 'degraded', 'The weather service isn’t responding. Some sites have no forecast.'],
    )
    assert.equal((await house.nobody.get('/health')).body.checks, undefined)
    assert.equal((await house.nobody.get('/health/ready')).status, 200)
    service.down = false
    house.clock(at('11:40'))
    await refreshWeather(house.house)
    assert.equal(await troubleOf(house.house), null)
    const nowhere = await house.world()
    const refused = await get(nowhere, 'current')
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'no_location'])
  })

  test('§13 100 parallel first reads: one call to the provider, with the point rounded to 0.01°', async () => {
    reset()
    const w = await site()
    const replies = await Promise.all(Array.from({ length: 100 }, () => get(w, 'current')))
    assert.ok(replies.every(reply => reply.status === 200))
    assert.equal(service.asked.length, 1)
    const [url] = service.asked
    assert.match(url?.searchParams.get('longitude') ?? '', /^-?\d+\.\d\d$/)
    assert.deepEqual([url?.searchParams.get('wind_speed_unit'), url?.searchParams.get('timezone')], ['ms', 'UTC'])
    await read(w, 'forecast?hours=24')
    assert.equal(service.asked.length, 1, 'current and forecast are one call')
  })

  test('§13 the forecast said 5 mm and the hour came with 0: history gives 0 (recorded), issued= gives 5', async () => {
    reset(at('06:10'), start => ({ ...CALM, precipitation_mm: start === at('09:00') ? 5 : 0 }))
    const w = await site()
    await refreshWeather(house.house)
    service.sky = () => CALM
    house.clock(at('10:10'))
    await refreshWeather(house.house)
    await refreshWeather(house.house)
    const history = await read(w, `history?from=${at('09:00')}&to=${at('10:00')}`)
    assert.deepEqual(
      history.hours.map((one: Values & { source: string }) => [one.precipitation_mm, one.source]),
      [[0, 'recorded']],
    )
    const kept = await read(w, 'forecast?issued=2026-03-16')
    assert.equal(kept.hours.find((one: { at: string }) => one.at === at('09:00')).precipitation_mm, 5)
    service.sky = () => ({ ...CALM, precipitation_mm: 9 })
    house.clock(at('11:10'))
    await refreshWeather(house.house)
    assert.equal((await read(w, `history?from=${at('09:00')}&to=${at('10:00')}`)).hours[0].precipitation_mm, 0, 'never overwritten')
    assert.equal((await get(w, 'forecast?issued=2026-03-15')).status, 404)
  })

  test('§13 2026-10-25 in London has 25 hours in the timeline and 2026-03-29 has 23; hours of the night shift have the work_date of its start', async () => {
    reset(at('09:00', '2026-10-24'))
    const w = await site()
    const shift = { name: 'Nights', start_time: '19:00', end_time: '05:00' }
    assert.equal(
      (await w.as('hse').post('/shifts/', { site_id: w.site_id, ...shift, breaks: [], weekdays: [1, 2, 3, 4, 5, 6, 7] })).status,
      201,
    )
    const autumn = await read(w, 'timeline?from=2026-10-24T23:00:00.000Z&to=2026-10-26T00:00:00.000Z')
    assert.equal(autumn.hours.length, 25)
    const dates = autumn.hours.map((one: { at: string; work_date: string }) => [one.at.slice(11, 16), one.work_date])
    assert.deepEqual(dates[3], ['02:00', '2026-10-24'], 'the shift of Saturday evening')
    assert.deepEqual(dates[12], ['11:00', '2026-10-25'])
    reset(at('02:00', '2026-10-25'))
    const running = await read(w, 'timeline')
    assert.deepEqual(
      [running.from, running.to],
      ['2026-10-23T23:00:00.000Z', at('00:00', '2026-10-27')],
      'by itself it begins with the running site day, that of Saturday’s shift',
    )
    reset(at('09:00', '2026-03-28'))
    assert.equal((await read(w, 'timeline?from=2026-03-29T00:00:00.000Z&to=2026-03-29T23:00:00.000Z')).hours.length, 23)
    assert.equal(
      (await w.as('viewer').get(`/weather/sites/${w.site_id}/timeline?from=2026-03-28T00:00:00.000Z&to=2026-05-01T00:00:00.000Z`)).status,
      422,
    )
    assert.equal((await get(w, 'timeline?from=2026-04-20T00:00:00.000Z&to=2026-04-21T00:00:00.000Z')).status, 422)
    // Sixteen days ahead, to the millisecond.
    const until = async (to: string) => (await get(w, `timeline?from=2026-04-13T00:00:00.000Z&to=${to}`)).status
    assert.deepEqual([await until('2026-04-13T09:00:00.000Z'), await until('2026-04-13T09:00:00.001Z')], [200, 422])
    assert.equal(
      (await w.as('viewer').get(`/weather/sites/${w.site_id}/history?from=1939-01-01T00:00:00.000Z&to=1939-02-01T00:00:00.000Z`)).status,
      422,
    )
  })

  test('§13 a month of days with 4.9, 5.0 and 5.1 mm: one day over 5 mm; an hour missing is counted in hours_missing, not as 0', async () => {
    reset(at('09:00', '2026-05-20'), start => ({
      ...CALM,
      precipitation_mm: start.endsWith('T08:00:00.000Z') ? ({ '01': 4.9, '02': 5, '03': 5.1 }[start.slice(8, 10)] ?? 0) : 0,
    }))
    service.left_out.add(at('12:00', '2026-04-04'))
    const w = await site({ timezone: 'UTC' })
    const month = await read(w, 'history?from=2026-04-01T00:00:00.000Z&to=2026-05-01T00:00:00.000Z&group=month')
    assert.deepEqual(month.months, [
      { month: '2026-04', rain_mm: 15, days_over_5_mm: 1, days_below_0_c: 0, days_snow_lying: 0, hours_missing: 1 },
    ])
    const hours = await read(w, 'history?from=2026-04-04T12:00:00.000Z&to=2026-04-04T14:00:00.000Z')
    assert.deepEqual([hours.hours.length, hours.hours_missing, hours.hours[0].source], [1, 1, 'reanalysis'])
    const csv = await get(w, 'history?from=2026-04-01T00:00:00.000Z&to=2026-04-03T00:00:00.000Z&group=day&format=csv')
    assert.match(csv.text, /rain_mm.*CC BY/)
  })

  test('§13 a limit exceeded on Sunday without a shift: no limit_forecast; with a Sunday shift and a crane: one, and one only; then cleared; a gale on Sunday night: one limit_passed', async () => {
    const saturday = at('18:00', '2026-03-21')
    reset(saturday, start => ({ ...CALM, wind_gust_m_s: start.startsWith('2026-03-22') ? 14 : 5 }))
    const w = await site({ timezone: 'UTC' })
    const plant = {
      site_id: w.site_id,
      name: 'TC1',
      category: 'tower_crane',
      height_m: 60,
      start_at: at('06:00'),
      place: { point: here() },
    }
    assert.equal((await w.as('coordinator').post('/plant', plant)).status, 201)
    await refreshWeather(house.house)
    assert.deepEqual(await events(w, 'weather.limit_forecast'), [])
    const shift = { site_id: w.site_id, breaks: [], name: 'Sunday', start_time: '08:00', end_time: '16:00', weekdays: [7] }
    const made = await w.as('hse').post('/shifts/', shift)
    assert.equal(made.status, 201, made.text)
    for (const minutes of [20, 40, 60]) {
      house.clock(later(saturday, minutes * 60_000))
      await refreshWeather(house.house)
    }
    const told = await events(w, 'weather.limit_forecast')
    assert.equal(told.length, 1)
    const { limit, state, from, work_date } = told[0].payload
    assert.deepEqual([limit, state, from, work_date], ['tower_crane', 'stop', at('08:00', '2026-03-22'), '2026-03-22'])
    await relayEvents(house.house)
    assert.equal(
      (
        await house.rows(`select 1 from notification where site_id = $1 and user_id = $2 and kind = 'weather_limit_ahead'`, [
          w.site_id,
          w.as('coordinator').user_id,
        ])
      ).length,
      1,
    )
    service.sky = () => CALM
    house.clock(at('00:30', '2026-03-22'))
    await refreshWeather(house.house)
    assert.equal((await events(w, 'weather.limit_cleared')).length, 1)
    service.sky = start => ({ ...CALM, wind_m_s: start === at('22:00', '2026-03-22') || start === at('23:00', '2026-03-22') ? 18 : 3 })
    for (const time of ['01:00', '02:00', '06:30']) {
      house.clock(at(time, '2026-03-23'))
      await refreshWeather(house.house)
    }
    const passed = await events(w, 'weather.limit_passed')
    assert.deepEqual(
      passed.map(one => [one.payload.limit, one.payload.at, one.payload.value]),
      [['high_wind', at('22:00', '2026-03-22'), 18]],
    )
  })

  test('§13, §14 a limit exceeded in the night shift of one contractor is reported for its crane, with the site day of that shift; another contractor’s crane rests', async () => {
    const evening = at('18:00')
    reset(evening, start => ({ ...CALM, wind_gust_m_s: start === at('23:00') || start === at('02:00', '2026-03-17') ? 14 : 5 }))
    const w = await site({ timezone: 'UTC' })
    const crane = (name: string, contractor_id: string) => ({
      ...{ site_id: w.site_id, name, category: 'tower_crane', height_m: 60, start_at: at('06:00'), place: { point: here() } },
      contractor_id,
    })
    const [nights, days] = [await contractor(w, 'Nightlift Ltd'), await contractor(w, 'Daylift Ltd')]
    assert.equal((await w.as('coordinator').post('/plant', crane('TC2', days))).status, 201)
    const shift = { site_id: w.site_id, name: 'Night lift', contractor_id: nights, start_time: '22:00', end_time: '06:00' }
    assert.equal((await w.as('hse').post('/shifts/', shift)).status, 201)
    await refreshWeather(house.house)
    assert.deepEqual(await events(w, 'weather.limit_forecast'), [], 'nobody works with the crane at night')
    assert.equal((await w.as('coordinator').post('/plant', crane('TC1', nights))).status, 201)
    house.clock(later(evening, 20 * 60_000))
    await refreshWeather(house.house)
    const told = await events(w, 'weather.limit_forecast')
    assert.equal(told.length, 1)
    const { limit, from, to, work_date, contractor_ids } = told[0].payload
    assert.deepEqual(
      [limit, from, to, work_date, contractor_ids],
      ['tower_crane', at('23:00'), at('03:00', '2026-03-17'), '2026-03-16', [nights]],
    )
    // The weather is fetched every quarter of an hour from two hours before that shift on, not only every six hours.
    const calls = service.asked.length
    for (const minutes of [120, 140, 160]) {
      house.clock(later(evening, minutes * 60_000))
      await refreshWeather(house.house)
    }
    assert.equal(service.asked.length - calls, 3)
  })

  test('§13 a sum of 4 mm stamped 09:00 is of the hour that starts at 08:00; a temperature stamped 09:00 is that of 09:00; wrong units are gaps, never zero', async () => {
    reset(at('07:00'), start => ({
      ...CALM,
      precipitation_mm: start === at('08:00') ? 4 : 0,
      temperature_c: start === at('09:00') ? 17 : 9,
    }))
    const w = await site()
    const hours = (await read(w, 'forecast?hours=4')).hours
    assert.deepEqual(
      hours.map((one: Values & { at: string }) => [one.at.slice(11, 16), one.precipitation_mm, one.temperature_c]),
      [
        ['07:00', 0, 9],
        ['08:00', 4, 9],
        ['09:00', 0, 17],
        ['10:00', 0, 9],
      ],
    )
    const other = await site()
    service.units = { wind_gusts_10m: 'km/h' }
    const now = await read(other, 'current')
    assert.equal(now.wind_gust_m_s, null)
    assert.ok(!now.limits.some((one: { key: string }) => one.key === 'tower_crane'), 'no value, no verdict')
  })

  test('§13 the timeline has the declared weather stops, and the minutes in stop of working hours', async () => {
    reset(MONDAY, () => ({ ...CALM, wind_gust_m_s: 12 }))
    const w = await site({ timezone: 'UTC' })
    const stop = { site_id: w.site_id, title: 'Gusts', severity: 'danger', category: 'weather', effect: 'stops', activities: ['lifting'] }
    const { id } = (await w.as('coordinator').post('/alerts/', stop)).body
    const { hours, stops, days, gust_limit } = await read(w, `timeline?from=${at('00:00')}&to=${at('00:00', '2026-03-17')}`)
    assert.deepEqual(
      stops.map((one: { alert_id: string; from: string; to: null }) => [one.alert_id, one.from, one.to]),
      [[id, MONDAY, null]],
    )
    assert.deepEqual([hours[8].stops, hours[9].stops], [[], [id]])
    assert.equal(days[0].minutes_in_stop.tower_crane, 660)
    assert.equal(days[0].working_minutes, 570)
    // 9.8 m/s at 30 m in a suburb; nothing is on the map, so it is the lowest of all kinds.
    assert.deepEqual(gust_limit, { key: 'mobile_crane', label: 'Mobile crane', gust_m_s: 7.7, at_height_m: 30 })
  })
})
