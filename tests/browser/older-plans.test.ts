import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sheet, stopped, upload, worked } from '../plans.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone, press } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

describe('the app: plans with older tiles', () => {
  const stage = useStage()

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
})
