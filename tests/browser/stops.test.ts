import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { boundsOf } from '../../shared/geometry/plane.ts'
import type { Permit, PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone, hold, holdByKey } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: area stops', () => {
  const stage = useStage()
  let w: PermitWorld
  beforeEach(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const site = (path: string) => `${stage.url}/sites/${w.site_id}${path}`
  const stops = async (query = '') => (await w.as('coordinator').get(`/permits/stops?site_id=${w.site_id}${query}`)).body
  for (const width of [390, 1440])
    test(`§4.7 at ${width} px: two taps and a hold stop an area with six live permits in it, each is revalidated, and the stop is lifted`, async () => {
      const cora = await stage.sit(w.as('coordinator'), { width })
      await cora.page.goto(site('/today'))
      await cora.page.getByRole('heading', { name: 'Today' }).waitFor()
      await cora.page.goto(site('/map'))
      await idle(cora.page)
      await cora.page.getByRole('button', { name: 'Stop work here' }).click()
      const panel = cora.page.getByRole('region', { name: 'Stop work here' })
      await panel.waitFor()
      await idle(cora.page)
      const spot = await spotOf(cora.page)
      const permits: Permit[] = []
      for (let i = 0; i < 6; i++) permits.push(await w.at('issued', { title: `Work ${width} ${i}`, place: { point: spot } }))
      await panel.getByText('This stops 6 live permits:').waitFor()
      const button = panel.getByRole('button', { name: /^Stop 6 permits/ })
      assert.equal(await button.getAttribute('aria-disabled'), 'true', 'a reason comes first')
      await panel.getByRole('button', { name: 'Smell of gas' }).click()
      const look = (name: string) =>
        panel.getByRole('button', { name }).evaluate(one => getComputedStyle(one as never).getPropertyValue('border-color'))
      assert.notEqual(await look('Smell of gas'), await look('Fire or smoke'), 'the chosen reason looks chosen')
      await stage.axe(cora.page)
      await button.click()
      await cora.page.waitForTimeout(300)
      assert.equal((await stops()).length, 0, 'a tap stops nothing')
      await hold(cora.page, button, cora.page.getByText('Work is stopped: 6 permits'))
      const [made] = await stops()
      assert.deepEqual([made.reason, made.waiting], ['Smell of gas', 6])
      await cora.page.locator('.map-floating').getByText('Work stopped: Smell of gas').first().waitFor()

      const receiver = await stage.sit(w.receiver, { width })
      await receiver.page.goto(site('/wallet'))
      await receiver.page
        .getByText(/Stopped/)
        .first()
        .waitFor()
      await stage.axe(receiver.page)

      const ivy = await stage.sit(w.issuer, { width })
      for (const [i, permit] of permits.entries()) {
        await ivy.page.goto(site(`/permits/${permit.id}`))
        await ivy.page.getByText('Stopped: don’t work under this permit').waitFor()
        // On a phone, the tab bar covers what is at the bottom: the whole page is shown for axe.
        if (i === 0 && width === 390) await fitsPhone(ivy.page)
        if (i === 0) await stage.axe(ivy.page)
        await ivy.page
          .getByRole('button', { name: /^Revalidate/ })
          .first()
          .click()
        const dialog = ivy.page.getByRole('dialog')
        await dialog.getByText('the work can go on').first().waitFor()
        await hold(
          ivy.page,
          dialog.getByRole('button', { name: /^Revalidate/ }),
          ivy.page.getByText('Revalidated: the work can go on').first(),
        )
        await ivy.page.getByText('Stopped: don’t work under this permit').waitFor({ state: 'detached' })
      }
      assert.equal((await stops())[0].waiting, 0)

      await cora.page.goto(site('/stops'))
      await cora.page.getByText('No permit still has to be revalidated.').waitFor()
      await stage.axe(cora.page)
      await cora.page.getByRole('button', { name: 'Lift the stop' }).click()
      await cora.page.getByLabel('What you saw at the place').fill('Leak repaired, meter reads zero')
      await stage.axe(cora.page)
      await cora.page.getByRole('dialog').getByRole('button', { name: 'Lift the stop' }).click()
      await cora.page.getByText('The stop was lifted.').waitFor()
      await cora.page.getByText('No work is stopped on this site.').waitFor()
      assert.deepEqual(await stops(), [])
    })

  test('§4.7 the button works by keyboard: Enter is held, and a short press stops nothing', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site('/map?add=stop'))
    await idle(page)
    const panel = page.getByRole('region', { name: 'Stop work here' })
    await panel.getByLabel('Reason, as everyone on site reads it').fill('Drill')
    const button = panel.getByRole('button', { name: /^Stop \d+ permit/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(300)
    assert.deepEqual(await stops(), [])
    await holdByKey(page, button, page.getByText(/^Work is stopped/))
    assert.equal((await stops())[0].reason, 'Drill')
  })
})

/** Returns the place under the cross of the map. */
async function spotOf(page: import('playwright-core').Page): Promise<{ lon: number; lat: number }> {
  const reply = page.waitForResponse(one => one.url().includes('/stops/preview') && one.status() === 200)
  await page.getByRole('button', { name: '10 m around' }).click()
  const [west, south, east, north] = boundsOf((await (await reply).json()).area)
  return { lon: (west + east) / 2, lat: (south + north) / 2 }
}
