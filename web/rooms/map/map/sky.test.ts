import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gapsBetween, skyOf } from './sky.ts'

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 2, 16, hour, minute)).toISOString()
const [from, to] = [Date.parse(at(0)), Date.parse(at(24))]
const NOTHING = {
  temperature_c: null,
  feels_like_c: null,
  humidity_percent: null,
  dew_point_c: null,
  precipitation_probability_percent: null,
}
const MORE = { snowfall_cm: null, snow_depth_m: null, wind_m_s: null, wind_direction_deg: null, visibility_m: null, cloud_percent: null }
const hour = (
  n: number,
  gust: number | null,
  rain: number | null,
  limits: { key: string; state: 'caution' | 'stop'; on_map?: boolean | null }[] = [],
) => ({
  ...{ at: at(n), work_date: '2026-03-16', daylight: n >= 6 && n < 18, working: true, ...NOTHING, ...MORE, weather_code: null },
  ...{ precipitation_mm: rain, wind_gust_m_s: gust, source: 'forecast' as const, issued_at: null, fetched_at: null, stops: [] },
  limits: limits.map(limit => ({ on_map: false, ...limit, label: limit.key, value: 0, at_height_m: null })),
})
const day = (hours: ReturnType<typeof hour>[], more: object = {}) => ({ hours, stops: [], gust_limit: null, ...more })

describe('the map: the weather under the time slider', () => {
  test('§13 hours without working time are the gaps between shifts, with a night shift that began the day before', () => {
    const shifts = [
      { start_at: at(12), end_at: at(18) },
      { start_at: at(-2), end_at: at(6) },
      { start_at: at(7), end_at: at(12) },
    ]
    assert.deepEqual(gapsBetween(shifts, from, to), [
      { from: 6 / 24, to: 7 / 24 },
      { from: 18 / 24, to: 1 },
    ])
    assert.deepEqual(gapsBetween([], from, to), [{ from: 0, to: 1 }])
    assert.deepEqual(skyOf(null, null, from, to).rests, [], 'not known yet isn’t a day off')
  })

  test('§13 an hour without a value is a gap in the line, never a calm hour, and rain that is missing isn’t dry', () => {
    const sky = skyOf(day([hour(8, 5, 0), hour(9, null, null), hour(10, 7, 2)]), [], from, to)
    assert.deepEqual(
      sky.gusts.map(line => line.length),
      [1, 1],
    )
    assert.deepEqual([sky.most_gust, sky.rain_mm, sky.rain.length], [7, 2, 1])
    const none = skyOf(day([hour(8, null, null)]), [], from, to)
    assert.deepEqual([none.most_gust, none.rain_mm, none.gusts], [null, null, []])
  })

  test('§13 hours in a row with the same state of a limit are one stretch; stops come first', () => {
    const stop = [{ key: 'mewp', state: 'stop' as const }]
    const caution = [{ key: 'mewp', state: 'caution' as const }]
    const { reached } = skyOf(
      day([hour(8, 9, 0, caution), hour(9, 11, 0, stop), hour(10, 12, 0, stop), hour(12, 12, 0, stop)]),
      [],
      from,
      to,
    )
    assert.deepEqual(
      reached.map(one => [one.state, one.from, one.to]),
      [
        ['stop', at(9), at(11)],
        ['stop', at(12), at(13)],
        ['caution', at(8), at(9)],
      ],
    )
  })

  test('§13 with a machine on the map, limits of other machines are left out; limits that aren’t about machines never are', () => {
    const limits = [
      { key: 'mewp', state: 'stop' as const },
      { key: 'ice', state: 'stop' as const, on_map: null },
    ]
    const keys = (more: Parameters<typeof hour>[3] & {}) =>
      skyOf(day([hour(8, 9, 0, [...limits, ...more])]), [], from, to).reached.map(one => one.key)
    assert.deepEqual(keys([]), ['mewp', 'ice'])
    assert.deepEqual(keys([{ key: 'tower_crane', state: 'stop', on_map: true }]), ['ice', 'tower_crane'])
  })

  test('§13 the limit is drawn on the scale of the gusts, and night and declared stops as stretches of the day', () => {
    const gust_limit = { key: 'mewp', label: 'Platform', gust_m_s: 10.7, at_height_m: 20 }
    const stops = [{ alert_id: 'a', title: 'Gusts', from: at(15), to: null, activities: [] }]
    const sky = skyOf(day([hour(5, 20, 0), hour(6, 8, 0)], { gust_limit, stops }), [], from, to)
    assert.ok(Math.abs((sky.limit ?? 0) - 10.7 / 22) < 1e-9)
    assert.deepEqual([sky.nights, sky.stops], [[{ from: 5 / 24, to: 6 / 24 }], [{ from: 15 / 24, to: 1 }]])
    assert.equal(skyOf(day([hour(6, 3, 0)], { gust_limit: { ...gust_limit, gust_m_s: 16 } }), [], from, to).limit, null, 'out of sight')
  })

  test('§13 the hour that is running at midnight on site is drawn to its end, and what it brought belongs to the day before', () => {
    // Kathmandu: midnight is 18:15 UTC.
    const start = from + 18.25 * 3_600_000
    const limits = [{ key: 'mewp', state: 'stop' as const }]
    const sky = skyOf(day([hour(18, 20, 4, limits), hour(19, 6, 1)]), [], start, start + 24 * 3_600_000)
    assert.deepEqual([sky.most_gust, sky.rain_mm, sky.reached], [6, 1, []])
    assert.deepEqual(
      sky.rain.map(one => [one.from * 24 * 60, Math.round(one.to * 24 * 60)]),
      [
        [0, 45],
        [45, 105],
      ],
    )
    assert.deepEqual(sky.nights[0], { from: 0, to: 45 / (24 * 60) }, 'night from midnight on')
  })
})
