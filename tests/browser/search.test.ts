import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld } from './ground.ts'
import { useStage } from './kit.ts'

describe('the search of the whole app', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })

  test('9.23 Ctrl+K puts the cursor into the search; it finds permits by number and text, people, places, pages; Enter opens', async () => {
    const permit = await w.at('issued', { title: 'Weld the mast', description: 'Cut and refit the spreader' })
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const open = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'combobox')
      await page.keyboard.type(text)
    }
    for (const text of [permit.permit_number, 'spreader']) {
      await open(text)
      await page.getByRole('option', { name: /Weld the mast/ }).waitFor()
      if (text === 'spreader') await stage.axe(page)
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/permits/${permit.id}`))
      await page.goto(`${stage.url}/sites/${w.site_id}/board`)
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    }
    await open('Rex Rec')
    await page.getByRole('option', { name: /Rex Receiver/ }).waitFor()
    await page.keyboard.press('Escape')
    // A permit is found by the building that it is in, which its line and the board name.
    await open('Tower')
    await page.getByRole('option', { name: /Weld handrails.*Tower, Level 1/ }).waitFor()
    await page.keyboard.press('Escape')
    const board = page.getByRole('searchbox')
    await board.fill('tower handrails')
    await page.getByRole('heading', { name: /Weld handrails/ }).waitFor()
    await page.getByText('Weld the mast').waitFor({ state: 'detached' })
    await board.fill('')
    await open('Towe')
    await page.getByRole('option', { name: /Tower.*Place/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/map\\?chosen=${tower}`))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await open('Settings')
    await page
      .getByRole('option', { name: /Settings/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings/)
  })

  for (const width of [390, 1440])
    test(`9.23 the button opens the search, with the cursor in it, before its script was fetched ahead (${width} px)`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width })
      await page.goto(`${stage.url}/sites/${w.site_id}/board`)
      await page
        .getByRole('button', { name: /^Search/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'combobox')
    })

  for (const width of [390, 1440])
    test(`9.23 results with long names and places are whole, one below the other, at ${width} px`, async () => {
      for (let n = 0; n < 9; n++)
        await w.at('requested', {
          title: `Cut and grind the cast-in channels, Block A level 6, grid 5–6/C–D, bay ${n + width * 10}`,
          place: { building_id: tower, level_index: 1 },
          location: 'Stair 1, at the landing of the goods lift',
        })
      const { page } = await stage.sit(w.as('admin'), { width })
      await page.goto(`${stage.url}/sites/${w.site_id}/board`)
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('cast-in channels')
      await page
        .getByRole('option', { name: /Cut and grind/ })
        .nth(5)
        .waitFor()
      const options = await page.locator('#command-list [role=option]').evaluateAll(all =>
        all.map(one => ({
          over: one.scrollHeight - one.clientHeight,
          name: one.querySelector('.grow > span, .grow')?.getBoundingClientRect().width,
        })),
      )
      assert.ok(options.length >= 6)
      assert.deepEqual(
        options.filter(({ over, name = 0 }) => over > 1 || name < 180),
        [],
      )
    })
})
