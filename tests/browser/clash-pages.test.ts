import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { spot } from '../sides.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

const GANGS = 12
/** Every two of them clash. */
const CLASHES = (GANGS * (GANGS - 1)) / 2
const FIRST = 50
const two = (n: number) => String(n).padStart(2, '0')

describe('the app: many clashes to settle', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    const gangs = { kinds: ['worker'] }
    const rule = { name: 'Gangs too close', a: gangs, b: gangs, when: { within_m: 20 }, outcome: { severity: 'amber' } }
    assert.equal((await w.as('hse').post('/clash-rules', { site_id: w.site_id, ...rule })).status, 201)
    for (let n = 1; n <= GANGS; n++) {
      const [lon, lat] = spot(n, 0)
      const times = { start_at: `2026-03-17T08:${two(n)}:00.000Z`, end_at: '2026-03-17T18:00:00.000Z' }
      const body = { site_id: w.site_id, name: `Crew ${two(n)}`, trade: 'Joiner', radius_m: 1, place: { point: { lon, lat } }, ...times }
      assert.equal((await w.as('coordinator').post('/workers/', body)).status, 201)
    }
  })
  const at = (query = '') => `${stage.url}/sites/${w.site_id}/clashes${query}`

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 390, theme: 'outdoor' },
    { width: 1440, theme: 'light' },
  ])
    test(`§4.7 a long list is read page by page at ${width} px in the ${theme} theme: it says how many of how many are shown, and what is selected is what is shown`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(at())
      await page.getByText(`The ${FIRST} most urgent of ${CLASHES} clashes to settle`).waitFor()
      assert.equal(await page.locator('[data-row]').count(), FIRST)
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .focus()
      await page.keyboard.press('Shift+A')
      await page.getByText(`${FIRST} selected`).waitFor()
      if (width < 600) await fitsPhone(page)
      const more = page.getByRole('button', { name: 'Show more' })
      await more.scrollIntoViewIfNeeded()
      await stage.axe(page)
      await picture(page, `clash-pages-${theme}-${width}`)
      await page.keyboard.press('Escape')
      await more.focus()
      await page.keyboard.press('Enter')
      await page.getByText(`${CLASHES} clashes to settle`, { exact: true }).waitFor()
      assert.equal(await page.locator('[data-row]').count(), CLASHES)
      assert.equal(await more.count(), 0)
    })

  test('§4.7 a search looks through the whole list, also what isn’t shown yet', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByText(`The ${FIRST} most urgent of ${CLASHES} clashes to settle`).waitFor()
    await page.getByLabel('Find a clash').fill(`Crew ${two(GANGS)}`)
    await page.getByText(`${GANGS - 1} clashes to settle`, { exact: true }).waitFor()
    assert.equal(await page.locator('[data-row]').count(), GANGS - 1)
  })

  test('§4.7 a task leads to a clash that is further down: it comes first, can be settled, and someone else’s decision about it is noticed', async () => {
    const list = (await w.as('hse').get(`/clashes/unresolved?site_id=${w.site_id}`)).body
    const last = list.at(-1)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at(`?episode=${last.id}`))
    const row = page.locator(`[data-row="${last.id}"]`)
    await row.waitFor()
    assert.equal(await page.locator('[data-row]').first().getAttribute('data-row'), last.id)
    assert.equal(await page.locator('[data-row]').count(), FIRST + 1)
    await row.getByRole('button', { name: 'Accept' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept this clash' })
    await dialog.getByLabel('Why the work can go on like this').fill('One after the other')
    assert.equal(await dialog.getByText('has changed', { exact: false }).count(), 0)
    const other = { site_id: w.site_id, episode_id: last.id, kind: 'not_a_clash', reason: 'A wall' }
    assert.equal((await w.as('admin').post('/clashes/stance', other)).status, 201)
    await dialog.getByText('1 of these clashes has changed', { exact: false }).waitFor()
  })

  for (const { width, theme } of [
    { width: 390, theme: 'outdoor' },
    { width: 1440, theme: 'dark' },
  ])
    test(`§4.2 permits that can’t be checked are named by their number and their work, at ${width} px in the ${theme} theme`, async () => {
      const own = await permitWorld(stage.house)
      const titles = ['Weld the frame', 'Clean the tank', 'Cut the beam', 'Lift the pump', 'Drain the sump']
      const made: string[] = []
      for (const title of titles) made.push((await own.at('requested', { place: null, title })).permit_number)
      const { page } = await stage.sit(own.as('hse'), { width, theme })
      await page.goto(`${stage.url}/sites/${own.site_id}/clashes`)
      await page.getByText('5 permits can’t be checked, because they have no place').waitFor()
      await page.getByText('There is nothing to settle in what could be checked', { exact: false }).waitFor()
      assert.equal(await page.getByText('no clash is there', { exact: false }).count(), 0, 'nobody knows that')
      await page.getByText('Show 1 more').click()
      for (const [n, title] of titles.entries()) await page.getByRole('link', { name: `${made[n]} ${title}` }).waitFor()
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await picture(page, `clashes-unplaced-${theme}-${width}`)
    })
})
