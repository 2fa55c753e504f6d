// Text typed into a form that isn't sent yet: it stays on the device when the dialog is closed, the page is left or the app is reloaded.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { hold } from './hands.ts'
import { storedUser, useStage } from './kit.ts'

describe('text that is not sent yet', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`
  const restored = (page: Page) => page.getByText(/^You typed this .+ on this device\. It hasn’t been sent\.$/)

  /** Resolves once the device's store has as many forms as expected: then the text survives the end of the app. */
  const keptForms = async (page: Page, n: number) => {
    const count = `new Promise(done => {
      const opening = indexedDB.open('walkdown')
      opening.onsuccess = () => {
        const counting = opening.result.transaction('forms').objectStore('forms').count()
        counting.onsuccess = () => { opening.result.close(); done(counting.result) }
      }
    })`
    while ((await page.evaluate(count)) !== n) await page.waitForTimeout(30)
  }

  test('694 the reason of a return survives a closed dialog, another page and a reload; it is deleted once it was sent', async () => {
    const permit = await w.at('requested', { title: 'Cut the duct' })
    const other = await w.at('requested', { title: 'Cut the tray' })
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at(`permits/${permit.id}`))
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox')
    assert.equal(await restored(page).count(), 0, 'nothing was typed before')
    await field.fill('Name the spotter')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    assert.equal(await field.inputValue(), 'Name the spotter')
    await restored(page).waitFor()
    await keptForms(page, 1)

    await page.goto(at('board'))
    await page.goto(at(`permits/${other.id}`))
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    assert.equal(await field.inputValue(), '', 'each permit has its own text')
    await page.goto(at(`permits/${permit.id}`))
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    await restored(page).waitFor()
    await stage.axe(page)
    assert.equal(await field.inputValue(), 'Name the spotter')
    await field.fill('Name the spotter and the banksman')
    await dialog.getByRole('button', { name: 'Return for corrections' }).click()
    await page.getByText('Name the spotter and the banksman').first().waitFor()
    await keptForms(page, 0)
  })

  test('694 text can be deleted; another person on the same device never sees it', async () => {
    const permit = await w.at('requested', { title: 'Lift the fan' })
    const { page } = await stage.sit(w.as('coordinator'))
    const reject = async () => {
      await page.goto(at(`permits/${permit.id}`))
      await page.getByRole('button', { name: 'Reject' }).click()
      return page.getByRole('dialog').getByRole('textbox')
    }
    await (await reject()).fill('Wrong lift')
    await keptForms(page, 1)
    const become = (who: 'hse' | 'coordinator') => {
      const { key, value } = storedUser(stage.url, w.as(who))
      return page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`)
    }
    await become('hse')
    assert.equal(await (await reject()).inputValue(), '')
    await become('coordinator')
    // Signing out on the page of sites leaves what was not sent, like signing out anywhere else.
    const request = {
      name: 'new-1',
      who: 'someone',
      site_id: w.site_id,
      id: null,
      fields: {},
      unsent: {},
      made: null,
      at: 0,
      refused: null,
    }
    const inDrafts = (work: string) =>
      page.evaluate(`new Promise(done => {
        const opening = indexedDB.open('walkdown')
        opening.onsuccess = () => {
          const asked = opening.result.transaction('drafts', 'readwrite').objectStore('drafts').${work}
          asked.onsuccess = () => { opening.result.close(); done(asked.result) }
        }
      })`)
    await inDrafts(`put(${JSON.stringify(request)}, 'new-1')`)
    await page.goto(stage.url)
    await Promise.all([
      page.getByRole('button', { name: 'Sign out' }).click(),
      page.waitForRequest(/session\/end/),
      page.waitForEvent('load'),
    ])
    assert.equal(await inDrafts('count()'), 1)
    await become('coordinator')
    assert.equal(await (await reject()).inputValue(), 'Wrong lift')
    await page.getByRole('button', { name: 'Delete text' }).click()
    assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), '')
    await keptForms(page, 0)
    assert.equal(await (await reject()).inputValue(), '')
  })

  test('694 the note of a signature is kept in the wallet; confirmations of a close-out are asked again', async () => {
    const signed = await w.at('signed', { title: 'Fix the rail' })
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at(`wallet?permit=${signed.id}`))
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByLabel('Note').fill('Two fans on')
    await keptForms(page, 1)
    await page.reload()
    await restored(page).waitFor()
    assert.equal(await page.getByLabel('Note').inputValue(), 'Two fans on')
    await hold(page, page.getByRole('button', { name: 'Countersign' }), page.getByText('Signed, but the window hasn’t started'))
    assert.equal((await w.read(signed)).signatures.at(-1).note, 'Two fans on')
    await keptForms(page, 0)

    const live = await w.at('issued', { title: 'Grind the edge' })
    const back = await w.step(live, 'hand-back', w.receiver, { work_complete: true })
    assert.equal(back.status, 200, back.text)
    const { page: desk } = await stage.sit(w.as('hse'))
    await desk.goto(at(`permits/${live.id}`))
    await desk.getByRole('button', { name: 'Close out' }).click()
    const dialog = desk.getByRole('dialog')
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.check()
    await dialog.getByRole('textbox').fill('Swept')
    await keptForms(desk, 1)
    await desk.reload()
    await desk.getByRole('button', { name: 'Close out' }).click()
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'Swept')
    assert.equal(await dialog.locator('input:checked').count(), 0, 'confirmed at the time of signing, not before')
  })

  test('694 an extension request and its rejection keep their text', async () => {
    const live = await w.at('issued', { title: 'Dig the pit', categories: ['GEN'] })
    const { page } = await stage.sit(w.as('member'))
    await page.goto(at(`permits/${live.id}`))
    await page.getByRole('button', { name: 'Request extension' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Until').fill('2026-03-16T19:00')
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('The pump failed')
    await keptForms(page, 1)
    await page.reload()
    await page.getByRole('button', { name: 'Request extension' }).click()
    assert.equal(await dialog.getByLabel('Until').inputValue(), '2026-03-16T19:00')
    assert.equal(await dialog.getByRole('textbox', { name: /Reason/ }).inputValue(), 'The pump failed')
    await dialog.getByRole('button', { name: 'Request extension' }).click()
    await page.getByText('The pump failed').waitFor()
    await keptForms(page, 0)

    const { page: desk } = await stage.sit(w.as('hse'))
    await desk.goto(at(`permits/${live.id}`))
    await desk.getByRole('button', { name: 'Reject' }).click()
    await desk.getByRole('dialog').getByRole('textbox').fill('No light after 18:00')
    await keptForms(desk, 1)
    await desk.reload()
    await desk.getByRole('button', { name: 'Reject' }).click()
    assert.equal(await desk.getByRole('dialog').getByRole('textbox').inputValue(), 'No light after 18:00')
  })

  test('694 a permit type, a shift and a map label keep what was typed; a change by someone else is pointed out', async () => {
    const { page } = await stage.sit(w.as('admin'))
    const dialog = page.getByRole('dialog')
    await page.goto(at('settings/types'))
    await page.getByRole('button', { name: 'New type' }).click()
    await dialog.getByLabel('Code').fill('OOH')
    await dialog.getByLabel('Name', { exact: true }).fill('Out of hours')
    await dialog.getByRole('button', { name: 'Add pre-check' }).click()
    await dialog.getByLabel('Pre-checks 1').fill('Neighbours informed')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit Hot work' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Hot works')
    await keptForms(page, 2)
    const types = (await w.as('admin').get(`/permits/types?site_id=${w.site_id}`)).body as { id: string; code: string }[]
    const hot = types.find(one => one.code === 'HW') ?? assert.fail('no hot work')
    const changed = await w.as('admin').patch(`/permits/types/${hot.id}`, { name: 'Burning' })
    assert.equal(changed.status, 200, changed.text)
    await page.reload()
    await page.getByRole('button', { name: 'New type' }).click()
    await restored(page).waitFor()
    assert.deepEqual(
      [await dialog.getByLabel('Code').inputValue(), await dialog.getByLabel('Pre-checks 1').inputValue()],
      ['OOH', 'Neighbours informed'],
    )
    assert.equal(await dialog.getByText('Someone has changed these fields since then.', { exact: false }).count(), 0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Out of hours').waitFor()
    await page.getByRole('button', { name: 'Edit Burning' }).click()
    await dialog.getByText('Someone has changed these fields since then.', { exact: false }).waitFor()
    await stage.axe(page)
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Hot works')
    await dialog.getByRole('button', { name: 'Delete text' }).click()
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Burning')
    await keptForms(page, 0)

    await page.goto(at('settings/hours'))
    await page.getByRole('button', { name: 'Add shift' }).click()
    await dialog.getByLabel('Name').fill('Late')
    await keptForms(page, 1)
    await page.goto(at('settings/labels'))
    const form = page.getByRole('form', { name: 'Map labels' })
    await form.getByLabel('Size, pixels').first().fill('21')
    await keptForms(page, 2)
    await page.goto(at('settings/hours'))
    await page.getByRole('button', { name: 'Add shift' }).click()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Late')
    await page.goto(at('settings/labels'))
    await restored(page).waitFor()
    assert.equal(await form.getByLabel('Size, pixels').first().inputValue(), '21')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await keptForms(page, 1)
    assert.equal(await form.getByLabel('Size, pixels').first().inputValue(), '21')
  })
})
