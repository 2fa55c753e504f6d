import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

describe('765 the form of a record', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('limits come from the contract, typed text survives closing and reloading, and a fault is shown at its field until the field is changed', async () => {
    const { page } = await stage.sit(w.as('admin'))
    const address = `${stage.url}/sites/${w.site_id}/contractors`
    await page.goto(address)
    const open = async () => {
      await page.getByRole('button', { name: 'New contractor' }).first().click()
      await page.getByLabel('Contractor name').waitFor()
    }
    await open()
    const window = page.getByRole('dialog')
    assert.equal(await window.getByLabel('Contractor name').getAttribute('maxlength'), '200')
    assert.equal(await window.getByLabel('Contractor name').getAttribute('required'), '')
    assert.equal(await window.locator('input[maxlength="12"]').count(), 1, 'the short name')
    await window.getByLabel('Contractor name').fill('Gale Glazing')
    await window.getByLabel(/Trades/).fill(`glazing, ${'x'.repeat(61)}`)
    await page.keyboard.press('Escape')
    // The device encrypts what it stores, which takes a moment (decision 844).
    await page.waitForTimeout(200)
    await page.reload()
    await open()
    assert.equal(await window.getByLabel('Contractor name').inputValue(), 'Gale Glazing')
    await window.getByText('It hasn’t been sent.', { exact: false }).waitFor()
    await stage.axe(page)
    // The second of the trades is too long: the fault is shown at the field that contains it.
    await window.getByRole('button', { name: 'Save' }).click()
    const entry = window.locator('.entry', { has: page.getByLabel(/Trades/) })
    await entry.locator('.fault').waitFor()
    assert.equal(await window.getByLabel(/Trades/).getAttribute('aria-invalid'), 'true')
    await window.getByLabel(/Trades/).fill('glazing')
    // What was refused isn't what is in the field now.
    await entry.locator('.fault').waitFor({ state: 'detached' })
    assert.notEqual(await window.getByLabel(/Trades/).getAttribute('aria-invalid'), 'true')
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'Gale Glazing' }).waitFor()
    await open()
    assert.equal(await window.getByLabel('Contractor name').inputValue(), '', 'the sent text is forgotten')
  })

  for (const width of [390, 1440])
    test(`1102 a single fault is said once, at its field, which has the focus and is in view, at ${width} pixels`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width })
      await page.goto(`${stage.url}/sites/${w.site_id}/contractors`)
      await page.getByRole('button', { name: 'New contractor' }).first().click()
      const window = page.getByRole('dialog')
      await window.getByLabel('Contractor name').fill('Hale Haulage')
      await window.getByLabel(/Trades/).fill('x'.repeat(61))
      const save = window.getByRole('button', { name: 'Save' })
      await save.click()
      const fault = window.locator('.entry', { has: page.getByLabel(/Trades/) }).locator('.fault')
      await fault.waitFor()
      const is_focused = (label: RegExp | string) => window.getByLabel(label).evaluate(field => field === document.activeElement)
      assert.equal(await is_focused(/Trades/), true)
      assert.equal(await window.getByText('at most 60 characters').count(), 1, 'it is said once')
      assert.equal(await window.getByRole('alert').count(), 0)
      const [box, whole] = [await fault.boundingBox(), await window.boundingBox()]
      assert.ok(box !== null && whole !== null && box.y >= whole.y && box.y + box.height <= whole.y + whole.height, 'it is in view')
    })

  test('a record that someone else has changed in the meantime is not overwritten', async () => {
    const own = await permitWorld(stage.house)
    const made = await own.as('admin').post('/contractors/', { site_id: own.site_id, name: 'Hill Haulage' })
    const { page } = await stage.sit(own.as('admin'))
    await page.route('**/api/contractors/*', route =>
      route.request().method() === 'PATCH'
        ? route.continue({ headers: { ...route.request().headers(), 'if-match': '"99"' } })
        : route.continue(),
    )
    await page.goto(`${stage.url}/sites/${own.site_id}/contractors`)
    await page.getByRole('button', { name: 'Edit Hill Haulage' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel(/Telephone/).fill('020 7946 0000')
    await window.getByRole('button', { name: 'Save' }).click()
    await window.getByRole('alert').waitFor()
    assert.equal(await window.getByLabel(/Telephone/).inputValue(), '020 7946 0000', 'the text stays')
    assert.equal((await own.as('admin').get(`/contractors/?site_id=${own.site_id}&q=Hill`)).body[0].phone, null)
    assert.equal(made.status, 201)
  })
})
