import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, later } from '../../../../shared/time.ts'
import { useHouse } from '../../../../tests/world.ts'
import { refreshWeather } from './jobs.ts'

/** Site days by hand, in the order of time: zone, place, day, where it starts and ends, and how many hours start on it. */
const DAYS = [
  ['Asia/Kathmandu', 85.3, 27.7, '2026-02-10', '2026-02-09T18:15', '2026-02-10T18:15', 24],
  ['America/St_Johns', -52.7, 47.6, '2026-03-08', '2026-03-08T03:30', '2026-03-09T02:30', 23],
  ['Australia/Lord_Howe', 159.1, -31.5, '2026-04-05', '2026-04-04T13:00', '2026-04-05T13:30', 25],
  ['Asia/Kolkata', 77.2, 28.6, '2026-05-12', '2026-05-11T18:30', '2026-05-12T18:30', 24],
  ['Pacific/Apia', -171.8, -13.8, '2026-06-12', '2026-06-11T11:00', '2026-06-12T11:00', 24],
  ['Australia/Lord_Howe', 159.3, -31.5, '2026-10-04', '2026-10-03T13:30', '2026-10-04T13:00', 23],
] as const

type Hour = { at: string; work_date: string; source: string; temperature_c: number | null }
type Day = { work_date: string; working_minutes: number; hours_missing: number }

describe('weather in zones that aren’t whole hours from UTC', () => {
  const house = useHouse()

  for (const [timezone, lon, lat, day, start, end, n] of DAYS)
    test(`§13 an hour belongs to the site day on which it starts, ahead and kept: ${n} hours of ${day} in ${timezone}, and no other day`, async () => {
      const [from, to] = [`${start}:00.000Z`, `${end}:00.000Z`]
      house.clock(from)
      const w = await house.world({ timezone })
      assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon, lat } })).status, 200)
      const read = async (path: string) => {
        const reply = await w.as('viewer').get(`/weather/sites/${w.site_id}/${path}`)
        assert.equal(reply.status, 200, reply.text)
        return reply.body
      }
      const dayOnly = ({ hours, days }: { hours: Hour[]; days: Day[] }, what: string) => {
        assert.deepEqual([...new Set([...hours, ...days].map(one => one.work_date))], [day], what)
        assert.equal(hours.length, n, what)
      }
      dayOnly(await read(`timeline?from=${from}&to=${to}`), 'ahead')
      const usual = await read('timeline')
      assert.equal(usual.from, from)
      assert.deepEqual([usual.days.length, usual.days[0].work_date], [3, day], 'by itself: three days')
      // The last hour can reach into the next day.
      house.clock(later(to, HOUR))
      await refreshWeather(house.house)
      const kept = await read(`timeline?from=${from}&to=${to}`)
      dayOnly(kept, 'kept')
      assert.ok(kept.hours.every((hour: Hour) => hour.source === 'recorded' && hour.temperature_c !== null))
      const history = await read(`history?from=${from}&to=${to}&group=day`)
      assert.deepEqual(
        history.days.map((one: Day) => [one.work_date, one.hours_missing]),
        [[day, 0]],
      )
    })

  test('§13 a timeline that starts within an hour has that hour, as it was kept', async () => {
    house.clock('2026-11-10T05:00:00.000Z')
    const w = await house.world({ timezone: 'Asia/Kathmandu' })
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: 85.5, lat: 27.7 } })).status, 200)
    await refreshWeather(house.house)
    const path = `/weather/sites/${w.site_id}/timeline?from=2026-11-10T03:20:00.000Z&to=2026-11-10T05:00:00.000Z`
    assert.deepEqual(
      (await w.as('viewer').get(path)).body.hours.map((one: Hour) => [one.at, one.source]),
      [
        ['2026-11-10T03:00:00.000Z', 'recorded'],
        ['2026-11-10T04:00:00.000Z', 'recorded'],
      ],
    )
  })

  test('§13, §0.2 the working minutes of a day are those of its shifts, where an hour of the weather is in the shifts of two days', async () => {
    house.clock('2026-11-17T00:00:00.000Z')
    const w = await house.world({ timezone: 'Asia/Kathmandu' })
    const { site_id } = w
    assert.equal((await w.as('hse').patch(`/sites/${site_id}`, { location: { lon: 85.7, lat: 27.7 } })).status, 200)
    const shifts = [
      { name: 'Early', start_time: '05:00', end_time: '13:00', breaks: [] },
      { name: 'Nights', start_time: '21:00', end_time: '05:00', breaks: [] },
    ]
    const create = async (shift: object) => assert.equal((await w.as('hse').post('/shifts/', { site_id, ...shift })).status, 201)
    const [seeded] = (await w.as('viewer').get(`/shifts/?site_id=${site_id}`)).body
    assert.equal((await w.as('hse').del(`/shifts/${seeded.id}`, { effective_on: '2026-11-17' })).status, 204)
    for (const shift of shifts) await create(shift)
    // Wednesday, from 00:00 to 24:00 on site.
    const path = `/weather/sites/${site_id}/timeline?from=2026-11-17T18:15:00.000Z&to=2026-11-18T18:15:00.000Z`
    const { days } = (await w.as('viewer').get(path)).body
    assert.deepEqual(
      days.map((one: Day) => [one.work_date, one.working_minutes]),
      [
        ['2026-11-17', 5 * 60],
        ['2026-11-18', 8 * 60 + 3 * 60],
      ],
    )
  })
})
