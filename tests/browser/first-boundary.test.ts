import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { freePort } from '../port.ts'
import type { World } from '../world.ts'
import { centre, ground, idle } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const spots = (ground(0, 0, 120, 80).coordinates[0] ?? []).slice(0, 4) as [number, number][]

describe('the app: a site’s first boundary, without a base map', () => {
  const stage = useStage()
  let w: World
  const area = async () => (await w.as('admin').get(`/sites/${w.site_id}/boundary`)).body.area_m2 as number | null
  const near = (got: number | null, wanted: number) =>
    assert.ok(got !== null && Math.abs(got - wanted) < wanted / 50, `${got} m², not ${wanted}`)
  before(async () => {
    w = await stage.house.world()
  })

  for (const width of [390, 1440])
    test(`9.20 the map of a site without any place starts at the region of its time zone, says what to do, and goes to the device on request, at ${width} px`, async () => {
      const bare = await stage.house.world()
      const { page, context } = await stage.sit(bare.as('admin'), { width })
      await context.grantPermissions(['geolocation'])
      await context.setGeolocation({ longitude: -0.02, latitude: 51.505, accuracy: 8 })
      await page.goto(`${stage.url}/sites/${bare.site_id}/map`)
      await page.getByText('This site has no boundary yet').waitFor()
      await page.getByText(/^The map starts at the region of the site’s time zone, .+\. Find the site/).waitFor()
      await idle(page)
      const scale = async () => (await page.locator('.maplibregl-ctrl-scale').textContent()) ?? ''
      assert.match(await scale(), /^[1-5]00\skm$/, 'a country, not the world')
      await centre(page)
      await stage.axe(page)
      if (width === 390) await fitsPhone(page)
      await page.getByRole('button', { name: 'Go to my location' }).click()
      await page.getByText('accurate to 8 m').waitFor()
      await idle(page)
      assert.match(await scale(), /^\d{2,3}\sm$/)
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/empty-${width}.png`, fullPage: true })
      await page.getByRole('button', { name: 'Start with the boundary' }).first().click()
      await page.getByRole('form', { name: 'Site boundary' }).waitFor()
      const { page: other } = await stage.sit(bare.as('viewer'), { width })
      await other.goto(`${stage.url}/sites/${bare.site_id}/map`)
      await other.getByText('Ask H&S, a site manager or an administrator to draw the boundary.', { exact: false }).waitFor()
    })

  test('9.20 a person on site walks the corners with a phone, on a grid with a scale and a north arrow', async () => {
    const { page, context } = await stage.sit(w.as('admin'), { width: 390 })
    await context.grantPermissions(['geolocation'])
    await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
    const form = page.getByRole('form', { name: 'Site boundary' })
    await form.getByText('Find your site first').waitFor()
    const stand = async ([longitude, latitude]: [number, number]) => context.setGeolocation({ longitude, latitude, accuracy: 6 })
    await stand(spots[0] as [number, number]) // four corners
    await form.getByRole('button', { name: 'Go to my location' }).click()
    await page.getByText('accurate to 6 m').waitFor()
    await form.getByText('Find your site first').waitFor({ state: 'detached' })
    await page
      .locator('.map-north')
      .getByText(/Grid \d+ m/)
      .waitFor()
    await page.locator('.maplibregl-ctrl-scale').waitFor()
    await form.getByText('Walk the corners').click()
    for (const [i, spot] of spots.entries()) {
      await stand(spot)
      await form.getByRole('button', { name: 'Add a corner at my location' }).click()
      await page.getByText(`Corner ${i + 1} added`).waitFor()
    }
    await fitsPhone(page)
    await stage.axe(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    near(await area(), 9600)
  })

  test('§1 of two people who change a boundary, the second reads that the first has changed it, and nothing is overwritten, nor by Undo', async () => {
    const geometry = async () => (await w.as('viewer').get(`/sites/${w.site_id}/boundary`)).body.geometry
    const put = (side: number) => w.as('hse').put(`/sites/${w.site_id}/boundary`, { geometry: ground(0, 0, side, side) })
    await put(100)
    const { page } = await stage.sit(w.as('admin'))
    const form = page.getByRole('form', { name: 'Site boundary' })
    const draw = async (side: number) => {
      await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
      await idle(page)
      const file = JSON.stringify({ type: 'Feature', properties: {}, geometry: ground(0, 0, side, side) })
      await form
        .getByLabel('From a GeoJSON or KML file')
        .setInputFiles({ name: 'site.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(file) })
    }
    await draw(50)
    await put(120)
    const theirs = await geometry()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Someone else has changed the boundary in the meantime').waitFor()
    assert.deepEqual(await geometry(), theirs)
    // A change of something else on the site is no reason to refuse a boundary.
    await draw(50)
    await w.as('admin').patch(`/sites/${w.site_id}`, { emergency_phone: '999' })
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual(await geometry(), theirs)
    await draw(60)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await put(70)
    const newest = await geometry()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Someone else has changed the boundary', { exact: false }).waitFor()
    assert.deepEqual(await geometry(), newest)
  })

  test('9.20 a boundary is entered in metres from a point; 9.19 or read from a GeoJSON or KML file, and a note says which holes are left out', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
    const form = page.getByRole('form', { name: 'Site boundary' })
    await form.getByLabel('Coordinates', { exact: true }).fill('51.505, -0.02')
    await form.getByText('In metres from a point').click()
    await form.getByLabel('Corners in metres').fill('0, 0\n100, 0\n100, 50\n0, 50')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    near(await area(), 5000)
    await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
    await form
      .getByLabel('From a GeoJSON or KML file')
      .setInputFiles({ name: 'plan.json', mimeType: 'application/json', buffer: Buffer.from('{"type":"Point"}') })
    await page.getByText('plan.json doesn’t contain a polygon').waitFor()
    const file = JSON.stringify({ type: 'Feature', properties: {}, geometry: ground(0, 0, 200, 150) })
    await form
      .getByLabel('From a GeoJSON or KML file')
      .setInputFiles({ name: 'site.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(file) })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    near(await area(), 30_000)
    // A KML file with a hole: the note says that the hole is left out, and the ground in it is part of the boundary.
    await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
    const ring = (side: string, [x, y, width, depth]: [number, number, number, number]) =>
      `<${side}><LinearRing><coordinates>${ground(x, y, width, depth)
        .coordinates[0]?.map(at => `${at.join(',')},0`)
        .join(' ')}</coordinates></LinearRing></${side}>`
    const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon>${ring('outerBoundaryIs', [0, 0, 100, 100])}${ring('innerBoundaryIs', [20, 20, 30, 30])}</Polygon></Placemark></kml>`
    await form
      .getByLabel('From a GeoJSON or KML file')
      .setInputFiles({ name: 'site.kml', mimeType: 'application/vnd.google-earth.kml+xml', buffer: Buffer.from(kml) })
    await form.getByText('One hole in site.kml was left out').waitFor()
    await stage.axe(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    near(await area(), 10_000)
    await idle(page)
    // The grid is painted, not a blank rectangle.
    const { data, info } = await sharp(await page.locator('[data-map]').screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colours = new Set<number>()
    for (let i = 0; i < data.length; i += info.channels)
      colours.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0))
    assert.ok(colours.size > 6, `only ${colours.size} colours`)
  })
})

