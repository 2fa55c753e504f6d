import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, ground, idle } from './ground.ts'
import { reach } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: drawing on the map, and the map in other rooms', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower = ''
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  /** Opens the form of a new zone on the map. */
  const newZone = async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(site())
    await idle(page)
    await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
    await page.getByRole('button', { name: 'Zone', exact: true }).click()
    return { page, form: page.getByRole('form', { name: 'New zone' }) }
  }

  test('a zone is drawn by tapping its corners, is visible to everyone, and is undone with one tap', async () => {
    const { page, form } = await newZone()
    assert.equal(await form.getByRole('button', { name: 'Save' }).isDisabled(), true)
    const box = (await page.locator('[data-map]').boundingBox()) ?? assert.fail('There is a map.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    for (const [dx, dy] of [
      [80, 20],
      [160, 20],
      [160, 90],
      [80, 90],
      [80, 20],
    ] as const) {
      await page.mouse.move(x + dx, y + dy)
      await page.mouse.down()
      await page.mouse.up()
    }
    await form.getByText('Drag a corner').waitFor()
    await form.getByLabel('Name').fill('Laydown north')
    await form.getByLabel('Also called').fill('North yard, east half\nLD-N')
    await form.getByLabel('Purpose').selectOption({ label: 'Laydown' })
    await form.getByLabel('Contractor in charge').selectOption({ index: 1 })
    const holder = (await form.getByLabel('Contractor in charge').locator('option:checked').textContent()) ?? ''
    await stage.axe(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.locator('.map-floating').getByRole('heading', { name: 'Laydown north' }).waitFor()
    await page.locator('.map-floating').getByText(`Contractor in charge: ${holder}`).waitFor()
    await page.locator('.map-floating').getByText('Also called North yard, east half, LD-N').waitFor()
    const listed = await w.as('member').get(`/reference-features/features?site_id=${w.site_id}&q=Laydown`)
    assert.equal(listed.body.length, 1)
    assert.equal(listed.body[0].zone_type, 'laydown')
    assert.deepEqual(listed.body[0].aliases, ['North yard, east half', 'LD-N'])
    const contractors = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body as { id: string; name: string }[]
    assert.equal(contractors.find(one => one.id === listed.body[0].contractor_id)?.name, holder)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual((await w.as('member').get(`/reference-features/features?site_id=${w.site_id}&q=Laydown`)).body, [])
  })

  test('1082 the Undo of a new zone keeps what someone else has made of it since', async () => {
    const { page, form } = await newZone()
    await form.getByLabel('Name').fill('Scaffold store')
    await form.getByText('Corner coordinates').first().click()
    const [ring] = ground(90, 90, 20, 10).coordinates
    const corners = (ring ?? []).slice(0, 4).map(([lon, lat]) => `${lat}, ${lon}`)
    await form.getByRole('textbox', { name: 'Corner coordinates' }).fill(corners.join('\n'))
    await form.getByRole('button', { name: 'Save' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    const listed = () => w.as('member').get(`/reference-features/features?site_id=${w.site_id}&q=Scaffold`)
    const [zone] = (await listed()).body
    assert.equal((await w.as('coordinator').patch(`/reference-features/features/${zone.id}`, { name: 'Scaffold yard' })).status, 200)
    await undo.click()
    await page.getByRole('status').getByText('changed', { exact: false }).first().waitFor()
    assert.deepEqual(
      (await listed()).body.map((one: { name: string }) => one.name),
      ['Scaffold yard'],
    )
    await w.as('admin').del(`/reference-features/features/${zone.id}`)
  })

  test('by keyboard alone, corners can be typed; a refusal is shown in the service’s words; the history shows when a version applies', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(site())
    await idle(page)
    await page.getByRole('button', { name: 'Add to the map', exact: true }).focus()
    await page.keyboard.press('Enter')
    await reach(page, page.getByRole('button', { name: 'Building', exact: true }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'New building' })
    await form.getByLabel('Name').fill('Annex')
    await form.getByLabel('Highest level').fill('2')
    await form.getByText('Corner coordinates').first().focus()
    await page.keyboard.press('Enter')
    const [ring] = ground(22, 22, 50, 40).coordinates
    const text = (ring ?? []).slice(0, 4).map(([lon, lat]) => `${lat}, ${lon}`)
    await form.getByRole('textbox', { name: 'Corner coordinates' }).fill(`${text.join('\n')}\nnorth`)
    await form.getByText('This line isn’t a corner: north').waitFor()
    await form.getByRole('textbox', { name: 'Corner coordinates' }).fill(text.join('\n'))
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await form.getByRole('alert').waitFor()
    assert.match((await form.getByRole('alert').textContent()) ?? '', /Tower/)
    await form.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'T Tower' }).press('Enter')
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    const change = page.getByRole('form', { name: 'Edit Tower' })
    await change.getByLabel('Highest level').fill('3')
    await change.getByRole('button', { name: 'Save' }).press('Enter')
    await change.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    await change.getByRole('button', { name: 'History' }).press('Enter')
    const history = page.getByRole('dialog')
    await history.getByText('levels').waitFor()
    assert.equal(await history.getByRole('listitem').count(), 2)
    await stage.axe(page)
  })

  test('WCAG 2.4.3 what is opened in the place of a button gets the focus that the button had, and so does what is shown again afterwards', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(site())
    await idle(page)
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    const eventually = async (text: string) => {
      for (let i = 0; i < 100 && (await focused()) !== text; i++) await page.waitForTimeout(50)
      assert.equal(await focused(), text)
    }
    await page.getByRole('button', { name: 'Keep out' }).first().press('Enter')
    await page.locator('.map-floating').getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    await eventually('Edit Keep out')
    await page.getByRole('form', { name: 'Edit Keep out' }).getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('form', { name: 'Edit Keep out' }).waitFor({ state: 'detached' })
    for (let i = 0; i < 100 && (await page.evaluate(() => document.activeElement === document.body)); i++) await page.waitForTimeout(50)
    assert.equal(await page.evaluate(() => document.activeElement === document.body), false)
  })

  test('a zone that is drawn in a building belongs to it, until the person says otherwise', async () => {
    const { form } = await newZone()
    const building = form.getByLabel('Building')
    const chosen = () => building.locator('option:checked').textContent()
    await form.getByText('Corner coordinates').first().click()
    const corners = form.getByRole('textbox', { name: 'Corner coordinates' })
    const draw = ([ring]: number[][][]) => corners.fill((ring ?? []).map(([lon, lat]) => `${lat}, ${lon}`).join('\n'))
    await draw(ground(20, 20, 30, 50).coordinates)
    assert.equal(await chosen(), 'Tower')
    await draw(ground(60, 20, 30, 50).coordinates)
    assert.equal(await chosen(), 'Outdoors, at ground level')
    await draw(ground(25, 25, 30, 30).coordinates)
    assert.equal(await chosen(), 'Tower')
    await building.selectOption({ label: 'Outdoors, at ground level' })
    await draw(ground(25, 25, 40, 40).coordinates)
    assert.equal(await chosen(), 'Outdoors, at ground level')
  })

  test('a person without the permission to draw sees no drawing tools', async () => {
    const { page } = await stage.sit(w.as('viewer'))
    await page.goto(site())
    await idle(page)
    assert.equal(await page.getByRole('button', { name: 'Add to the map', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'T Tower' }).click()
    await page.locator('.map-floating').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
  })

  test('a permit gets its place by a tap on the map: its building is found, and the review shows it with the nearest help (map.md §5)', async () => {
    const { page } = await stage.sit(w.as('member'))
    const draft = await w.draft({ title: 'Core drilling' })
    await page.goto(`${stage.url}/sites/${w.site_id}/request?draft=${draft.id}`)
    await page.getByRole('button', { name: 'Show on map' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-map=idle]').waitFor()
    const box = (await dialog.locator('[data-map]').boundingBox()) ?? assert.fail('There is a map.')
    // The tower is in the lower left of the site.
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.62)
    await dialog.getByRole('combobox', { name: 'Level' }).waitFor()
    assert.equal(await dialog.getByRole('combobox', { name: 'Building' }).inputValue(), tower)
    await dialog.getByRole('combobox', { name: 'Level' }).selectOption('1')
    await stage.axe(page)
    await dialog.getByRole('button', { name: 'Use this place' }).click()
    await page.getByText('Marked on the map').waitFor()
    await page.getByText(/^Saved \d/).waitFor()
    const { place } = await w.read(draft, w.as('member'))
    assert.equal(place.building_id, tower)
    assert.equal(place.level_index, 1)
    assert.ok(place.point.lat > 51.5)
    const post = { site_id: w.site_id, name: 'First-aid room, level 1', poi_kind: 'first_aid', place }
    assert.equal((await w.as('hse').post('/pois/', post)).status, 201)
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${draft.id}`)
    const where = page.getByRole('region', { name: 'On the map', exact: true })
    await where.locator('[data-map=idle]').waitFor()
    // map.md §5: people read where the nearest help is, and that there is none of a kind.
    await where.getByText('First-aid room, level 1').waitFor()
    assert.equal(await where.getByText('None on this level or outdoors').count(), 2)
    await stage.axe(page)
  })

  test('the board as a map has the same filters and the same permits', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/board?view=map`)
    await idle(page)
    const list = page.getByRole('region', { name: 'On the map' })
    await list.getByRole('link', { name: 'Weld handrails' }).waitFor()
    await page.getByRole('searchbox').fill('drain')
    await list.getByRole('link', { name: 'Weld handrails' }).waitFor({ state: 'detached' })
    await list.getByRole('link', { name: 'Dig for the drain' }).waitFor()
    await stage.axe(page)
  })
})
