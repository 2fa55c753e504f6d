import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

describe('the app: a smart group on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    const by = w.as('coordinator')
    const common = { site_id: w.site_id, start_at: '2026-03-16T07:00:00Z', end_at: '2026-03-16T17:00:00Z' }
    for (const [name, trade, lon] of [
      ['Fixers', 'Steel fixer', -0.0192],
      ['Joiners', 'Joiner', -0.0188],
    ] as const) {
      const made = await by.post('/workers/', { ...common, name, trade, place: { point: { lon, lat: 51.5055 } } })
      assert.equal(made.status, 201, made.text)
    }
    const steel = { field: 'trade', op: 'eq', value: 'Steel fixer' }
    const made = await by.post('/smart-groups/', {
      ...{ site_id: w.site_id, name: 'Steel', subject: 'entity', predicate: steel, visibility: 'shared' },
    })
    assert.equal(made.status, 201, made.text)
  })

  for (const [width, theme] of [
    [390, 'outdoor'],
    [1440, 'dark'],
  ] as const)
    test(`§18 a person shows only the members of a group, the map says so, and everything comes back, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('viewer'), { width, theme })
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      const list = page.getByRole('region', { name: 'Map as a list' }).or(page.locator('.map-list'))
      await list.getByRole('button', { name: /^Joiners/ }).waitFor()
      await page.getByLabel('Show only a smart group').selectOption({ label: 'Steel' })
      await page.getByText('Only members of “Steel” are shown: one at this time.', { exact: false }).waitFor()
      await list.getByRole('button', { name: /^Joiners/ }).waitFor({ state: 'detached' })
      assert.equal(await list.getByRole('button', { name: /^Fixers/ }).count(), 1)
      assert.equal(await list.getByText('Weld handrails').count(), 0)
      // The choice is part of the URL, so that it can be sent on, and is there after a reload.
      await page.reload()
      await page.getByText('Only members of “Steel” are shown: one at this time.', { exact: false }).waitFor()
      await idle(page)
      await page.getByText('Only members of “Steel”', { exact: false }).scrollIntoViewIfNeeded()
      await picture(page, `map-group-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await page.getByRole('button', { name: 'Show everything' }).press('Enter')
      await list.getByRole('button', { name: /^Joiners/ }).waitFor()
      assert.equal(await page.getByText('Only members of', { exact: false }).count(), 0)
    })

  test('§18 a group that can’t be read hides nothing, and the map says so', async () => {
    const { page } = await stage.sit(w.as('viewer'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map?group=01929f3e-7c1a-7b60-9d5e-000000000001`)
    await page.getByText('The members of the group couldn’t be loaded, so everything is shown.').waitFor()
    await page
      .locator('.map-list')
      .getByRole('button', { name: /^Joiners/ })
      .waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await page.getByText('couldn’t be loaded', { exact: false }).waitFor({ state: 'detached' })
  })
})
