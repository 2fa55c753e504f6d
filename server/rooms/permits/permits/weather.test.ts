import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

const LIFT = ['LIFT']
const HERE = { lon: -0.0877, lat: 51.5079 }
const at = (time: string) => `2026-03-16T${time}:00.000Z`

describe('weather limits in the window of a permit', () => {
  const house = useHouse()

  /** A site whose forecast has calm hours, and gusts of 12 m/s from 14:00 to 16:00. */
  const windy = async () => {
    house.clock(at('09:00'))
    const w = await permitWorld(house)
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: HERE })).status, 200)
    assert.equal((await w.as('viewer').get(`/weather/sites/${w.site_id}/current`)).status, 200)
    const [{ answer }] = await house.rows('select answer from weather_cell')
    const { time, ...measures } = answer.hourly
    const hourly = Object.fromEntries(
      Object.entries(measures).map(([name, values]) => [name, name.startsWith('wind_') ? time.map(() => 1) : values]),
    )
    // A gust is stamped at the end of its hour.
    hourly.wind_gusts_10m = time.map((hour: string) => (['2026-03-16T15:00', '2026-03-16T16:00'].includes(hour) ? 12 : 1))
    await house.rows('update weather_cell set answer = $1', [JSON.stringify({ ...answer, hourly: { time, ...hourly } })])
    return w
  }
  const warned = async (w: PermitWorld, more: object) => {
    const permit = await w.at('requested', { categories: LIFT, start_at: at('10:00'), end_at: at('18:00'), ...more })
    const { advice } = await w.read(permit, w.as('hse'))
    return { permit, detail: advice.endorse.warnings.find((one: { code: string }) => one.code === 'weather_limit')?.detail }
  }

  test('§13 LIFT and WAH review has the warning weather_limit with the limits that the window reaches; the step repeats it and is not blocked', async () => {
    const w = await windy()
    const { permit, detail } = await warned(w, {})
    assert.match(detail, /^This is example data, not the weather of this site\. The forecast reaches/)
    assert.match(detail, /Tower crane: stop, from 16 Mar 2026, 14:00, 17\.8 m\/s at 60 m\./)
    assert.match(detail, /Mobile platform: stop, from 16 Mar 2026, 14:00, 14\.0 m\/s at 20 m\./)
    const endorsed = await w.step(permit, 'endorse', w.as('coordinator'))
    assert.equal(endorsed.status, 200, endorsed.text)
    assert.ok(endorsed.body.warnings.some((one: { code: string }) => one.code === 'weather_limit'))
    const high = (await warned(w, { categories: ['WAH'] })).detail
    assert.match(high, /Mobile platform: stop/)
    assert.doesNotMatch(high, /crane:/)
  })

  test('§13 no warning for other types, a window without such hours, or a forecast that is a day old', async () => {
    const w = await windy()
    assert.equal((await warned(w, { categories: ['GEN'] })).detail, undefined)
    assert.equal((await warned(w, { end_at: at('14:00') })).detail, undefined)
    assert.equal((await warned(w, { start_at: at('16:00') })).detail, undefined)
    await house.rows('update weather_cell set fetched_at = $1', ['2026-03-15T08:59:00.000Z'])
    assert.equal((await warned(w, {})).detail, undefined)
  })

  test('§13 with a machine on the map in the window, only the limits of such machines count', async () => {
    const w = await windy()
    const crane = { site_id: w.site_id, name: 'TC1', category: 'tower_crane', height_m: 40, exclusion_radius_m: 40 }
    const made = await w.as('coordinator').post('/plant/', { ...crane, start_at: at('08:00'), end_at: null, place: { point: HERE } })
    assert.equal(made.status, 201, made.text)
    const { detail } = await warned(w, {})
    assert.match(detail, /Tower crane: (caution|stop), from 16 Mar 2026, 14:00, 16\.3 m\/s at 40 m/)
    assert.doesNotMatch(detail, /platform|Mobile crane/)
  })
})
