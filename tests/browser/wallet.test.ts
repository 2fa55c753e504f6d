import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { holdFor } from './hands.ts'
import { useStage } from './kit.ts'

describe('the wallet', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('issued', { title: 'Dig for the drain' })
    await w.at('signed', { title: 'Weld handrails, stair 3' })
    await w.at('signed', { title: 'Grind the landing' })
  })

  test('web.md Wallet: permits are listed most urgent first, complete with signatures and code, and are countersigned with one long press', async () => {
    const { page, url } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(`${url}/sites/${w.site_id}/wallet`)
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    const titles = await page.getByRole('article').getByRole('heading', { level: 3 }).allTextContents()
    assert.equal(titles.at(-1), 'Dig for the drain')
    await page.getByText('As at 09:00').waitFor()
    await stage.axe(page)
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).click()
    await page.getByRole('heading', { name: 'Weld handrails, stair 3', level: 1 }).waitFor()
    await page.getByText('I have walked the work front, the controls are in place, and I issue this permit.').waitFor()
    await page.getByRole('button', { name: 'Show QR code' }).click()
    await page.getByRole('img', { name: /QR code of this permit/ }).waitFor()
    await stage.axe(page)
    await page.keyboard.press('Escape')
    await stage.axe(page)
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByText('Signed, but the window hasn’t started').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Countersign' }).count(), 0)
  })

  test('a permit is countersigned by keyboard alone', async () => {
    const { page, url } = await stage.sit(w.receiver)
    await page.goto(`${url}/sites/${w.site_id}/wallet`)
    await page.getByRole('link', { name: 'Grind the landing' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grind the landing', level: 1 }).waitFor()
    const button = page.getByRole('button', { name: 'Countersign' })
    for (let i = 0; i < 60 && (await button.and(page.locator(':focus')).count()) === 0; i++) await page.keyboard.press('Tab')
    await page.keyboard.down('Enter')
    await page.waitForTimeout(1000)
    await page.keyboard.up('Enter')
    await page.getByText('Signed, but the window hasn’t started').waitFor()
  })
})
