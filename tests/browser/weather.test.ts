import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../permits.ts'
import { drawnWorld } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }

describe('the app: the weather under the time slider', () => {
  const stage = useStage()

  for (const width of [390, 1440])
    test(`§13 the strip says in words what it draws; without a location those who can set it read that it is missing, at ${width} px`, async () => {
      const w = await permitWorld(stage.house)
      const map = `${stage.url}/sites/${w.site_id}/map`
      const admin = await stage.sit(w.as('site_manager'), { width })
      const asked: string[] = []
      admin.page.on('request', request => asked.push(...(request.url().includes('/api/weather/') ? [request.url()] : [])))
      await admin.page.goto(map)
      await admin.page.getByText('This site has no location yet.').waitFor()
      assert.deepEqual(asked, [], 'nothing is asked that the service would refuse')
      const viewer = await stage.sit(w.as('viewer'), { width, theme: 'dark' })
      await viewer.page.goto(map)
      await viewer.page.locator('.sky svg').waitFor({ state: 'attached' })
      assert.equal(await viewer.page.getByText('This site has no location').count(), 0)

      assert.equal((await w.as('site_manager').patch(`/sites/${w.site_id}`, { location: HERE })).status, 200)
      await viewer.page.reload()
      const says = viewer.page.locator('summary').filter({ hasText: 'Example weather, not that of this site:' })
      await says.waitFor()
      assert.match((await says.textContent()) ?? '', /Gusts up to \d+ m\/s, .*rain\./)
      await says.focus()
      await viewer.page.keyboard.press('Enter')
      await viewer.page.getByText(/Example data: this is not the weather of this site/).waitFor()
      await stage.axe(viewer.page)
      assert.ok(await viewer.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    })
})

/** What a phone shows of the weather on a day on which nearly every limit is reached: a dozen sentences. */
const MACHINES = ['Tower crane', 'Mobile crane', 'Mobile platform', 'Handling of sheets', 'Roof work', 'Concreting in the cold']

describe('the app: the map on a phone', () => {
  const stage = useStage()

  for (const theme of ['light', 'dark', 'outdoor'])
    test(`§13 the map begins in the upper quarter of the screen on a day with a lot of weather, and opening its line shows all of it, in the ${theme} theme`, async () => {
      const { w, tower } = await drawnWorld(stage.house)
      const { page } = await stage.sit(w.as('admin'), { width: 390, theme })
      await page.route(/\/weather\/sites\/[^/]+\/timeline/, async route => {
        const reply = await route.fetch()
        const day = await reply.json()
        const { at } = day.hours[8]
        const limits = MACHINES.map(label => ({ ...day.hours[8].limits[0], key: label, label, state: 'stop', on_map: true }))
        day.hours = day.hours.map((hour: { at: string }) => ({ ...hour, limits: hour.at >= at ? limits : [] }))
        await route.fulfill({ response: reply, json: day })
      })
      const map = page.locator('.map-host')
      const top = async () => (await map.boundingBox())?.y ?? assert.fail('The map is on the page.')
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      const line = page.locator('.sky-says summary')
      await line.filter({ hasText: 'Concreting in the cold: stop from' }).waitFor()
      await map.waitFor()
      assert.ok((await top()) < 211, `it begins at ${await top()} px`)
      const [above, bar] = [await map.boundingBox(), await page.getByRole('group', { name: 'Time of day' }).boundingBox()]
      assert.ok((bar?.y ?? 0) >= (above?.y ?? 0) + (above?.height ?? 999), 'the time is below the map, at the thumb')
      assert.equal(await page.getByText('Times are in site time', { exact: false }).isVisible(), false)

      await line.tap()
      await page.getByText('Times are in site time', { exact: false }).waitFor()
      assert.ok(await page.locator('.sky svg').isVisible())
      assert.ok(((await line.boundingBox())?.height ?? 0) > 100, 'every sentence can be read')
      await stage.axe(page)
      await line.tap()

      await page.goto(`${stage.url}/sites/${w.site_id}/map?building=${tower}&level=1`)
      await line.filter({ hasText: 'Concreting in the cold: stop from' }).waitFor()
      await page.getByLabel('Levels of Tower').waitFor()
      assert.ok((await top()) < 280, `with a level chosen it begins at ${await top()} px`)
      await fitsPhone(page)
    })
})

describe('the app: the map of a server without weather', () => {
  const stage = useStage({ WEATHER_PROVIDER: 'none' })

  test('§13 the strip shows the working time, and says nothing of weather, about which nobody on the map can do anything', async () => {
    const w = await stage.house.world()
    assert.equal((await w.as('site_manager').patch(`/sites/${w.site_id}`, { location: HERE })).status, 200)
    const { page } = await stage.sit(w.as('viewer'), { busy: true })
    const refused = page.waitForResponse(response => response.url().includes('/api/weather/') && response.status() === 503)
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await refused
    await page.locator('.sky .rest').first().waitFor({ state: 'attached' })
    assert.equal(await page.locator('.sky-why').count(), 0)
  })
})
