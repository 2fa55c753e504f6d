import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature } from '../model.ts'
import { patternOf } from '../token-typed.ts'
import { daysFit, namesIn, weekFor } from './copying.ts'
import { gangPlace, recentGangs, shiftFor } from './gangs.ts'
import { seedArea, seedToken } from './seeding.ts'

const ZONE = 'Europe/London'

describe('copying a week', () => {
  test('§0.7 until Wednesday last week is copied to this one, from Thursday on this week to the next one', () => {
    assert.deepEqual(weekFor('2026-03-18'), { from_date: '2026-03-09', to_date: '2026-03-15', target_date: '2026-03-16' })
    assert.deepEqual(weekFor('2026-03-19'), { from_date: '2026-03-16', to_date: '2026-03-22', target_date: '2026-03-23' })
  })

  test('§0.7 days are copied to later days, at most 31 at a time', () => {
    const days = (from_date: string, to_date: string, target_date: string) => daysFit({ from_date, to_date, target_date })
    assert.deepEqual(
      [
        days('2026-03-09', '2026-03-15', '2026-03-16'),
        days('2026-03-09', '2026-03-15', '2026-03-15'),
        days('2026-03-01', '2026-03-31', '2026-04-01'),
        days('2026-03-01', '2026-04-01', '2026-04-02'),
        days('2026-03-02', '2026-03-01', '2026-04-02'),
        days('', '', ''),
      ],
      [true, false, true, false, false, false],
    )
  })

  test('the same gang on several days is one line', () => {
    const names = new Map([
      ['1', 'Fixers'],
      ['2', 'Roofers'],
      ['3', 'Fixers'],
    ])
    assert.deepEqual(
      namesIn(
        ['2', '1', '3'].map(copied_from_id => ({ copied_from_id })),
        names,
      ),
      [
        { name: 'Fixers', n: 2 },
        { name: 'Roofers', n: 1 },
      ],
    )
  })
})

describe('recent gangs', () => {
  const gang = (id: string, name: string, contractor_id: string | null, start_at: string) => ({
    ...{
      id,
      name,
      contractor_id,
      start_at,
      trade: 'Roofer',
      headcount: 3,
      activity: null,
      colour: null,
      end_at: '2026-03-13T17:30:00.000Z',
    },
  })
  test('each gang is there once, as it was last; people of a contractor see their own', () => {
    const rows = [
      gang('1', 'Fixers', 'a', '2026-03-10T07:30:00.000Z'),
      gang('2', 'fixers', 'a', '2026-03-11T07:30:00.000Z'),
      gang('3', 'Fixers', 'b', '2026-03-12T07:30:00.000Z'),
    ]
    assert.deepEqual(
      recentGangs(rows, null).map(({ id }) => id),
      ['3', '2'],
    )
    assert.deepEqual(
      recentGangs(rows, 'a').map(({ id }) => id),
      ['2'],
    )
  })

  test('a gang stays until its usual end of the day in site time; if that has passed, for a shift; a night gang until the morning', () => {
    const at = (iso: string, end_at: string) => shiftFor({ end_at }, Date.parse(iso), ZONE)
    assert.deepEqual(at('2026-03-16T09:07:00.000Z', '2026-03-13T17:30:00.000Z'), {
      start_at: '2026-03-16T09:00:00.000Z',
      end_at: '2026-03-16T17:30:00.000Z',
    })
    assert.equal(at('2026-03-16T18:00:00.000Z', '2026-03-13T17:30:00.000Z').end_at, '2026-03-17T02:00:00.000Z')
    assert.equal(at('2026-03-16T19:00:00.000Z', '2026-03-13T05:00:00.000Z').end_at, '2026-03-17T05:00:00.000Z')
    // The clocks have changed in between: 17:30 on site is an hour earlier in UTC.
    assert.equal(at('2026-03-30T09:00:00.000Z', '2026-03-27T17:30:00.000Z').end_at, '2026-03-30T16:30:00.000Z')
  })

  test('a gang is on the level that the map shows only if that building is there', () => {
    const coordinates = [
      [
        [0, 51],
        [0.001, 51],
        [0.001, 51.001],
        [0, 51.001],
        [0, 51],
      ],
    ]
    const tower = { id: 't', kind: 'building', geometry: { type: 'Polygon', coordinates } } as unknown as Feature // what is read of it
    const frame = new Map([['t', tower]])
    const floor = { building: 't', level: 2 }
    assert.deepEqual(gangPlace([0.0005, 51.0005], floor, frame), { point: { lon: 0.0005, lat: 51.0005 }, building_id: 't', level_index: 2 })
    assert.deepEqual(gangPlace([0.01, 51.0005], floor, frame), { point: { lon: 0.01, lat: 51.0005 } })
    assert.deepEqual(gangPlace([0.0005, 51.0005], null, frame), { point: { lon: 0.0005, lat: 51.0005 } })
  })
})

