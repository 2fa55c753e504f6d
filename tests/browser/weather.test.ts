import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../permits.ts'
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
      await viewer.page.locator('.sky svg').waitFor()
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
