import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: the audit log', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (query = '') => `${stage.url}/sites/${w.site_id}/audit${query}`
  const contractor = async () => (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&id=${w.acme}`)).body[0]
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('issued')
    const { version } = await contractor()
    await w.as('coordinator').patch(`/contractors/${w.acme}`, { name: 'Acme Steelworks Ltd' }, { 'if-match': `"${version}"` })
  })

  test('an entry is shown field by field and can be reverted; a preview shows the change before it is made', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    const before_it = (await contractor()).name
    assert.equal(before_it, 'Acme Steelworks Ltd')
    await page.goto(at('?kind=contractor&done=update'))
    await page
      .getByRole('button', { name: /^View: .*Acme/ })
      .first()
      .click()
    const window = page.getByRole('dialog')
    await window.getByText('Acme Steelworks Ltd', { exact: true }).first().waitFor()
    await stage.axe(page)
    await window.getByLabel('Reason').fill('Renamed the wrong contractor')
    await window.getByRole('button', { name: 'Preview revert' }).click()
    await window.getByText(/fields? would change/).waitFor()
    assert.equal((await contractor()).name, before_it)
    await window.getByRole('button', { name: 'Revert', exact: true }).click()
    await page.getByText('The change has been reverted. The audit log has a new entry for the revert.').waitFor()
    assert.notEqual((await contractor()).name, before_it)
  })

  test('a change that can’t be reverted shows the reason', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at('?kind=permit&done=transition'))
    await page
      .getByRole('button', { name: /^View: / })
      .first()
      .click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true })
    await button.waitFor()
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    const why = await page.getByRole('dialog').locator('.because').textContent()
    assert.ok((why ?? '').length > 10)
  })

  test('filters narrow the list and are kept in the URL; the CSV contains the filtered entries', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at())
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    await page.getByLabel('Record type', { exact: true }).selectOption({ label: 'Appointment' })
    await page.waitForURL(/kind=permit_appointment/)
    await page.getByRole('button', { name: /^View: .*Ivy Issuer for all types/ }).waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = readFileSync(await (await saving).path(), 'utf8')
    assert.match(text, /permit_appointment/)
    assert.doesNotMatch(text, /,contractor,/)
    const gang = { name: 'Night fixers', trade: 'Fixer', end_at: '2026-03-16T17:00:00.000Z', place: { point: { lon: -0.02, lat: 51.505 } } }
    const made = await w.as('admin').post('/workers/', { site_id: w.site_id, ...gang })
    assert.equal(made.status, 201, made.text)
    await page.getByLabel('Record type', { exact: true }).selectOption({ label: 'Worker or gang' })
    await page.getByRole('button', { name: /^View: .*Night fixers/ }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('navigation', { name: 'Days' }).getByRole('button').first().click()
    await page.waitForURL(/day=2026-03-16/)
  })

  test('verifying reports that the audit log is complete, then that it still contains the recorded entry; a changed row is pointed out', async () => {
    const { page } = await stage.sit(w.as('admin'), { theme: 'dark' })
    await page.goto(at())
    const check = page.getByRole('button', { name: 'Verify the audit log' })
    await check.click()
    await page.getByText(/Verified: the audit log is intact/).waitFor()
    await page.getByText('This device has recorded the latest entry').waitFor()
    await stage.axe(page)
    await check.click()
    await page.getByText('The log also matches the last verification on this device.').waitFor()
    await page.evaluate(`localStorage.setItem('walkdown.chain.${w.site_id}', '3;${'0'.repeat(64)}')`)
    await check.click()
    await page.getByText('The audit log doesn’t match the last verification on this device.').waitFor()
  })

  test('a person without access to the audit log has no link to it, and its page says so', async () => {
    const { page } = await stage.sit(w.as('member'))
    await page.goto(at())
    await page.getByRole('heading', { name: 'You can’t open this page' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Audit log', exact: true }).count(), 0)
  })

  test('on a phone in the outdoor theme nothing is wider than the screen, and axe finds nothing', async () => {
    const { page } = await stage.sit(w.as('admin'), { theme: 'outdoor', width: 390 })
    await page.goto(at())
    await page
      .getByRole('button', { name: /^View: / })
      .first()
      .waitFor()
    await fitsPhone(page)
    await stage.axe(page)
  })
})
