// Past weather that was recorded, or comes from the archive: which of the two a person gets, and how often the archive is asked.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { DAY, HOUR, instant, ms } from '../../../../shared/time.ts'
import { openTestHouse, type TestHouse, type World } from '../../../../tests/world.ts'
import { MEASURES, noValues } from './domain/hours.ts'
import { keepHours } from './queries.ts'

const CALLS = 20
const at = (time: string, date = '2026-03-10') => `${date}T${time}:00.000Z`

describe('past weather', () => {
  let server: Server
  let house: TestHouse & { close(): Promise<void> }
  const asked: string[] = []
  before(async () => {
    // An archive in which it is always 4 °C.
    server = createServer((request, reply) => {
      const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      const [first, last] = [searchParams.get('start_date'), searchParams.get('end_date')]
      asked.push(`${first} ${last}`)
      const start = Date.parse(`${first}T00:00Z`)
      const length = Math.round((Date.parse(`${last}T00:00Z`) + DAY - start) / HOUR)
      const time = Array.from({ length }, (_, i) => instant(start + i * HOUR).slice(0, 16))
      const all = <T>(of: (variable: string, unit: string) => T) =>
        Object.fromEntries(Object.values(MEASURES).map(({ variable, unit }) => [variable, of(variable, unit)]))
      const value = (variable: string) => (variable === 'temperature_2m' ? 4 : 0)
      reply.end(
        JSON.stringify({ hourly_units: all((_, unit) => unit), hourly: { time, ...all(variable => time.map(() => value(variable))) } }),
      )
    })
    await new Promise<void>(up => server.listen(0, '127.0.0.1', up))
    const { port } = server.address() as AddressInfo // it listens
    house = await openTestHouse({
      ...{ WEATHER_PROVIDER: 'open_meteo', WEATHER_URL: `http://127.0.0.1:${port}`, WEATHER_DAILY_CALLS: String(CALLS) },
    })
  })
  after(async () => {
    await house.close()
    server.close()
  })
  const site = async (now = at('09:00', '2026-03-26')): Promise<World> => {
    house.clock(now)
    asked.length = 0
    const w = await house.world({ timezone: 'UTC' })
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })).status, 200)
    return w
  }
  const history = async (w: World, query: string) => {
    const reply = await w.as('viewer').get(`/weather/sites/${w.site_id}/history?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }

  test('§13 with source=reanalysis the archive is asked, too, for hours that were recorded; by default a recorded hour stays', async () => {
    const w = await site()
    const hours = Array.from({ length: 24 }, (_, i) => ({ ...noValues(), at: instant(ms(at('00:00')) + i * HOUR), temperature_c: 9 }))
    await keepHours(house.house.database.db, w.site_id, 'recorded', hours, at('23:59'))
    const of = async (more: string) => {
      const { hours: shown, hours_missing } = await history(w, `from=${at('06:00')}&to=${at('09:00')}${more}`)
      return [shown.map((hour: { temperature_c: number }) => hour.temperature_c), hours_missing]
    }
    assert.deepEqual([await of(''), asked.length], [[[9, 9, 9], 0], 0])
    assert.deepEqual([await of('&source=reanalysis'), asked], [[[4, 4, 4], 0], ['2026-03-10 2026-03-11']])
    assert.deepEqual(await of(''), [[9, 9, 9], 0], 'the recorded one stays')
  })

  test('§13 the archive is asked once for a day, whatever part of it is read, and only for days with missing hours', async () => {
    const w = await site(at('09:00', '2026-03-27'))
    for (const [from, to] of [
      ['08:00', '09:00'],
      ['08:01', '09:30'],
      ['00:00', '23:00'],
    ] as const)
      assert.equal((await history(w, `from=${at(from)}&to=${at(to)}`)).hours_missing, 0)
    assert.deepEqual(asked, ['2026-03-10 2026-03-11'])
    assert.equal((await history(w, `from=${at('00:00', '2026-03-09')}&to=${at('00:00', '2026-03-11')}`)).hours.length, 48)
    assert.deepEqual(asked.slice(1), ['2026-03-09 2026-03-10'])
  })

  test('§13 people who read the past leave the last fifth of the daily calls to forecasts', async () => {
    const w = await site(at('09:00', '2026-03-28'))
    for (let i = 1; i <= CALLS; i++) {
      const day = `2026-01-${String(i).padStart(2, '0')}`
      await history(w, `from=${at('00:00', day)}&to=${at('12:00', day)}`)
    }
    assert.equal(asked.length, CALLS * 0.8)
  })
})
