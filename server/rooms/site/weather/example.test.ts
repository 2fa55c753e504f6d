import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, later } from '../../../../shared/time.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { reading } from '../../../base/ctx.ts'
import { readSettings } from '../../../base/settings.ts'
import { DEMO_CODE } from '../../../kernel/site/domain.ts'
import { limitsAhead } from './door.ts'
import { refreshWeather } from './jobs.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }

describe('example weather', () => {
  const house = useHouse({ WEATHER_PROVIDER: 'demo' })
  const placed = async (more: object): Promise<World> => {
    const w = await house.world()
    assert.equal((await w.as('site_manager').patch(`/sites/${w.site_id}`, { location: HERE, ...more })).status, 200)
    return w
  }
  const current = (w: World) => w.as('viewer').get(`/weather/sites/${w.site_id}/current`)

  test('§13 only the demo site has example weather, which says so; a site in the same place has none, in its reviews neither', async () => {
    const [demo, real] = [await placed({ code: DEMO_CODE }), await placed({})]
    assert.equal(await refreshWeather(house.house), 1)
    const shown = (await current(demo)).body
    assert.deepEqual([shown.example, shown.attribution], [true, 'Example data: this is not the weather of this site'])
    const none = await current(real)
    const { detail, reason } = none.body.error
    assert.deepEqual([none.status, detail, reason], [503, 'The weather isn’t set up on this server.', 'not_set_up'])
    const [{ n }] = await house.rows('select count(*)::int as n from weather_hour where site_id = $1', [real.site_id])
    assert.equal(n, 0)
    // A gust that stops every limit, in the forecast that both places share.
    await house.rows(`update weather_cell set answer = jsonb_set(answer, '{hourly,wind_gusts_10m}',
      (select jsonb_agg(40) from jsonb_array_elements(answer #> '{hourly,time}')))`)
    const ctx = reading(house.house, { actor: jobActor('test'), cause: 'test' })
    const ahead = async ({ site_id }: World) => {
      const lift = { id: site_id, categories: ['LIFT'], start_at: ctx.now, end_at: later(ctx.now, HOUR) }
      return (await limitsAhead(ctx, site_id, [lift])).get(site_id) ?? []
    }
    assert.deepEqual([(await ahead(demo)).some(limit => limit.example && limit.state === 'stop'), await ahead(real)], [true, []])
  })

  test('§13 with the embedded database only the demo site gets weather by itself, with another one no site does', () => {
    const provider = (env: Record<string, string>) => readSettings(env).weather.provider
    assert.deepEqual(
      [provider({}), provider({ DEMO: '0' }), provider({ DATABASE_URL: 'postgres://walkdown@db/walkdown' })],
      ['demo', 'demo', 'none'],
    )
  })
})

describe('the period of a timeline', () => {
  const house = useHouse({ WEATHER_PROVIDER: 'demo' })

  test('§13 a timeline with only a start has the site day of that start and the two after', async () => {
    house.clock('2026-03-25T09:00:00.000Z')
    const w = await house.world()
    assert.equal((await w.as('site_manager').patch(`/sites/${w.site_id}`, { location: HERE, code: DEMO_CODE })).status, 200)
    const span = async (query: string) => {
      const { status, body, text } = await w.as('viewer').get(`/weather/sites/${w.site_id}/timeline${query}`)
      assert.equal(status, 200, text)
      return [body.from, body.to]
    }
    const start = async (from: string) => (await span(`?from=${from}`))[1]
    assert.deepEqual(await span(''), ['2026-03-25T00:00:00.000Z', '2026-03-28T00:00:00.000Z'])
    assert.equal(await start('2026-01-10T12:30:00.000Z'), '2026-01-13T00:00:00.000Z')
    // The clocks change on the second day.
    assert.equal(await start('2026-03-28T00:00:00.000Z'), '2026-03-30T23:00:00.000Z')
  })
})
