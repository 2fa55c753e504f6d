// Periods that are limited to a number of days, over the night on which the clocks go back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { later } from '../shared/time.ts'
import { boxAt, MIDDLE } from './geo.ts'
import { type Reply, useHouse, type World } from './world.ts'

/** Site days of Lord Howe by their number, from midnight to midnight; one of them has 24.5 hours. */
const PERIODS = {
  31: ['2026-03-24T13:00:00.000Z', '2026-04-24T13:30:00.000Z'],
  92: ['2026-01-31T13:00:00.000Z', '2026-05-03T13:30:00.000Z'],
  366: ['2026-04-03T13:00:00.000Z', '2027-04-04T13:30:00.000Z'],
} as const

type Asked = { what: string; days: keyof typeof PERIODS; field: string; send(w: World, from: string, to: string): Promise<Reply> }
const PLACE = { polygon: boxAt(0, 0, 40) }
const ASKED: readonly Asked[] = [
  {
    ...{ what: '§13 a timeline of the weather', days: 31, field: 'to' },
    send: (w, from, to) => w.as('viewer').get(`/weather/sites/${w.site_id}/timeline?from=${from}&to=${to}`),
  },
  {
    ...{ what: '§13 the history of the weather', days: 366, field: 'to' },
    send: (w, from, to) => w.as('viewer').get(`/weather/sites/${w.site_id}/history?from=${from}&to=${to}&group=month`),
  },
  {
    ...{ what: '§17 the change points of a site', days: 92, field: 'to' },
    send: ({ as, site_id }, from, to) =>
      as('viewer').post('/analysis/change-points', { site_id, from, to, series: { bucket_minutes: 15 } }),
  },
  {
    ...{ what: 'map.md §12 an export', days: 366, field: 'to' },
    send: (w, from, to) => w.as('coordinator').get(`/exports/geojson?site_id=${w.site_id}&from=${from}&to=${to}`),
  },
  {
    ...{ what: 'conflict §4 a list of clashes', days: 92, field: 'to' },
    send: (w, from, to) => w.as('coordinator').get(`/clashes?site_id=${w.site_id}&from=${from}&to=${to}`),
  },
  {
    ...{ what: 'conflict §1 the preview of a clash rule', days: 31, field: 'to' },
    send: (w, from, to) => w.as('hse').post('/clash-rules/dsl/preview', { site_id: w.site_id, from, to, definition: {} }),
  },
  {
    ...{ what: 'map.md §2 a fill of an active area', days: 31, field: 'end_at' },
    send: (w, start_at, end_at) =>
      w
        .as('coordinator')
        .post('/active-areas/fill', { site_id: w.site_id, container: PLACE, start_at, end_at, template: { name: 'Ours' } }),
  },
]

describe('periods that are limited to a number of days', () => {
  const house = useHouse()

  for (const { what, days, field, send } of ASKED)
    test(`conventions §1 ${what} has up to ${days} site days, also where the clocks go back on one of them`, async () => {
      house.clock('2027-04-10T00:00:00.000Z')
      const w = await house.world({ timezone: 'Australia/Lord_Howe' })
      assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: MIDDLE })).status, 200)
      const [from, to] = PERIODS[days]
      const whole = await send(w, from, to)
      assert.ok(whole.status < 300, whole.text.slice(0, 300))
      const longer = await send(w, from, later(to, 1))
      assert.deepEqual([longer.status, longer.body.error.fields[0].path], [422, field])
    })
})
