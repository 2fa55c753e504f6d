import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../../tests/port.ts'
import { testSettings, useHouse } from '../../../../tests/world.ts'
import { SettingsError } from '../../../base/settings.ts'

describe('search by address', () => {
  const env: Record<string, string> = {}
  let server: Server
  let said: { status: number; body: string } = { status: 200, body: '[]' }
  const asked: URL[] = []
  before(async () => {
    const port = await freePort()
    env.GEOCODER_URL = `http://localhost:${port}/search`
    server = createServer((request, reply) => {
      asked.push(new URL(request.url ?? '/', env.GEOCODER_URL))
      reply.writeHead(said.status, { 'content-type': 'application/json', location: 'http://localhost/elsewhere' }).end(said.body)
    })
    await new Promise<void>(done => server.listen(port, 'localhost', done))
  })
  const house = useHouse(env)
  after(() => server.close())

  test('9.20 the service looks an address up with the installation’s geocoder', async () => {
    const w = await house.world()
    const found = { lat: '51.5054', lon: '-0.0235', display_name: '1 Quay Street, London' }
    said = { status: 200, body: JSON.stringify([found, { lat: 'north', lon: 0 }, null]) }
    const answer = await w.as('admin').get(`/sites/${w.site_id}/geocode?q=1 Quay Street`)
    assert.deepEqual([answer.status, answer.body], [200, [{ name: '1 Quay Street, London', point: { lon: -0.0235, lat: 51.5054 } }]])
    assert.deepEqual(
      [asked.at(-1)?.pathname, asked.at(-1)?.searchParams.get('q'), asked.at(-1)?.searchParams.get('format')],
      ['/search', '1 Quay Street', 'jsonv2'],
    )
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/geocode?q=Quay`)).status, 403)
    assert.equal((await w.as('admin').get(`/sites/${w.site_id}/geocode?q=Q`)).status, 422)
  })

  test('9.20 if a geocoder fails, redirects or returns nonsense, the refusal is clear and never a 500', async () => {
    const w = await house.world()
    for (const bad of [
      { status: 500, body: 'no' },
      { status: 302, body: '' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{"error":"x"}' },
    ]) {
      said = bad
      const answer = await w.as('admin').get(`/sites/${w.site_id}/geocode?q=Quay Street`)
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable'], bad.body)
      assert.match(answer.body.error.detail, /Try again, or use coordinates/)
    }
  })

  test('9.20 BASEMAP_URL is a style or raster tiles; the old names still work; each contradiction is reported', () => {
    const faults = (given: Record<string, string>): string[] => {
      try {
        testSettings(given)
      } catch (error) {
        if (error instanceof SettingsError) return error.faults
      }
      return []
    }
    const tiles = 'https://tiles.example.com/{z}/{x}/{y}.png'
    assert.deepEqual(testSettings({ BASEMAP_URL: tiles, BASEMAP_ATTRIBUTION: '© OSM' }).map, {
      style_url: null,
      tiles_url: tiles,
      glyphs_url: null,
      attribution: '© OSM',
    })
    assert.equal(testSettings({ BASEMAP_URL: 'https://maps.example.com/style.json' }).map.style_url, 'https://maps.example.com/style.json')
    const old = testSettings({ MAP_STYLE_URL: 'https://maps.example.com/style.json', MAP_ATTRIBUTION: '© OSM' }).map
    assert.deepEqual([old.style_url, old.attribution], ['https://maps.example.com/style.json', '© OSM'])
    assert.match(faults({ BASEMAP_URL: tiles })[0] ?? '', /BASEMAP_ATTRIBUTION must credit their source/)
    assert.match(faults({ BASEMAP_URL: 'https://a.example/{z}/{x}.png', BASEMAP_ATTRIBUTION: 'x' })[0] ?? '', /must contain \{z\}/)
    assert.match(
      faults({ BASEMAP_URL: 'https://{s}.a.example/{z}/{x}/{y}.png', BASEMAP_ATTRIBUTION: 'x' }).join(' '),
      /no braces except|begins with/,
    )
    assert.match(faults({ BASEMAP_URL: 'https://a.example/s', MAP_STYLE_URL: 'https://a.example/s' })[0] ?? '', /both set/)
  })
})

describe('search by address, without a geocoder', () => {
  const house = useHouse()
  test('9.20 without a geocoder the refusal says what to do, and so does the refusal of a boundary of 10,000 km', async () => {
    const w = await house.world()
    const answer = await w.as('admin').get(`/sites/${w.site_id}/geocode?q=Quay Street`)
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable'])
    assert.equal(answer.headers['retry-after'], undefined, 'waiting doesn’t help')
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [-60, -30],
          [60, -30],
          [60, 30],
          [-60, -30],
        ],
      ],
    }
    const wide = await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry })
    assert.equal(wide.status, 422)
    assert.match(wide.body.error.fields[0].message, /Go to your site on the map first/)
  })
})
