// Text typed into a form that isn't sent yet: it stays on the device when the dialog is closed, the page is left or the app is reloaded.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { hold } from './hands.ts'
import { storedUser, useStage } from './kit.ts'
import { waitKey } from './stored.ts'

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
    /** As a sign-in does: stores the person, and brings their key. */
    const become = async (who: 'hse' | 'coordinator') => {
      const { key, value } = storedUser(stage.url, w.as(who))
      await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`)
      await page.goto(stage.url)
      await waitKey(page, w.as(who).user_id)
    }
    await become('hse')
    assert.equal(await (await reject()).inputValue(), '')
    await become('coordinator')
    // Signing out on the page of sites keeps what was not sent, as signing out anywhere else does.
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
    await page.getByRole('button', { name: 'Edit Title' }).click()
    await dialog.getByLabel('Size, pixels').fill('21')
    await keptForms(page, 2)
    await page.goto(at('settings/hours'))
    await page.getByRole('button', { name: 'Add shift' }).click()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Late')
    await page.goto(at('settings/labels'))
    await page.getByRole('button', { name: 'Edit Title' }).click()
    await restored(page).waitFor()
    assert.equal(await dialog.getByLabel('Size, pixels').inputValue(), '21')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await keptForms(page, 1)
    await page.getByText('Bold · 21 px').waitFor()
  })

  test('741 a rule, a contractor, an invitation, the policy and the details of the site keep what was typed', async () => {
    const { page } = await stage.sit(w.as('admin'))
    const dialog = page.getByRole('dialog')
    const reopened = async (path: string, open: () => Promise<unknown> = async () => undefined) => {
      await page.goto(at(path))
      await open()
    }

    await reopened('contractors', () => page.getByRole('button', { name: 'New contractor' }).click())
    await dialog.getByLabel('Contractor name').fill('Quay Cranes')
    await dialog.getByLabel('Trades').fill('lifting, rigging')
    await keptForms(page, 1)
    await reopened('members', () => page.getByRole('button', { name: 'Invite by email' }).click())
    await dialog.getByLabel('Email').fill('pia@example.com')
    await dialog.getByLabel('Role').selectOption({ label: 'viewer' })
    await dialog.getByLabel('Message').fill('See you at gate B')
    await keptForms(page, 2)
    await reopened('members', () => page.getByRole('button', { name: 'Create link or poster' }).click())
    await dialog.getByLabel('Purpose').fill('Gate poster')
    await keptForms(page, 3)
    await reopened('settings/policy')
    await page.getByLabel('Warning before a permit ends, hours').fill('36')
    await keptForms(page, 4)
    await reopened('settings/site')
    const details = page.getByRole('form', { name: 'Site', exact: true })
    await details.getByLabel('Emergency phone').fill('0113 496 0000')
    await keptForms(page, 5)
    await reopened('settings/rules/new')
    await page.getByLabel('Rule name').fill('Hot work at night')
    await page.getByLabel('Event', { exact: true }).selectOption({ label: 'A permit was submitted' })
    await page.getByRole('button', { name: 'Add condition' }).click()
    const line = page.getByRole('group', { name: 'Condition 1', exact: true })
    await line.getByLabel('Field', { exact: true }).selectOption('categories')
    await line.getByLabel(/^HW /).check()
    await page.getByRole('combobox', { name: 'Add to: Recipients' }).selectOption({ label: 'Everyone with the role H&S' })
    await page.getByRole('button', { name: 'Add to: Recipients' }).click()
    await page.getByLabel('Switch on now').check()
    await keptForms(page, 6)

    // Each form is complete again, and saving it makes the device forget it.
    await page.reload()
    await restored(page).waitFor()
    assert.equal(await page.getByText('Someone has changed these fields since then.', { exact: false }).count(), 0)
    assert.equal(await page.getByLabel('Rule name').inputValue(), 'Hot work at night')
    assert.ok(await line.getByLabel(/^HW /).isChecked())
    assert.ok(await page.getByLabel('Switch on now').isChecked())
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 1', { exact: true }).waitFor()
    const [rule] = (await w.as('hse').get(`/notification-rules/?site_id=${w.site_id}&source=site`)).body
    assert.deepEqual(
      [rule.name, rule.enabled, rule.when, rule.audience],
      ['Hot work at night', true, { all: [{ field: 'categories', op: 'overlaps', value: ['HW'] }] }, [{ role: 'hse' }]],
    )
    await keptForms(page, 5)
    await reopened('contractors', () => page.getByRole('button', { name: 'New contractor' }).click())
    await restored(page).waitFor()
    assert.equal(await dialog.getByLabel('Trades').inputValue(), 'lifting, rigging')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Quay Cranes').first().waitFor()
    await keptForms(page, 4)
    await reopened('members', () => page.getByRole('button', { name: 'Invite by email' }).click())
    await restored(page).waitFor()
    assert.deepEqual(
      [
        await dialog.getByLabel('Email').inputValue(),
        await dialog.getByLabel('Role').inputValue(),
        await dialog.getByLabel('Message').inputValue(),
      ],
      ['pia@example.com', 'viewer', 'See you at gate B'],
    )
    await dialog.getByRole('button', { name: 'Send' }).click()
    await keptForms(page, 3)
    await reopened('members', () => page.getByRole('button', { name: 'Create link or poster' }).click())
    assert.equal(await dialog.getByLabel('Purpose').inputValue(), 'Gate poster')
    await dialog.getByRole('button', { name: 'Create link or poster' }).click()
    await keptForms(page, 2)
    const [site] = await Promise.all([w.as('admin').get(`/sites/${w.site_id}`)])
    const elsewhere = await w.as('admin').patch(`/sites/${w.site_id}`, { emergency_phone: '999' }, { 'if-match': `"${site.body.version}"` })
    assert.equal(elsewhere.status, 200, elsewhere.text)
    await reopened('settings/site')
    await details.getByText('Someone has changed these fields since then.', { exact: false }).waitFor()
    assert.equal(await details.getByLabel('Emergency phone').inputValue(), '0113 496 0000')
    await details.getByRole('button', { name: 'Save' }).click()
    await keptForms(page, 1)
    assert.equal((await w.as('admin').get(`/sites/${w.site_id}`)).body.emergency_phone, '0113 496 0000')
    await reopened('settings/policy')
    await restored(page).waitFor()
    assert.equal(await page.getByLabel('Warning before a permit ends, hours').inputValue(), '36')
    await page.getByRole('button', { name: 'Delete text' }).click()
    assert.equal(await page.getByLabel('Warning before a permit ends, hours').inputValue(), '24')
    await keptForms(page, 0)
  })
})
