import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { controlPoints, laid, planBuilding, readySheet, sheet, stopped, upload, uploadSheet, worked } from '../plans.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone, press } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

describe('the app: plans with older tiles', () => {
  const stage = useStage()

  test('§8 a drawing that can’t be loaded is named, so that a level never looks empty without saying why', async () => {
    const { w, tower } = await drawnWorld(stage.house)
    const parts = upload(await sheet(undefined, 90), 'plan.png', {
      ...{ site_id: w.site_id, feature_id: tower, name: 'Ground floor', placement: JSON.stringify({ mode: 'fit' }) },
    })
    await worked(stage.house, await w.as('coordinator').send('POST', '/floor-plans/upload-image', parts))
    const { page } = await stage.sit(w.as('viewer'))
    const tiles = /\/tiles\/floor-plan\/.*\.webp/
    await page.route(tiles, route => route.abort('internetdisconnected'))
    const open = `${stage.url}/sites/${w.site_id}/map?building=${tower}&level=0`
    await page.goto(open)
    await idle(page)
    const note = page.getByText('The map doesn’t show everything of these plans, because they couldn’t be loaded: Ground floor.')
    await note.waitFor()
    await stage.axe(page)
    await page.unroute(tiles)
    await page.goto(open)
    await idle(page)
    await page
      .getByRole('checkbox', { name: 'Show Ground floor' })
      .or(page.getByRole('checkbox', { name: /Ground floor/ }))
      .first()
      .waitFor()
    await page.waitForTimeout(500)
    assert.equal(await note.count(), 0)
  })

  test('§8 on a slow device, plans that arrive one after the other are drawn, and the page stays: the first one has no tiles of its own before the next frame', async () => {
    const w = await stage.house.world()
    const block = await planBuilding(w)
    const map = await readySheet(stage.house, w, { tint: 70 })
    const used = await w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: map })
    assert.equal(used.status, 200, used.text)
    await worked(stage.house, await uploadSheet(w, block, { name: 'Ground floor', placement: { mode: 'fit' } }, 80))
    const { page } = await stage.sit(w.as('viewer'))
    await page.addInitScript(`{
      const own = requestAnimationFrame
      window.requestAnimationFrame = next => own(() => setTimeout(() => next(performance.now()), 300))
    }`)
    let before = 0
    await page.route(/tilejson\.json/, async route => {
      await new Promise(done => setTimeout(done, 150 * before++))
      await route.continue()
    })
    await page.goto(`${stage.url}/sites/${w.site_id}/map?building=${block}&level=0`)
    await idle(page)
    await page.getByRole('checkbox', { name: /Ground floor/ }).waitFor()
    assert.equal(before, 2)
    assert.equal(await page.getByText('This page can’t be shown').count(), 0)
  })

  for (const [width, theme] of [
    [390, 'outdoor'],
    [1440, 'dark'],
  ] as const)
    test(`§8 a floor plan whose new tiles were lost says so to everyone; who can change it starts the work again, at ${width} px`, async () => {
      const { w, tower } = await drawnWorld(stage.house)
      const parts = upload(await sheet(undefined, width % 7), 'plan.png', {
        ...{ site_id: w.site_id, feature_id: tower, name: 'General arrangement', placement: JSON.stringify({ mode: 'fit' }) },
      })
      const { body } = await worked(stage.house, await w.as('coordinator').send('POST', '/floor-plans/upload-image', parts))
      const corner = { lon: -0.0197, lat: 51.5053 }
      const placement = { mode: 'affine', anchor: corner, anchor_sheet: { x: 0, y: 0 }, scale: 0.1 }
      await stopped(stage.house, await w.as('coordinator').patch(`/floor-plans/${body.id}/placement`, placement), 'lost_floor_plans')

      const seen = await stage.sit(w.as('viewer'), { width, theme })
      await seen.page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(seen.page)
      await seen.page.getByText('The map still shows it as it was before', { exact: false }).first().waitFor()
      assert.equal(await seen.page.getByRole('button', { name: 'Make the tiles again' }).count(), 0)
      const { page } = await stage.sit(w.as('coordinator'), { width, theme })
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      await page.getByText('The work on its new tiles was stopped.', { exact: false }).waitFor()
      await page.getByText('The work on its new tiles was stopped.', { exact: false }).scrollIntoViewIfNeeded()
      await picture(page, `older-plan-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await press(page, page.getByRole('button', { name: 'Make the tiles again' }))
      await page.getByText('The work on its new tiles was stopped.', { exact: false }).waitFor({ state: 'detached' })
      const [plan] = (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body
      assert.deepEqual([plan.status, plan.status_reason], ['ready', null])
    })

  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'outdoor'],
  ] as const)
    test(`§7 a site map whose new tiles were lost says so to everyone; a manager starts the work again by keyboard, at ${width} px`, async () => {
      const w = await stage.house.world()
      const id = await readySheet(stage.house, w, { tint: 20 + (width % 7) })
      const used = await w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: id })
      assert.equal(used.status, 200, used.text)
      const points = controlPoints(laid(0.1, 40))
      await stopped(stage.house, await w.as('hse').post(`/site-maps/${id}/calibrate`, { points }), 'lost_site_maps')

      const seen = await stage.sit(w.as('viewer'), { width, theme })
      await seen.page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(seen.page)
      await seen.page.getByText('The map still shows it as it was before', { exact: false }).first().waitFor()
      assert.equal(await seen.page.getByRole('button', { name: 'Make the tiles again' }).count(), 0)
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      const note = page.getByText('The work on its new tiles was stopped.', { exact: false })
      await note.waitFor()
      await note.scrollIntoViewIfNeeded()
      // One thing to do: calibrating again is in the menu.
      assert.equal(await page.getByText('Not calibrated yet', { exact: false }).count(), 0)
      assert.equal(await page.getByRole('link', { name: 'Calibrate', exact: true }).count(), 0)
      await picture(page, `older-map-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await page.getByRole('button', { name: 'Make the tiles again' }).focus()
      await page.keyboard.press('Enter')
      await note.waitFor({ state: 'detached' })
      await worked(stage.house, await w.as('hse').get(`/site-maps/${id}`))
      await page.getByText('The map still shows it as it was before', { exact: false }).waitFor({ state: 'detached' })
      const { body } = await w.as('viewer').get(`/site-maps/${id}`)
      assert.deepEqual([body.status, body.outdated, body.content_version], ['ready', false, 2])
    })
})