describe('the app: a base map and a geocoder of the installation', () => {
  const env: Record<string, string> = {}
  let server: Server
  let tiles = 0
  before(async () => {
    const port = await freePort()
    const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#9fc6a0' } })
      .png()
      .toBuffer()
    Object.assign(env, {
      BASEMAP_URL: `http://localhost:${port}/{z}/{x}/{y}.png`,
      BASEMAP_ATTRIBUTION: '© Test Mappers',
      GEOCODER_URL: `http://localhost:${port}/search`,
    })
    server = createServer((request, reply) => {
      const search = request.url?.startsWith('/search') === true
      if (!search) tiles++
      reply.writeHead(200, { 'content-type': search ? 'application/json' : 'image/png', 'access-control-allow-origin': '*' })
      reply.end(search ? JSON.stringify([{ lat: 51.505, lon: -0.02, display_name: 'Quayside, London' }]) : tile)
    })
    await new Promise<void>(done => server.listen(port, 'localhost', done))
  })
  const stage = useStage(env)
  after(() => server.close())

  test('9.20 the map of a site without a boundary starts at its address', async () => {
    const w = await stage.house.world()
    const { body } = await w.as('admin').get(`/sites/${w.site_id}`)
    const address = { address_lines: ['12 Quay Road'], locality: 'London', postal_code: 'E14 9AA' }
    const changed = await w.as('admin').patch(`/sites/${w.site_id}`, address, { 'if-match': `"${body.version}"` })
    assert.equal(changed.status, 200, changed.text)
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await page.getByText('The map starts at the site’s address.').waitFor()
    await idle(page)
    assert.match((await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '', /^\d{2,3}\sm$/, 'a street, not the world')
  })

  test('9.20 raster tiles are shown with their attribution; the place is found by its address', async () => {
    const w = await stage.house.world()
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map?draw=boundary`)
    const form = page.getByRole('form', { name: 'Site boundary' })
    await form.getByLabel('Address').fill('Quayside')
    await form.getByRole('button', { name: 'Find address' }).click()
    await form.getByRole('button', { name: 'Quayside, London' }).click()
    assert.equal(await form.getByLabel('Coordinates', { exact: true }).inputValue(), '51.505000, -0.020000')
    await page.getByText('© Test Mappers').waitFor()
    assert.equal(await page.getByText(/^Grid/).count(), 0)
    await stage.axe(page)
    assert.ok(tiles > 0)
  })
})
