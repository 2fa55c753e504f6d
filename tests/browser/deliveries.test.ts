import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { useStage } from './kit.ts'

describe('the app: deliveries on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const one = async (id: string) => (await w.as('coordinator').get(`/deliveries/${id}`)).body
  const post = async (name: string, more: object = {}): Promise<string> => {
    const slot = { start_at: '2026-03-16T08:30:00.000Z', end_at: '2026-03-16T10:00:00.000Z' }
    const made = await w.as('coordinator').post('/deliveries/', {
      ...{ site_id: w.site_id, name, ...slot, place: { point: { lon: -0.0195, lat: 51.5053 } }, ...more },
    })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }

  test('with a phone in the rain: arrived and left with one tap each; turned away with a reason', async () => {
    // Far enough from each other that they don't clash.
    const apart = { place: { point: { lon: -0.0185, lat: 51.5053 } } }
    const [first, second] = [await post('Readymix'), await post('Rebar', apart)]
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site())
    await page.getByRole('button', { name: /Readymix/ }).click()
    const note = page.locator('.map-floating')
    await note.getByRole('button', { name: 'Arrived' }).click()
    await note.getByText('On site').waitFor()
    await idle(page)
    await note.evaluate(panel => panel.scrollIntoView({ block: 'center' }))
    await stage.axe(page)
    await note.getByRole('button', { name: 'Left' }).click()
    await page.getByRole('button', { name: /Readymix\s*Left/ }).waitFor()
    await note.getByRole('button', { name: 'History' }).click()
    const past = page.getByRole('dialog', { name: /^History of .*Readymix/ })
    await past.getByRole('listitem').nth(2).waitFor()
    const steps = await past.getByRole('listitem').allTextContents()
    assert.match(steps[0] ?? '', /^Changed: .*departure \(Mon 16 Mar/)
    assert.match(steps[1] ?? '', /^On siteChanged: arrival \(Mon 16 Mar/)
    assert.match(steps[2] ?? '', /^AddedSaved by /)
    await stage.axe(page)
    await past.getByRole('button', { name: 'Close' }).click()
    const gone = await one(first)
    assert.deepEqual([gone.status, gone.left_at !== null], ['arrived', true])
    await page.getByRole('button', { name: /Rebar/ }).click()
    await note.getByRole('button', { name: 'Arrived' }).click()
    await note.getByRole('button', { name: 'Turned away' }).click()
    await note.getByLabel('Why is it turned away?').selectOption('Unsafe load')
    await note.getByRole('button', { name: 'Turned away' }).click()
    await page.getByRole('button', { name: /Rebar\s*Turned away/ }).waitFor()
    const away = await one(second)
    assert.deepEqual([away.status, away.turned_away_reason], ['turned_away', 'unsafe_load'])
  })

  for (const width of [390, 1440])
    test(`§3 a delivery without a place is refused at its place, in the words of the form, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site())
      await page.getByRole('button', { name: 'Add to the map' }).click()
      await page.getByRole('button', { name: 'Delivery', exact: true }).click()
      await page.getByLabel('Supplier').fill('Dock Steel')
      await page.getByRole('button', { name: 'Save' }).click()
      const said = page.locator('.fault', { hasText: 'Choose on the map where this is: a point or an area.' })
      await said.waitFor()
      assert.equal(await page.getByText(/polygon/).count(), 0)
      const [fault, button] = [await said.boundingBox(), await page.getByRole('button', { name: 'Choose on the map' }).boundingBox()]
      assert.ok((button?.y ?? 999) - (fault?.y ?? 0) < 60, 'right above the button that it names')
      await stage.axe(page)
    })

  test('a contractor asks for a slot by keyboard; the coordinator opens it from the day’s list and books it', async () => {
    const { page } = await stage.sit(w.as('member'))
    await page.goto(site())
    await page.getByRole('button', { name: 'Add to the map' }).click()
    await page.getByRole('button', { name: 'Delivery', exact: true }).click()
    await page.getByLabel('Supplier').fill('Dock Steel')
    await page.getByRole('button', { name: 'Choose on the map' }).click()
    await page.getByLabel('Map for choosing a place').waitFor({ state: 'attached' })
    await idle(page)
    await page.locator('dialog [data-map]').click({ position: { x: 200, y: 160 } })
    await page.getByRole('button', { name: 'Use this place' }).click()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('has been requested. A coordinator decides on the slot.', { exact: false }).waitFor()
    // The form closes, so that nobody sends it twice.
    await page.getByRole('dialog', { name: 'New delivery' }).waitFor({ state: 'detached' })
    const [asked] = (await w.as('coordinator').get(`/deliveries/?site_id=${w.site_id}&status=requested`)).body
    const office = await stage.sit(w.as('coordinator'))
    await office.page.goto(site(`?delivery=${asked.id}`))
    await office.page.getByRole('button', { name: 'Book slot' }).click()
    await office.page.getByRole('dialog').getByText('Booked').waitFor()
    await stage.axe(office.page)
    assert.equal((await one(asked.id)).status, 'booked')
  })
})
