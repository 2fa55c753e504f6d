import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLight, sunDay, sunHeight } from './sun.ts'
import { ms } from './time.ts'

const LONDON = { lon: -0.1276, lat: 51.5072 }

describe('the sun', () => {
  // Times as almanacs publish them, to the minute.
  test('§13 sunrise and sunset agree with almanacs to two minutes: London, Sydney, and neither in Tromsø at midsummer', () => {
    const near = (is: string | null, wanted: string) =>
      assert.ok(is !== null && Math.abs(ms(is) - ms(wanted)) <= 120_000, `${is} is not ${wanted}`)
    const check = (noon: string, place: typeof LONDON, rise: string, set: string) => {
      const { sunrise_at, sunset_at } = sunDay(noon, place)
      near(sunrise_at, rise)
      near(sunset_at, set)
    }
    check('2026-06-21T12:00:00.000Z', LONDON, '2026-06-21T03:43:00.000Z', '2026-06-21T20:22:00.000Z')
    check('2026-12-21T12:00:00.000Z', LONDON, '2026-12-21T08:04:00.000Z', '2026-12-21T15:53:00.000Z')
    check('2026-03-20T12:00:00.000Z', LONDON, '2026-03-20T06:03:00.000Z', '2026-03-20T18:14:00.000Z')
    check('2026-06-21T02:00:00.000Z', { lon: 151.2093, lat: -33.8688 }, '2026-06-20T21:00:00.000Z', '2026-06-21T06:54:00.000Z')
    assert.deepEqual(sunDay('2026-06-21T11:00:00.000Z', { lon: 18.9553, lat: 69.6492 }), { sunrise_at: null, sunset_at: null })
  })

  test('§13 it is light from sunrise to sunset, and the sun is highest at noon', () => {
    assert.equal(isLight('2026-12-21T08:00:00.000Z', LONDON), false)
    assert.equal(isLight('2026-12-21T08:10:00.000Z', LONDON), true)
    assert.equal(isLight('2026-12-21T15:50:00.000Z', LONDON), true)
    assert.equal(isLight('2026-12-21T15:58:00.000Z', LONDON), false)
    assert.ok(Math.abs(sunHeight('2026-06-21T12:02:00.000Z', LONDON) - 61.93) < 0.1)
  })
})