describe('import rule 8: what is on the map for a permit', () => {
  const permit = (start_at: string, end_at: string) => ({
    ...{ id: 'p', title: 'Weld handrails', permit_number: 'PTW-1', contractor_id: 'a', start_at, end_at },
    place: { building_id: 't', level_index: 1, zone_id: null, point: { lon: 0, lat: 51 } },
  })
  const now = Date.parse('2026-03-16T09:00:00.000Z')
  const seed = (start_at: string, end_at: string, from: string | null = null) => {
    const { typed, days } = seedToken(permit(start_at, end_at), now, ZONE, new Map(), from)
    return { typed, ...days }
  }

  test('rule 8.1 a window of at most 24 hours is one gang with the permit’s own times, place and contractor', () => {
    const { typed, occurrences } = seed('2026-03-16T08:00:00.000Z', '2026-03-16T18:00:00.000Z')
    assert.deepEqual(
      [typed.start_at, typed.end_at, typed.repeats, typed.permit_id, typed.contractor_id, typed.name, occurrences],
      ['2026-03-16T08:00:00.000Z', '2026-03-16T18:00:00.000Z', false, 'p', 'a', 'Weld handrails', 1],
    )
    assert.deepEqual(typed.place, { point: { lon: 0, lat: 51 }, building_id: 't', level_index: 1 })
  })

  test('rule 8.2 Thursday 20:00 to Tuesday 06:00 repeats on Thursday, Friday and Monday nights', () => {
    const { typed, occurrences } = seed('2026-06-04T19:00:00.000Z', '2026-06-09T05:00:00.000Z')
    assert.deepEqual(
      [typed.start_at, typed.end_at, typed.last_day, occurrences],
      ['2026-06-04T19:00:00.000Z', '2026-06-05T05:00:00.000Z', '2026-06-08', 3],
    )
    assert.deepEqual(patternOf(typed, ZONE), {
      ...{ start_date: '2026-06-04', end_date: '2026-06-08', weekdays: [1, 2, 3, 4, 5], start_time: '20:00', end_time: '06:00' },
    })
  })

  test('rule 8.4 and 8.5 days without working time and days that have passed are left out and said', () => {
    const days = seed('2026-03-16T08:00:00.000Z', '2026-03-19T08:00:00.000Z')
    assert.deepEqual([days.dates, days.occurrences, days.without_length], [4, 3, ['2026-03-19']])
    assert.deepEqual(patternOf(days.typed, ZONE)?.end_date, '2026-03-18')
    const late = seed('2026-03-12T08:00:00.000Z', '2026-03-18T17:00:00.000Z', '2026-03-16')
    assert.deepEqual([late.left_out, late.typed.start_at, late.occurrences], [['2026-03-12', '2026-03-13'], '2026-03-16T08:00:00.000Z', 3])
  })

  test('rule 8.2 plant and an area get the same days; plant is at a point, and an area has the outline and the level of the permit’s place', () => {
    const polygon = {
      type: 'Polygon' as const,
      coordinates: [
        [
          ...[
            [0, 51],
            [0.001, 51],
            [0.001, 51.001],
            [0, 51.001],
            [0, 51],
          ],
        ],
      ],
    }
    const given = {
      ...permit('2026-06-04T19:00:00.000Z', '2026-06-09T05:00:00.000Z'),
      place: { building_id: 't', level_index: 1, zone_id: null, polygon },
    }
    const gang = seedToken(given, now, ZONE, new Map(), null)
    const plant = seedToken(given, now, ZONE, new Map(), null, true)
    const area = seedArea(given, now, ZONE, null)
    assert.deepEqual(gang.typed.place?.polygon, polygon)
    assert.deepEqual(plant.typed.place, { point: { lon: 0.0005, lat: 51.0005 }, building_id: 't', level_index: 1 })
    assert.deepEqual(area.ground, polygon)
    assert.deepEqual(
      [area.typed.name, area.typed.contractor_id, area.typed.building_id, area.typed.level_index],
      ['Weld handrails', 'a', 't', '1'],
    )
    for (const { typed, days } of [plant, area]) {
      assert.deepEqual(days, gang.days)
      assert.deepEqual(patternOf(typed, ZONE), patternOf(gang.typed, ZONE))
    }
  })
})
