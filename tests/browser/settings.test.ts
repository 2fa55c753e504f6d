import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: settings', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part: string) => `${stage.url}/sites/${w.site_id}/settings/${part}`
  const types = async () => (await w.as('hse').get(`/permits/types?site_id=${w.site_id}`)).body
  const config = async () => (await w.as('hse').get(`/permits/config?site_id=${w.site_id}`)).body
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('on a phone the open tab of the settings is in the middle, with more on both sides of it', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/settings/policy`)
    const tabs = page.getByRole('navigation', { name: 'Settings sections' })
    await tabs.getByRole('link', { name: 'Policy' }).waitFor()
    await page.getByLabel('Mark work without a permit').waitFor()
    const more = await tabs.getByRole('button', { name: 'More' }).boundingBox()
    assert.ok((more?.x ?? 999) < 370, `the next tab begins at ${more?.x} px`)
  })

  test('a type is created, changed with its pre-checks in order, retired, and restored', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('types'))
    await page.getByRole('button', { name: 'New type' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Code').fill('OOH')
    await window.getByLabel('Name', { exact: true }).fill('Out of hours')
    await window.getByLabel(/Usual duration/).fill('10')
    await window.getByLabel(/Single review/).check()
    await window.getByRole('button', { name: 'Add pre-check' }).click()
    await page.keyboard.type('Welfare open')
    await page.keyboard.press('Enter')
    const long = 'Areas below and on the other side of walls checked before the work, during it, and for an hour after it'
    await page.keyboard.type(long)
    const line = window.getByLabel('Pre-checks 2')
    assert.ok(
      await line.evaluate(one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight),
      'a long one is cut off',
    )
    await line.fill('Neighbours\n  told')
    assert.equal(await line.inputValue(), 'Neighbours told', 'each is one line')
    await window.getByRole('button', { name: 'Move Neighbours told up' }).click()
    await window.getByRole('button', { name: 'Add document' }).click()
    await page.keyboard.type('Letter to the neighbours')
    await window.getByText('Required to submit').click()
    await stage.axe(page)
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByText('10 hours · 2 pre-checks · 1 document · Single review').waitFor()
    const [made] = (await types()).filter((type: { code: string }) => type.code === 'OOH')
    assert.deepEqual(
      made.pre_checks.map((check: { label: string }) => check.label),
      ['Neighbours told', 'Welfare open'],
    )
    assert.deepEqual(made.expected_attachments, [{ key: 'letter_to_the_neighbours', label: 'Letter to the neighbours', required: true }])
    await page.getByRole('button', { name: 'Edit Out of hours' }).click()
    await window.getByRole('button', { name: 'Remove Welfare open' }).click()
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByText('10 hours · 1 pre-check · 1 document').waitFor()
    await page.getByRole('button', { name: 'Retire Out of hours' }).click()
    await page.getByText('Retired', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restore Out of hours' }).click()
    await page.getByRole('button', { name: 'Retire Out of hours' }).waitFor()
  })

  test('another person’s changes are not overwritten: the refusal is shown in the window', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('types'))
    await page.getByRole('button', { name: 'Edit Hot work' }).click()
    const hot = (await types()).find((type: { code: string }) => type.code === 'HW')
    await w.as('admin').patch(`/permits/types/${hot.id}`, { name: 'Hot works' })
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Burning')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    assert.equal((await types()).find((type: { code: string }) => type.code === 'HW').name, 'Hot works')
  })

  test('R1 without the list of types, nobody is appointed for all of them by accident: the window says that the list is missing', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.route(/\/api\/permits\/types/, route => route.abort('internetdisconnected'))
    await page.goto(at('appointments'))
    await page.getByRole('button', { name: 'Appoint' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await window.getByRole('button', { name: 'Appoint' }).count(), 0)
    await page.unroute(/\/api\/permits\/types/)
    await window.getByRole('button', { name: 'Try again' }).click()
    await window.getByLabel('Permit type').selectOption({ label: 'WAH Work at height' })
  })

  test('a person is already appointed for a type, and for all; revoking needs a long press, and the row stays among the past ones', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('appointments'))
    await page.getByRole('button', { name: 'Appoint' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Person').selectOption({ label: 'Rex Receiver' })
    await window.getByLabel('Permit type').selectOption({ label: 'WAH Work at height' })
    await window.getByRole('button', { name: 'Appoint' }).click()
    await stage.axe(page)
    const revoke = (name: string) => page.getByRole('button', { name })
    await hold(page, revoke('Revoke WAH for Rex Receiver'), page.getByText('1 revoked appointment'))
    await hold(page, revoke('Revoke All types for Ivy Issuer'), page.getByText('No one can issue permits yet'))
    assert.equal(await page.getByRole('button', { name: 'Appoint' }).count(), 1, 'an empty page offers it once')
    await page.getByText(/No one can issue .*HW/).waitFor()
    assert.ok((await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}`)).body.every((row: { revoked: boolean }) => row.revoked))
  })

  test('the policy is saved as a whole; a lead time outside 1 to 720 is not sent', async () => {
    const { body: hidden } = await w
      .as('hse')
      .put(`/permits/config?site_id=${w.site_id}`, { coverage_policy_enabled: true, activation_gap_lead_hours: 48 })
    const { page } = await stage.sit(w.as('hse'), { theme: 'dark' })
    await page.goto(at('policy'))
    assert.equal(await page.getByLabel(/Mark work without a permit/).isChecked(), true)
    await page.getByLabel(/Mark work without a permit/).uncheck()
    await page.getByLabel(/Warning before work starts without/).fill('12')
    await page.getByLabel(/No permits issued while close-outs are overdue/).check()
    await page.getByLabel('Nominee').selectOption({ label: 'Ivy Issuer' })
    const lead = page.getByLabel(/Warning before a permit ends/)
    await lead.fill('721')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal(await page.locator('input:out-of-range').count(), 1)
    assert.equal((await config()).version, hidden.version)
    await lead.fill('720')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await config()
    assert.deepEqual(
      [
        saved.close_out_gate_enabled,
        saved.coverage_policy_enabled,
        saved.activation_gap_lead_hours,
        saved.nominee_user_id,
        saved.expiring_warning_lead_hours,
      ],
      [true, false, 12, w.issuer.user_id, 720],
    )
    await stage.axe(page)
  })

  test('a regime shows what it changes before it is chosen, and does exactly that', async () => {
    const { page } = await stage.sit(w.as('hse'), { theme: 'outdoor' })
    await page.goto(at('regime'))
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Major hazard' }) })
    await card.getByText(/will need a parent permit: .*HW/).waitFor()
    await card.getByText('Work on the map without a permit will be marked.').waitFor()
    await stage.axe(page)
    await card.getByRole('button', { name: 'Apply Major hazard' }).click()
    await page
      .getByRole('dialog')
      .getByText(/will need a parent permit: .*HW/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply Major hazard' }).click()
    await card.getByText('Nothing.').waitFor()
    assert.equal((await config()).regime, 'major_hazard')
    assert.deepEqual(
      (await types()).filter((type: { requires_parent: boolean }) => !type.requires_parent).map((type: { code: string }) => type.code),
      ['GEN'],
    )
  })

  test('§1 the settings of a site without a location say what is missing with it, until it has one', async () => {
    const bare = await stage.house.world()
    const { page } = await stage.sit(bare.as('hse'))
    await page.goto(`${stage.url}/sites/${bare.site_id}/settings/site`)
    const note = page.getByText('This site has no location.', { exact: false })
    await note.waitFor()
    await stage.axe(page)
    const set = await bare.as('hse').patch(`/sites/${bare.site_id}`, { location: { lon: -0.05, lat: 51.5 } })
    assert.equal(set.status, 200, set.text)
    await page.reload()
    await page.getByText('No boundary yet.').waitFor()
    assert.equal(await note.count(), 0)
  })

  test('a person who can’t change settings has no link in the bar, and finds every button refused with the reason', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at('policy'))
    await page.getByRole('button', { name: 'Save' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true')
    await page.goto(at('appointments'))
    await page.getByRole('navigation', { name: 'Settings sections' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Appoint' }).count(), 0)
  })

  for (const [part, theme] of [
    ['types', 'dark'],
    ['appointments', 'outdoor'],
    ['policy', 'outdoor'],
    ['regime', 'light'],
  ] as const)
    test(`in ${part} on a phone in the ${theme} theme nothing is wider than the screen, axe finds nothing, and targets are 44 px`, async () => {
      const { page } = await stage.sit(w.as('hse'), { theme, width: 390 })
      await page.goto(at(part))
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      await page.locator('[data-row], .lines > li, form, article, .empty').first().waitFor()
      await fitsPhone(page)
      await stage.axe(page)
    })
})
