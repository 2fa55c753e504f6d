// Site maps and floor plans: from an empty site to a plan under its building, with the mouse and with the keyboard.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import proj4 from 'proj4'
import sharp from 'sharp'
import type { PermitWorld } from '../permits.ts'
import { CROSSES, pdfOf, readSheet, SHEET, sheet, upload, worked, workedAll } from '../plans.ts'
import { centre, drawnWorld, ground, idle, metreOf, spotAt } from './ground.ts'
import { useStage } from './kit.ts'

describe('the app: site maps and floor plans', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const work = () => workedAll(stage.house)
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Plans', exact: true })
  const openMap = async (page: Page, query = '') => {
    await page.goto(`${stage.url}/sites/${w.site_id}/map${query}`)
    await idle(page)
    await panelOf(page).waitFor()
  }
  /** How many pixels of a part of the page are as red as the crosses of the sheet. */
  const redIn = async (part: Locator) => {
    const { data, info } = await sharp(await part.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true })
    let n = 0
    for (let i = 0; i < data.length; i += info.channels)
      if ((data[i] ?? 0) > 190 && (data[i + 1] ?? 0) < 110 && (data[i + 2] ?? 0) < 110) n++
    return n
  }
  /** The same of the map, once it is drawn. */
  const red = async (page: Page) => {
    await idle(page)
    return redIn(page.locator('[data-map]'))
  }
  /** The same, once a plan is shown this strong. */
  const redAt = async (page: Page, slider: Locator, percent: string) => {
    await slider.fill(percent)
    await page.waitForTimeout(500)
    return red(page)
  }
  const addPlan = async (page: Page, file: { name: string; buffer: Buffer }, level: string) => {
    await panelOf(page).getByRole('button', { name: 'Add floor plan' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('File', { exact: true }).setInputFiles({ ...file, mimeType: 'application/octet-stream' })
    await form.getByLabel('Building, zone or area').selectOption({ label: 'Tower' })
    await form.getByLabel('Level', { exact: true }).selectOption({ label: level })
    return form
  }
  /** Where three crosses of the sheet lie: the sheet, a decimetre a pixel, on the tower and north up. */
  const spots = CROSSES.map(([x, y]) => spotAt(20 + x / 10, 70 - y / 8))

  for (const width of [390, 1440])
    test(`§8 at ${width} px a coordinator uploads a picture and puts it under its building by three points, with the mouse`, async () => {
      const level = width === 390 ? 'Level 0' : 'Level 1'
      const { page } = await stage.sit(w.as('coordinator'), { width, theme: width === 390 ? 'dark' : 'light' })
      await openMap(page)
      const form = await addPlan(page, { name: `GA ${level}.png`, buffer: await sheet(CROSSES, width) }, level)
      await stage.axe(page)
      await form.getByRole('button', { name: 'Upload' }).click()
      const row = panelOf(page)
        .getByRole('listitem')
        .filter({ hasText: `GA ${level}` })
      await row.getByText('Being read').first().waitFor()
      await work()
      await row.getByRole('link', { name: 'Place on the map' }).click()
      await page.getByRole('heading', { name: `Place GA ${level} on the map` }).waitFor()
      await page.getByText('Tap a place on the plan').waitFor()
      const plan = page.getByRole('application', { name: /^Plan/ })
      await page.locator('.plan-view canvas').waitFor()
      await idle(page)
      await centre(page)
      await stage.axe(page)
      const save = page.getByRole('button', { name: 'Save' })
      assert.ok(await save.isDisabled())
      const map = page.locator('[data-map]')
      for (const i of [0, 1, 2]) {
        const [x = 0, y = 0] = CROSSES[i] ?? []
        const spot = spots[i] ?? spotAt(0, 0)
        await plan.scrollIntoViewIfNeeded()
        const box = (await plan.boundingBox()) ?? assert.fail()
        const scale = Math.min((box.width - 26) / SHEET.width, (box.height - 26) / SHEET.height)
        await plan.click({
          position: {
            x: (box.width - 2 - SHEET.width * scale) / 2 + x * scale,
            y: (box.height - 2 - SHEET.height * scale) / 2 + y * scale,
          },
        })
        await page.getByText('Now tap the same place on the map.').waitFor()
        await map.scrollIntoViewIfNeeded()
        const around = (await map.boundingBox()) ?? assert.fail()
        // The map shows the tower, in its middle.
        const metre = await metreOf(page)
        await map.click({
          position: {
            x: around.width / 2 + ((spot.lon + 0.02) * 69_400 - 50) * metre,
            y: around.height / 2 - ((spot.lat - 51.505) * 111_260 - 45) * metre,
          },
        })
      }
      await page.getByText('Three points always fit exactly').waitFor()
      await page.getByText('Not checked', { exact: true }).waitFor()
      await centre(page)
      await stage.axe(page)
      await save.click()
      await page.getByText(`GA ${level} is being drawn on the map.`).waitFor()
      await work()
      const shown = panelOf(page).getByRole('checkbox', { name: new RegExp(`Show ${level}`) })
      await shown.waitFor()
      const opacity = panelOf(page).getByRole('slider', { name: /Opacity of/ })
      await centre(page)
      await stage.axe(page)
      const at100 = await redAt(page, opacity, '100')
      const at10 = await redAt(page, opacity, '10')
      assert.ok(at100 - at10 > 60, `${at100} red pixels, and then ${at10}`)
      await page.reload()
      await idle(page)
      assert.equal(
        await panelOf(page)
          .getByRole('slider', { name: /Opacity of/ })
          .inputValue(),
        '10',
        'this device remembers it',
      )
    })

  test('§7 with the keyboard alone: a site map is calibrated by typed coordinates and at the cross, the worst point is named, and it is used', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await openMap(page)
    await panelOf(page).getByRole('button', { name: 'Add site map' }).press('Enter')
    const form = page.getByRole('dialog')
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Layout March.png', mimeType: 'image/png', buffer: await sheet(CROSSES, 77) })
    assert.equal(await form.getByLabel('Name').inputValue(), 'Layout March')
    await stage.axe(page)
    await form.getByRole('button', { name: 'Upload' }).press('Enter')
    await panelOf(page).getByText('Being read').first().waitFor()
    await work()
    await panelOf(page).getByRole('link', { name: 'Calibrate' }).press('Enter')
    await page.getByRole('heading', { name: 'Calibrate Layout March' }).waitFor()
    await page.locator('.plan-view canvas').waitFor()
    const points = page.getByRole('region', { name: 'Points' })
    const row = (n: number) => points.getByRole('listitem').filter({ hasText: `Point ${n}` })
    const type = async (n: number, label: string, value: number) => {
      await row(n).getByLabel(label).fill(String(value))
      await row(n).getByLabel(label).press('Tab')
    }
    const place = (i: number, east = 0) => {
      const [x = 0, y = 0] = CROSSES[i] ?? []
      return spotAt(20 + x / 5 + east, 110 - y / 5)
    }
    for (const i of [0, 1, 2, 3]) {
      await points.getByRole('button', { name: 'Add a point by its coordinates' }).press('Enter')
      const [x = 0, y = 0] = CROSSES[i] ?? []
      const { lat, lon } = place(i)
      await type(i + 1, 'Pixels from the left', x)
      await type(i + 1, 'Pixels from the top', y)
      assert.equal(
        await row(i + 1)
          .getByLabel('Latitude')
          .evaluate(one => one === document.activeElement),
        true,
        'the next field has the focus once a point is on the plan',
      )
      await type(i + 1, 'Latitude', lat)
      await type(i + 1, 'Longitude', lon)
    }
    await page.getByText('All points fit to 0.25 m or better.').waitFor()
    // The fifth, at the cross of both: the middle of the plan, and a place that the fit must dislike.
    await page.getByRole('application', { name: /^Plan/ }).press('Enter')
    await page.getByText('Now tap the same place on the map.').waitFor()
    await page.locator('.maplibregl-canvas').press('Enter')
    await page.getByText('Point 5 is probably wrong. Check it first.').waitFor()
    await row(5).getByText('Fits worst').waitFor()
    const average = await page.getByRole('region', { name: 'Accuracy' }).getByRole('definition').first().textContent()
    assert.match(average ?? '', /^\d+(\.\d+)? m$/)
    await stage.axe(page)
    await points.getByRole('button', { name: 'Remove point 5' }).press('Enter')
    await page.getByText('All points fit to 0.25 m or better.').waitFor()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Layout March is being drawn on the map.').waitFor()
    await work()
    await panelOf(page).getByRole('button', { name: 'Use on the map' }).press('Enter')
    await page.getByRole('dialog', { name: 'When Layout March is used' }).getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Layout March is now the site map.').waitFor()
    await panelOf(page).getByRole('checkbox', { name: 'Show Layout March' }).waitFor()
    const opacity = panelOf(page).getByRole('slider', { name: 'Opacity of Layout March' })
    const [strong, weak] = [await redAt(page, opacity, '100'), await redAt(page, opacity, '10')]
    assert.ok(strong - weak > 60, `${strong} red pixels, and then ${weak}`)
    await panelOf(page)
      .getByText(/accurate to about 0\.\d+ m/)
      .waitFor()
    const member = await stage.sit(w.as('member'))
    await openMap(member.page)
    await panelOf(member.page).getByRole('checkbox', { name: 'Show Layout March' }).waitFor()
    assert.equal(await panelOf(member.page).getByRole('button', { name: /Add/ }).count(), 0)
  })

  test('§8 on a phone, two corners that a surveyor has written down in a grid place a plan, and what the conversion is worth is said', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await openMap(page)
    const name = 'Survey'
    const form = await addPlan(page, { name: `${name}.png`, buffer: await sheet(CROSSES, 391) }, 'Level 2')
    await form.getByRole('button', { name: 'Upload' }).click()
    const row = panelOf(page).getByRole('listitem').filter({ hasText: name })
    await row.getByText('Being read').first().waitFor()
    await work()
    await row.getByRole('link', { name: 'Place on the map' }).click()
    await page.locator('.plan-view canvas').waitFor()
    const points = page.getByRole('region', { name: 'Points' })
    await points.getByRole('button', { name: 'Use the four corners' }).click()
    await points.getByRole('radio', { name: 'Coordinates of a grid' }).check({ force: true })
    const corner = (n: number) => points.getByRole('listitem').filter({ hasText: `Point ${n}:` })
    await corner(1).getByText('Type the EPSG code of the grid first.').waitFor()
    const code = points.getByLabel('EPSG code')
    const type = async (n: number, east: number, north: number) => {
      await corner(n).getByLabel('Easting').fill(String(east))
      await corner(n).getByLabel('Northing').fill(String(north))
      await corner(n).getByLabel('Northing').press('Tab')
    }
    await code.fill('31370')
    await type(1, 1, 1)
    await corner(1).getByText('isn’t a grid that can be used here', { exact: false }).first().waitFor()
    await code.fill('27700')
    // The first position comes back after the second one: neither may overwrite the other.
    let later = true
    await page.route('**/api/geometry/convert', async route => {
      const first = later
      later = false
      if (first) await new Promise(done => setTimeout(done, 1500))
      await route.continue()
    })
    const grid = proj4(
      '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs',
    )
    const ends = [spotAt(20, 110), spotAt(20 + SHEET.width / 10, 110 - SHEET.height / 10)] as const
    for (const [i, n] of [1, 3].entries()) {
      const { lon, lat } = ends[i] ?? assert.fail()
      const [east = 0, north = 0] = grid.forward([lon, lat])
      await type(n, Math.round(east * 1000) / 1000, Math.round(north * 1000) / 1000)
    }
    await page.getByText('Points can be up to 5 m off because of that', { exact: false }).waitFor()
    for (const n of [1, 3]) await corner(n).getByText('m off').waitFor()
    for (const n of [4, 2]) await points.getByRole('button', { name: `Remove point ${n}` }).click()
    await page.getByText('Two points place the plan without stretching it', { exact: false }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${name} is being drawn on the map.`).waitFor()
    const plans = (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}&limit=100`)).body
    const { points: saved } = plans.find((one: { name: string }) => one.name === name).placement
    assert.equal(saved.length, 2)
    for (const [i, { lon, lat }] of saved.entries()) {
      assert.ok(Math.abs(lon - (ends[i]?.lon ?? 0)) < 2e-7 && Math.abs(lat - (ends[i]?.lat ?? 0)) < 2e-7, JSON.stringify(saved))
    }
  })

  test('§7 tiles that a busy service refuses are asked for again; of one that can’t be loaded the plan says so', async () => {
    const id = await readSheet(stage.house, w, 'Layout busy', 91)
    const points = CROSSES.map(([x, y]) => ({ x, y, ...spotAt(20 + x / 5, 110 - y / 5) }))
    await worked(stage.house, await w.as('hse').post(`/site-maps/${id}/calibrate`, { points }))
    const used = await w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: id })
    assert.equal(used.status, 200, used.text)
    const { page } = await stage.sit(w.as('viewer'), { busy: true })
    const tiles = /\/api\/tiles\/raster\/[^/]+\/\d+\//
    let refused = 0
    await page.route(tiles, route =>
      refused++ < 4
        ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { error: { code: 'unavailable' } } })
        : route.continue(),
    )
    await openMap(page)
    await panelOf(page).getByRole('slider', { name: 'Opacity of Layout busy' }).fill('100')
    assert.ok((await red(page)) > 60, `it is drawn after ${refused} requests`)
    assert.ok(refused > 4)
    await page.unroute(tiles)
    await page.route(tiles, route => route.fulfill({ status: 503, json: { error: { code: 'unavailable' } } }))
    await openMap(page)
    await panelOf(page).getByText('couldn’t be loaded', { exact: false }).first().waitFor()
  })

  test('§7 at 390 px a site map is planned from a time ahead with the keyboard, listed, and cancelled; the history shows which was used when', async () => {
    const ready = async (name: string, tint: number) => {
      const id = await readSheet(stage.house, w, name, tint)
      const points = CROSSES.map(([x, y]) => ({ x, y, ...spotAt(20 + x / 5, 110 - y / 5) }))
      await worked(stage.house, await w.as('hse').post(`/site-maps/${id}/calibrate`, { points }))
      return id
    }
    const first = await ready('Layout April', 5)
    await w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: first })
    await ready('Layout May', 6)
    const { page } = await stage.sit(w.as('hse'), { width: 390, theme: 'dark' })
    await openMap(page)
    const row = panelOf(page).getByRole('listitem').filter({ hasText: 'Layout May' })
    await row.getByRole('button', { name: 'Use on the map' }).press('Enter')
    const asked = page.getByRole('dialog', { name: 'When Layout May is used' })
    await asked.getByRole('radio', { name: 'Now' }).press('ArrowRight')
    const field = asked.getByLabel('Use it from')
    await field.fill('2026-03-13T06:00')
    await asked.getByRole('button', { name: 'Save' }).press('Enter')
    await asked.getByText('Choose a time that is still ahead.').waitFor()
    await stage.axe(page)
    await field.fill('2026-03-23T06:00')
    await asked.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Layout May will be the site map from Mon 23 Mar 2026 06:00.').waitFor()
    const planned = panelOf(page).getByRole('region', { name: 'Planned site maps' })
    await planned.getByText('From Mon 23 Mar 2026 06:00').waitFor()
    await panelOf(page).getByRole('checkbox', { name: 'Show Layout April' }).waitFor()
    await stage.axe(page)
    const open = (of: Page) => panelOf(of).getByRole('button', { name: 'When each site map was used' }).press('Enter')
    const lines = (of: Page) => of.getByRole('dialog', { name: 'When each site map was used' }).getByRole('listitem')
    const viewer = await stage.sit(w.as('viewer'), { width: 390 })
    await openMap(viewer.page)
    await open(viewer.page)
    await lines(viewer.page).filter({ hasText: 'Layout May' }).getByText('Planned · From Mon 23 Mar 2026 06:00').waitFor()
    await lines(viewer.page)
      .filter({ hasText: 'Layout April' })
      .getByText('In use · Mon 16 Mar 2026 09:00 to Mon 23 Mar 2026 06:00')
      .waitFor()
    await stage.axe(viewer.page)
    await planned.getByRole('button', { name: /Cancel Layout May, planned from Mon 23 Mar/ }).press('Enter')
    await page.getByText('The plan for Layout May has been cancelled.').waitFor()
    // The open page of another person shows it, too.
    await lines(viewer.page).filter({ hasText: 'Layout May' }).waitFor({ state: 'detached' })
    await lines(viewer.page).filter({ hasText: 'Layout April' }).getByText('In use · From Mon 16 Mar 2026 09:00').waitFor()
    await planned.waitFor({ state: 'detached' })
    await open(page)
    await lines(page).filter({ hasText: 'Layout April' }).getByText('In use · From Mon 16 Mar 2026 09:00').waitFor()
    assert.equal(await lines(page).filter({ hasText: 'Layout May' }).count(), 0)
    await page.keyboard.press('Escape')
    assert.ok(
      await panelOf(page)
        .getByRole('button', { name: 'When each site map was used' })
        .evaluate(one => one === document.activeElement),
    )
  })

  test('§8 two revisions of a level are compared by a line that moves between them, with the keyboard, too', async () => {
    const feature_id = (
      await w.as('admin').post('/reference-features/zones', {
        ...{
          site_id: w.site_id,
          kind: 'building',
          name: 'Annexe',
          outline: ground(150, 100, 30, 20),
          levels: [{ index: 0 }],
          effective_at: '2026-03-01T00:00:00.000Z',
        },
      })
    ).body.id
    const revision = async (name: string, crosses: typeof CROSSES, more: object) => {
      const fields = { site_id: w.site_id, feature_id, name: 'Annexe plan', revision: name, placement: '{"mode":"fit"}', ...more }
      const made = await w
        .as('coordinator')
        .send('POST', '/floor-plans/upload-image', upload(await sheet(crosses, 200), 'annexe.png', fields))
      assert.equal(made.status, 201, made.text)
    }
    await revision('C01', CROSSES, { start_at: '2026-03-10T06:00:00.000Z' })
    await revision('C02', CROSSES.slice(0, 1), { start_at: '2026-03-12T06:00:00.000Z' })
    await work()
    const { page } = await stage.sit(w.as('coordinator'))
    await openMap(page)
    const more = panelOf(page).getByRole('button', { name: /Annexe plan/ })
    // The only building with plans is open.
    const summary = panelOf(page).locator('summary', { hasText: 'Annexe' })
    await summary.waitFor()
    if (!(await more.isVisible())) await summary.click()
    await more.click()
    await page
      .getByRole('button', { name: 'Versions' })
      .or(page.getByRole('menuitem', { name: 'Versions' }))
      .click()
    const versions = page.getByRole('dialog')
    await versions.getByRole('button', { name: 'Compare with the version before' }).click()
    const line = versions.getByRole('slider', { name: 'Move the line between the two versions' })
    await versions.locator('.plan-compare canvas').nth(1).waitFor()
    const compared = versions.locator('.plan-compare')
    await versions.getByText(/^Left of the line: Annexe plan · .*C01/).waitFor()
    await line.fill('100')
    const older = await redIn(compared)
    await line.fill('0')
    const newer = await redIn(compared)
    assert.ok(older > 4 * newer && newer > 10, `${older} red pixels before, and ${newer} after`)
    await line.press('ArrowRight')
    assert.equal(await line.inputValue(), '1')
    await stage.axe(page)
    await versions.getByRole('button', { name: 'Close', exact: true }).last().click()
    await line.waitFor({ state: 'detached' })
  })

  test('§8 the window for choosing a place shows the floor plan of the level that is chosen', async () => {
    const outline = ground(150, 20, 30, 20)
    const shed = { site_id: w.site_id, kind: 'building', name: 'Shed', outline, levels: [{ index: 0 }, { index: 1 }] }
    const { body } = await w.as('admin').post('/reference-features/zones', { ...shed, effective_at: '2026-03-01T00:00:00.000Z' })
    const fields = { site_id: w.site_id, feature_id: body.id, level_index: '1', name: 'Shed plan', placement: '{"mode":"fit"}' }
    const made = await w.as('coordinator').send('POST', '/floor-plans/upload-image', upload(await sheet(), 'shed.png', fields))
    assert.equal(made.status, 201, made.text)
    await work()
    const { page } = await stage.sit(w.as('coordinator'))
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().includes(`/tiles/floor-plan/${made.body.id}/`)) asked.push(request.url())
    })
    await openMap(page)
    await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
    await page.getByRole('button', { name: 'Worker or gang', exact: true }).click()
    await page.getByRole('button', { name: 'Choose on the map' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose on the map' })
    await picker.getByLabel('Building').selectOption({ label: 'Shed' })
    await picker.getByLabel('Level').selectOption('0')
    await picker.locator('[data-map=idle]').waitFor()
    assert.deepEqual(asked, [], 'the level below has no plan')
    const tile = page.waitForResponse(response => response.url().includes(`/tiles/floor-plan/${made.body.id}/`))
    await picker.getByLabel('Level').selectOption('1')
    assert.equal((await tile).status(), 200)
  })

  test('§8 a damaged file is refused with its reason; a page that the PDF doesn’t have, too; and a DWG says what to send', async () => {
    const plans = async () =>
      (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}&limit=100`)).body.map((one: { id: string }) => one.id)
    const before = await plans()
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await openMap(page)
    const whole = await sheet()
    const form = await addPlan(page, { name: 'broken.png', buffer: whole.subarray(0, 60) }, 'Level 2')
    await form.getByRole('button', { name: 'Upload' }).click()
    await form
      .getByText(/is damaged and can’t be read/)
      .first()
      .waitFor()
    await form.getByLabel('File', { exact: true }).setInputFiles({ name: 'three.pdf', mimeType: 'application/pdf', buffer: pdfOf(3) })
    await form.getByLabel('Page of the PDF').fill('7')
    await form.getByRole('button', { name: 'Upload' }).click()
    await form
      .getByText(/is not in this PDF/)
      .first()
      .waitFor()
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'a.dwg', mimeType: 'application/acad', buffer: Buffer.from('AC1032xxxxxxxx') })
    await form.getByText(/Save it as DXF/).waitFor()
    await stage.axe(page)
    assert.deepEqual(await plans(), before)
  })
})
