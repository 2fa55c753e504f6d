import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { datesFit, fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: the map', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`

  test('the map draws boundary, buildings, zones and permits by shape under the strict content policy; a tap shows the permit card', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('?at=2026-03-16T12:00:00.000Z'))
    await idle(page)
    const host = page.locator('[data-map]')
    assert.ok(Number(await host.getAttribute('data-drawn')) >= 8)
    // The image itself shows that more than the background has been painted.
    const { data, info } = await sharp(await host.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colours = new Set<number>()
    for (let i = 0; i < data.length; i += info.channels)
      colours.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0))
    assert.ok(colours.size > 40, `only ${colours.size} colours`)
    await page.getByRole('button', { name: 'T Tower' }).click()
    await page.getByLabel('Levels of Tower').waitFor()
    await page.getByLabel('Levels of Tower').selectOption({ label: 'Level 1' })
    await page.waitForURL(/level=1/)
    assert.equal(await page.getByRole('link', { name: 'Dig for the drain' }).count(), 0)
    await page.getByRole('button', { name: /Show on the map/ }).click()
    await page.locator('.map-floating').getByRole('link', { name: 'Weld handrails' }).waitFor()
    await stage.axe(page)
    // The marker is in the middle now, and a tap on it shows the same card.
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.map-floating').waitFor({ state: 'detached' })
    await idle(page)
    await host.click()
    await page.locator('.map-floating').getByRole('link', { name: 'Weld handrails' }).waitFor()
    await page.reload()
    await page.locator('.map-floating').getByRole('link', { name: 'Weld handrails' }).waitFor()
  })

  test('9.27 the map has north, a scale and a legend, and the list next to it says what “now” includes; a selected building is zoomed to', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site())
    await idle(page)
    await page.getByText('North is up').waitFor({ state: 'attached' })
    const scale = page.locator('.maplibregl-ctrl-scale')
    const wide = (await scale.textContent()) ?? ''
    assert.match(wide, /^\d+\sm$/)
    await page.getByText(/^Now, 09:00: permits whose window includes this time/).waitFor()
    await page.getByText('Legend', { exact: true }).click()
    await page.locator('.map-legend').getByText('Live', { exact: true }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'T Tower' }).click()
    await page.waitForURL(/building=/)
    await idle(page)
    assert.ok(Number.parseInt((await scale.textContent()) ?? '', 10) < Number.parseInt(wide, 10), 'nearer than before')
  })

  test('another hour on the time slider shows other permits, and the URL keeps the hour', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('?at=2026-03-16T12:00:00.000Z'))
    await page.getByRole('link', { name: 'Weld handrails' }).waitFor()
    const slider = page.getByRole('slider', { name: 'Time of day' })
    await slider.focus()
    await page.keyboard.press('End')
    await page.waitForURL(/at=2026-03-16T23/)
    await page.getByText('There are no permits at this time.').waitFor()
    await page.getByRole('button', { name: 'Previous change' }).click()
    await page.waitForURL(/at=2026-03-16T18/)
    await page.getByRole('button', { name: 'Previous change' }).click()
    await page.getByRole('link', { name: 'Weld handrails' }).waitFor()
    await page.getByRole('button', { name: 'Now' }).click()
    await page.waitForURL(url => !url.search.includes('at='))
  })

  test('by keyboard alone on a phone, the list shows and selects the same as the map', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390, theme: 'dark' })
    await page.goto(site('?at=2026-03-16T12:00:00.000Z'))
    await idle(page)
    await page.getByRole('region', { name: 'T Tower' }).getByRole('link', { name: 'Weld handrails' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/chosen=/)
    assert.equal(await page.getByRole('button', { name: /Show on the map/, pressed: true }).count(), 1)
    await stage.axe(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  })

  test('WCAG 2.4.3 the panel of what is chosen in the list gets the focus, and Escape gives it to the list again', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site())
    await idle(page)
    const row = page.getByRole('button', { name: /^Keep out/ })
    const panel = page.locator('.map-floating')
    const focused = () => page.evaluate(`document.activeElement.textContent.trim()`)
    await row.focus()
    await page.keyboard.press('Enter')
    await panel.getByRole('heading', { name: 'Keep out' }).waitFor()
    assert.equal(await focused(), 'Keep out', 'the heading of the panel')
    await page.keyboard.press('Tab')
    assert.ok(await panel.getByRole('button', { name: 'Close' }).evaluate(one => one === document.activeElement))
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.ok(await row.evaluate(one => one === document.activeElement))
  })

  test('U7 on a phone, the map is at the top when a tool opens, so that its panel is in sight below it, also while there is an alert', async () => {
    const own = await stage.house.world()
    const raised = await own.as('coordinator').post('/alerts/', {
      ...{ site_id: own.site_id, title: 'Open lift shaft', severity: 'danger', category: 'access' },
      place: { point: { lon: -0.0877, lat: 51.5079 } },
    })
    assert.equal(raised.status, 201, raised.text)
    const { page } = await stage.sit(own.as('hse'), { width: 390 })
    await page.goto(`${stage.url}/sites/${own.site_id}/map`)
    await idle(page)
    await page.getByText('Open lift shaft').first().waitFor()
    await page.getByRole('button', { name: 'Stop work here' }).click()
    const head = page.getByRole('heading', { name: 'Stop work here' })
    await head.waitFor()
    const top = (await page.locator('.map-host').boundingBox())?.y ?? 999
    assert.ok(top < 80, `the map begins at ${top}`)
    assert.ok(((await head.boundingBox())?.y ?? 999) < 600)
  })

  test('WCAG 2.4.3 what is begun on the map by keyboard has the focus: a tool, a drawing and an alert', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    const begins = async (heading: string, ...buttons: string[]) => {
      await page.goto(site())
      await idle(page)
      for (const name of buttons) await page.getByRole('button', { name, exact: true }).press('Enter')
      const head = page.getByRole('heading', { name: heading, exact: true })
      await head.waitFor()
      await page.waitForFunction(`document.activeElement.textContent.trim() === ${JSON.stringify(heading)}`)
    }
    for (const [name, ...buttons] of [
      ['Measure', 'Measure'],
      ['Nearest help', 'Nearest help'],
      ['Stop work here', 'Stop work here'],
      ['New active area', 'Add to the map', 'Active area'],
      ['New zone', 'Add to the map', 'Zone'],
    ] as const) {
      await begins(name, ...buttons)
      // There is nothing to lose yet.
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name, exact: true }).waitFor({ state: 'detached' })
    }
    await page.goto(site())
    await idle(page)
    await page.getByRole('button', { name: 'Raise an alert' }).press('Enter')
    const panel = page.getByRole('region', { name: 'Raise an alert' })
    await panel.waitFor()
    await page.waitForFunction(`document.activeElement.ariaLabel === 'Raise an alert'`)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('WCAG 2.1.1 Escape leaves a panel as soon as it is there, before it is painted', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site())
    await idle(page)
    const pressed = page.evaluate(`new Promise(done => new MutationObserver((_, watching) => {
      if (document.querySelector('.map-begun') === null) return
      watching.disconnect()
      for (const until = performance.now() + 3; performance.now() < until; ) {}
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      done(null)
    }).observe(document.body, { subtree: true, childList: true }))`)
    await page.getByRole('button', { name: 'Measure', exact: true }).press('Enter')
    await pressed
    await page.locator('.map-begun').waitFor({ state: 'detached', timeout: 5000 })
  })

  test('breadth.md §4 Escape leaves a panel with something typed or drawn in it only after a question', async () => {
    const { page } = await stage.sit(w.as('hse'))
    const zone = page.getByRole('form', { name: 'New zone' })
    const asked = page.getByRole('dialog', { name: 'Discard what you have entered?' })
    const open = async () => {
      await page.goto(site())
      await idle(page)
      await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
      await page.getByRole('button', { name: 'Zone', exact: true }).click()
    }
    await open()
    await zone.getByLabel('Name', { exact: true }).fill('Laydown')
    await page.keyboard.press('Escape')
    await asked.waitFor()
    await stage.axe(page)
    // Escape again closes the question alone.
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    assert.equal(await zone.getByLabel('Name', { exact: true }).inputValue(), 'Laydown')
    assert.ok(await zone.getByLabel('Name', { exact: true }).evaluate(one => one === document.activeElement))
    await page.keyboard.press('Escape')
    await asked.getByRole('button', { name: 'Discard' }).click()
    await zone.waitFor({ state: 'detached' })
    // A corner on the map counts, too, with the focus on the map.
    await open()
    await zone.getByRole('button', { name: 'Add a corner at the cross' }).click()
    await page.locator('[data-map] canvas').focus()
    await page.keyboard.press('Escape')
    await asked.getByRole('button', { name: 'Keep editing' }).click()
    await asked.waitFor({ state: 'detached' })
    assert.ok(await zone.isVisible())
  })

  for (const width of [390, 1440])
    test(`9.27 no label is cut at the edge of the map: it is put on another side, or left out, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width })
      const host = page.locator('[data-map]')
      let seen = 0
      // The tower moves out of the picture to the left, and the zone to the right, a few metres at a time.
      for (const metres of [0, 12, 20, 28, 36, 44]) {
        for (const lon of [-0.01928 + metres / 69_400, -0.01806 - metres / 69_400]) {
          await page.goto(site(`?at=2026-03-16T12:00:00.000Z&view=51.505404,${lon.toFixed(6)},${width === 390 ? 18 : 19.5}`))
          await idle(page)
          assert.equal(await host.getAttribute('data-cut'), '0', `${lon}`)
          seen += Number(await host.getAttribute('data-named'))
        }
      }
      assert.ok(seen > 6, `labels are drawn where there is room: ${seen}`)
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/edge-${width}.png` })
    })

  for (const width of [390, 1440])
    test(`§5 first aid is found on the map and in its list; words and a point that has ended are there at their time only, at ${width} px`, async () => {
      const own = await stage.house.world()
      const point = { lon: -0.0877, lat: 51.5079 }
      const put = (path: string, body: object) =>
        own.as('hse').post(path, { site_id: own.site_id, start_at: '2026-03-16T06:00:00.000Z', place: { point }, ...body })
      const made = await put('/pois/', { name: 'First aid room', poi_kind: 'first_aid', phone: '+44 20 7946 0112' })
      assert.equal(made.status, 201, made.text)
      await put('/pois/', { name: 'Old gate', poi_kind: 'vehicle_gate', end_at: '2026-03-16T08:00:00.000Z' })
      await put('/text-labels/', { text: '<b>One way</b>' })
      const { page } = await stage.sit(own.as('viewer'), { width })
      await page.goto(`${stage.url}/sites/${own.site_id}/map`)
      await idle(page)
      await page.getByRole('heading', { name: 'Emergency points and facilities' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Old gate' }).count(), 0)
      await page.getByRole('button', { name: 'First aid room' }).click()
      const note = page.locator('.map-floating')
      await note.getByRole('heading', { name: 'First aid room' }).waitFor()
      await note.getByRole('link', { name: '+44 20 7946 0112' }).waitFor()
      assert.ok(Number(await page.locator('[data-map]').getAttribute('data-drawn')) >= 2, 'the sign and the words')
      await stage.axe(page)
      // A tap on the sign, which is in the middle now, shows the same.
      await page.getByRole('button', { name: 'Close' }).click()
      await note.waitFor({ state: 'detached' })
      await idle(page)
      await page.locator('[data-map]').click()
      await note.getByRole('heading', { name: 'First aid room' }).waitFor()
      await page.goto(`${stage.url}/sites/${own.site_id}/map?at=2026-03-16T07:00:00.000Z`)
      await page.getByRole('button', { name: 'Old gate' }).waitFor()
      // Another person’s change shows without a reload.
      await page.goto(`${stage.url}/sites/${own.site_id}/map`)
      await page.getByRole('button', { name: 'First aid room' }).waitFor()
      await put('/pois/', { name: 'Fire point 7', poi_kind: 'fire_point' })
      await page.getByRole('button', { name: 'Fire point 7' }).waitFor()
    })

  for (const width of [390, 1440])
    test(`§1 the list of sites shows each site as it looks on its map, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(stage.url)
      const picture = page.getByRole('link', { name: /^Riverside Quarter/ }).locator('.site-picture img')
      await picture.waitFor()
      assert.deepEqual(await picture.evaluate(one => [(one as HTMLImageElement).naturalWidth, one.getAttribute('alt')]), [640, ''])
      if (width === 390) await fitsPhone(page)
      await stage.axe(page)
    })

  for (const [width, zoom] of [
    [390, 1],
    [390, undefined],
    [360, undefined],
    [1440, 1],
  ] as const)
    test(`§0.1 the day that the map shows can be read in full with a ${zoom === 1 ? 'mouse' : 'thumb'}, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('coordinator'), { width, ...(zoom === undefined ? {} : { zoom }) })
      await page.goto(`${stage.url}/sites/${w.site_id}/map?at=2026-11-27T11:00:00.000Z`)
      await page.getByLabel('Day', { exact: true }).waitFor()
      await datesFit(page)
      const clock = page.locator('.time-bar output')
      assert.ok(((await clock.boundingBox())?.height ?? 99) < 44, 'the time has one line')
    })

  for (const width of [390, 1440])
    test(`§5 a coordinator puts a point on the map of an empty site, changes it and removes it; the only assembly point stays, at ${width} px`, async () => {
      stage.house.clock('2026-03-16T09:00:00.000Z')
      const own = await stage.house.world()
      const { page } = await stage.sit(own.as('coordinator'), { width })
      await page.goto(`${stage.url}/sites/${own.site_id}/map`)
      await idle(page)
      const add = async (kind: string) => {
        await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
        await page.getByRole('button', { name: 'Emergency point or facility' }).click()
        await page.getByLabel('What is there').selectOption({ label: kind })
        assert.equal(await page.getByLabel('Name').inputValue(), kind)
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Choose the point on the map where this is.').first().waitFor()
        await page.getByRole('button', { name: 'Choose on the map' }).click()
        const map = page.getByRole('dialog').last().locator('[data-map=idle]')
        await map.waitFor()
        await map.click()
        await stage.axe(page)
        await page.getByRole('button', { name: 'Use this place' }).click()
        await page.getByText('Marked on the map').waitFor()
        await stage.axe(page)
        await page.getByRole('button', { name: 'Save' }).click()
        await page.locator('.frame-list').getByRole('button', { name: kind }).waitFor()
      }
      await add('Assembly point')
      await page.locator('.frame-list').getByRole('button', { name: 'Assembly point' }).click()
      await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Name').fill('Muster A')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.map-floating').getByRole('heading', { name: 'Muster A' }).waitFor()
      stage.house.clock('2026-03-16T09:05:00.000Z')
      await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
      const remove = page.getByRole('button', { name: 'Hold to remove from the map' })
      await hold(page, remove, page.getByText('Muster A is the only assembly point of this site. Add another one first.'))
    })

  test('axe finds nothing in the outdoor theme', async () => {
    const { page } = await stage.sit(w.as('hse'), { theme: 'outdoor' })
    await page.goto(site('?at=2026-03-16T12:00:00.000Z'))
    await idle(page)
    await stage.axe(page)
  })
})
