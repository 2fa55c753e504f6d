import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { ground, idle } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const WEST = -0.02 + 30 / 69_400
const NORTH = 51.505 + 40 / 111_260
const METRE = 1 / 69_400

// Hot work on two places of level 1, and a confined space below one of them on level 0.
describe('the app: two permits for hot work next to a confined space, from the request to the decision', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  let pit: Permit
  let weld: Permit
  const site = (path: string) => `${stage.url}/sites/${w.site_id}${path}`
  const work = (code: string, east: number, level_index: number) => ({
    categories: [code],
    place: { point: { lon: WEST + east * METRE, lat: NORTH }, building_id: tower, level_index },
    start_at: '2026-03-17T08:00:00.000Z',
    end_at: '2026-03-17T12:00:00.000Z',
  })
  before(async () => {
    w = await permitWorld(stage.house)
    const hse = w.as('hse')
    await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
    tower = (
      await hse.post('/reference-features/zones', {
        ...{ site_id: w.site_id, kind: 'building', name: 'Tower', outline: ground(20, 20, 160, 50) },
        levels: [0, 1, 2].map(index => ({ index, name: `Level ${index}` })),
      })
    ).body.id
    const rules: { id: string; system_key: string }[] = (await hse.get(`/clash-rules?site_id=${w.site_id}`)).body
    const proximity = rules.find(rule => rule.system_key === 'permit_proximity')
    const changed = await hse.patch(`/clash-rules/${proximity?.id}`, { outcome: { cells: { 'HW|HW': 'amber' } } })
    assert.equal(changed.status, 200, changed.text)
    pit = await w.at('requested', { ...work('CSE', 0, 0), title: 'Enter the pit' })
    weld = await w.at('endorsed', { ...work('HW', 4, 1), title: 'Weld the frame' })
    await w.at('requested', { ...work('HW', 9, 1), title: 'Cut the beam' })
  })

  test('13 the board counts both, the review lists the red one first, an approval without a reason is refused, and the note has the reason', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('/board'))
    const card = page.getByRole('link', { name: /Weld the frame/ }).first()
    await card.waitFor()
    await page.getByText('1 red conflict').first().waitFor()
    await page.goto(site(`/permits/${weld.id}?review=approve`))
    const panel = page.getByRole('region', { name: 'Conflicts' })
    await panel.getByText('Cut the beam').waitFor()
    const said = (await panel.textContent()) ?? ''
    assert.ok(said.indexOf('Enter the pit') < said.indexOf('Cut the beam'), 'red before amber')
    const approve = page.getByRole('button', { name: 'Approve' }).last()
    assert.equal(await approve.getAttribute('aria-disabled'), 'true')
    const refused = await w.step(weld, 'approve', w.as('hse'))
    assert.deepEqual([refused.status, refused.body.error.gate], [409, 'red_conflicts_unacknowledged'])
    await page.getByLabel('Why the work can go ahead despite the red conflicts').fill('The pit is sealed, a fire watch stands above it')
    await approve.click()
    await page.getByText('Approved', { exact: true }).first().waitFor()
    const { approval_note } = await w.read(weld, w.as('hse'))
    assert.equal(approval_note, 'Approved despite 1 red conflict: The pit is sealed, a fire watch stands above it')
  })

  /** Opens the map of a draft’s place, and returns the window and the handle of the marker. */
  const openPlace = async (page: Page, draft: Permit): Promise<{ dialog: Locator; handle: Locator }> => {
    await page.goto(site(`/request?draft=${draft.id}`))
    await page.getByText('Conflicts with', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Marked on the map' }).click()
    const dialog = page.getByRole('dialog', { name: 'Location of the work' })
    await dialog.locator('[data-map=idle]').waitFor()
    const handle = dialog.getByRole('button', { name: /^Place of the work/ })
    await handle.waitFor()
    return { dialog, handle }
  }

  for (const width of [1440, 390])
    test(`13 while the place of a request is dragged on the map its conflict goes, before anything is saved, at ${width} px`, async () => {
      const draft = await w.draft({ ...work('HW', -4, 1), title: `Grind the plate ${width}` })
      const { page } = await stage.sit(w.as('member'), { width })
      const { dialog, handle } = await openPlace(page, draft)
      await dialog.getByText('Enter the pit').waitFor()
      await stage.axe(page)
      const box = await handle.boundingBox()
      if (box === null) throw new Error('The handle isn’t on the screen.')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 60, y, { steps: 6 })
      await page.mouse.move(x + 110, y, { steps: 6 })
      await dialog.getByText('Enter the pit').waitFor({ state: 'detached' })
      await page.mouse.up()
      await dialog.getByText('No other permit conflicts with this place and window.').waitFor()
      const { place } = await w.read(draft, w.as('member'))
      assert.deepEqual(place.point, draft.place.point, 'nothing was saved')
      if (width === 390) await fitsPhone(page)
      await dialog.getByRole('button', { name: 'Use this place' }).click()
      await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
      assert.notDeepEqual((await w.read(draft, w.as('member'))).place.point, draft.place.point)
    })

  test('13 the marker moves by arrow keys, and the conflict with it', async () => {
    const draft = await w.draft({ ...work('HW', -4, 1), title: 'Grind the rail' })
    const { page } = await stage.sit(w.as('member'))
    const { dialog, handle } = await openPlace(page, draft)
    await dialog.getByText('Enter the pit').waitFor()
    await handle.focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowDown')
    await dialog.getByText('No other permit conflicts with this place and window.').waitFor()
  })

  test('13 the next day the map shows yesterday’s conflicts as they were', async () => {
    await w.as('hse').get(`/clashes?site_id=${w.site_id}`) // what has changed is computed before anybody reads
    stage.house.clock('2026-03-18T09:00:00.000Z')
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site(`/map?at=2026-03-17T07:45:00.000Z&view=${NORTH},${WEST},20`))
    await idle(page)
    await page.getByText('There are no clashes at this time.').waitFor()
    await page.getByRole('slider', { name: 'Time of day' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('3 clashes at this time').waitFor()
    await page
      .getByText(new RegExp(`${pit.permit_number}`))
      .first()
      .waitFor()
    stage.house.clock('2026-03-16T09:00:00.000Z')
  })
})
