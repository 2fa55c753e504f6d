// What a person reads at a glance, in gloves and in the sun: the place on a card, a tick, where they are.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { dataShown } from './hands.ts'
import { useStage } from './kit.ts'

const PLACE = 'North-east corner of stair 3, level 04'

describe('the app can be read at a glance', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`
  before(async () => {
    stage.house.clock('2026-03-16T09:00:00.000Z')
    w = await permitWorld(stage.house)
    await w.at('issued', { title: 'Weld the lug', location: PLACE })
  })

  test('9.24 the place of a permit can be read on its card and in the table of the board, after the name of its contractor', async () => {
    for (const width of [390, 1440]) {
      const { page } = await stage.sit(w.as('hse'), { width })
      await page.goto(at('board'))
      const line = page.locator('.permit-card').filter({ hasText: 'Weld the lug' }).locator('.cut')
      await line.getByText(PLACE).waitFor()
      const isCut = `one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1`
      assert.equal(await line.evaluate(`(${isCut})(document.querySelector('.permit-card .cut'))`), false, `card at ${width} px`)
      await page.goto(at('board?view=table'))
      const row = page.getByRole('row').filter({ hasText: 'Weld the lug' })
      await row.waitFor()
      assert.deepEqual(
        await page.evaluate(`[...document.querySelectorAll('.board-table tbody .cut')].filter(${isCut}).map(one => one.textContent)`),
        [],
        `table at ${width} px`,
      )
    }
  })

  test('9.26 a page that doesn’t exist has a heading that says so', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at('nowhere'))
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await stage.axe(page)
  })

  test('9.26 a tick that can’t be changed shows whether it is set, and in the outdoor theme a tick has the border of a field', async () => {
    const { page } = await stage.sit(w.as('hse'), { theme: 'outdoor', width: 390 })
    await page.goto(at('settings/site'))
    await dataShown(page)
    const locked = page.locator('.tick input[type=checkbox]:disabled:checked').first()
    await locked.waitFor()
    const look = await locked.evaluate(one => {
      const mark = getComputedStyle(one, '::before')
      return { frame: getComputedStyle(one).borderTopStyle, mark: mark.borderBottomStyle, wide: Number.parseFloat(mark.borderBottomWidth) }
    })
    assert.deepEqual(look, { frame: 'dashed', mark: 'solid', wide: 3 })
    await page.goto(at('members'))
    const free = page.locator('.tick input[type=checkbox]:enabled').first()
    await free.waitFor()
    assert.match(await free.evaluate(one => getComputedStyle(one).boxShadow), / 0px 0px 0px [2-9]px/)
  })

  test('9.26 on a phone “More” is marked like the other groups while a page of it is open', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    const looks = (selector: string) =>
      page.locator(selector).evaluate(one => {
        const { backgroundColor, borderRadius, boxShadow } = getComputedStyle(one)
        return { backgroundColor, borderRadius, boxShadow }
      })
    await page.goto(at('today'))
    await page.locator('.on-phone .way[aria-current=page]').waitFor()
    const today = await looks('.on-phone .way[aria-current=page]')
    await page.goto(at('members'))
    await page.locator('.way.more[data-open=true]').waitFor()
    assert.deepEqual(await looks('.way.more[data-open=true]'), today)
  })

  test('9.24 a board of imported permits alone says so, and its filters are one row of buttons with one line each', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('board?imported=only'))
    await page.getByRole('button', { name: 'Only imported permits', pressed: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Include imported' }).count(), 0)
    const heights = await page.locator('.quick > .btn').evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    assert.equal(new Set(heights).size, 1, heights.join())
  })
})
