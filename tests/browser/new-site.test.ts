import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { World } from '../world.ts'
import { fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: creating a site and setting it up', () => {
  const stage = useStage()
  let w: World
  const at = (part: string) => `${stage.url}/sites/${w.site_id}/settings/${part}`
  const site = async () => (await w.as('admin').get(`/sites/${w.site_id}`)).body
  before(async () => {
    w = await stage.house.world({ name: 'Old Yard' })
    const [viewer] = (await w.as('hse').get(`/sites/${w.site_id}/members?role=viewer`)).body
    const rule = { site_id: w.site_id, name: 'To one person', event_kind: 'permit.submitted', title: 'Look', channels: ['in_app'] }
    const made = await w.as('hse').post('/notification-rules/', { ...rule, audience: [{ user_id: viewer.user_id }], enabled: true })
    assert.equal(made.status, 201, made.text)
  })

  for (const width of [390, 1440])
    test(`9.19 a superadmin without any site creates one, is led to its boundary and its administrator, even after a reload, and signs out, at ${width} px`, async () => {
      const { page } = await stage.sit(w.superadmin, { width })
      await page.goto(stage.url)
      await page.getByRole('link', { name: 'New site' }).click()
      await page.getByLabel('Site name').fill(`Riverside ${width}`)
      await page.getByLabel('Time zone').selectOption('Europe/Dublin')
      await page.getByLabel(/^Address/).fill('1 Quay Street\nDocklands')
      await page.getByLabel(/^Town/).fill('Dublin')
      await page.getByLabel(/^Country code/).fill('ie')
      await page.getByLabel('Settings').selectOption('Old Yard')
      if (width === 390) await fitsPhone(page)
      await stage.axe(page)
      await page.getByRole('button', { name: 'Create site' }).click()
      await page.getByText(`Riverside ${width} has been created`).waitFor()
      await page.getByText('These rules are switched off here').waitFor()
      await page.getByText(/To one person: recipient 1 isn’t an active member/).waitFor()
      await page.getByText('The site starts with the types of Old Yard.').waitFor()
      await page.reload()
      await page.getByText(`Riverside ${width} has been created`).waitFor()
      await page.getByText('The site starts with the types of Old Yard.').waitFor()
      assert.equal(await page.getByLabel('Site name').count(), 0, 'a reload shows the site, not the empty form')
      if (width === 390) await fitsPhone(page)
      await stage.axe(page)
      await page.getByRole('link', { name: /Invite the site’s administrator/ }).click()
      const window = page.getByRole('dialog')
      assert.equal(await window.getByLabel('Role').inputValue(), 'admin')
      await window.getByLabel('Email address').fill(`ada${width}@example.com`)
      await window.getByRole('button', { name: 'Send' }).click()
      await window.getByText('No mail server: copy this link').waitFor()
      await window.getByRole('button', { name: 'Close' }).click()
      await page.goto(stage.url)
      const made = (await w.superadmin.get('/sites/?q=Riverside')).body.find((one: { name: string }) => one.name === `Riverside ${width}`)
      assert.deepEqual(
        [made.timezone, made.address_lines, made.locality, made.country_code],
        ['Europe/Dublin', ['1 Quay Street', 'Docklands'], 'Dublin', 'IE'],
      )
      const asked = page.waitForRequest(/\/oidc\/session\/end/)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await asked
      await page.waitForURL(`${stage.url}/`)
    })

  test('9.19 a site’s details are changed; permit numbers are explained; the main contractor is chosen', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('site'))
    const form = page.getByRole('form', { name: 'Site' })
    await form.getByLabel('Site name').fill('New Yard')
    await form.getByLabel('Emergency phone').fill('+44 20 7946 0999')
    await form.getByLabel('Country code').fill('ie')
    await form.getByLabel('Code', { exact: true }).fill('new yd')
    await form.getByRole('button', { name: 'Save' }).click()
    await form
      .getByText(/contain only capital letters from A to Z, digits and hyphens/)
      .first()
      .waitFor({ timeout: 10_000 })
    await form.getByLabel('Code', { exact: true }).fill('new-yd')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByText(/PTW-000001/).waitFor()
    await page.getByRole('combobox', { name: 'Main contractor' }).selectOption({ index: 1 })
    await page.getByText('Main contractor saved').waitFor()
    await stage.axe(page)
    const now = await site()
    assert.deepEqual([now.name, now.emergency_phone, now.country_code, now.code], ['New Yard', '+44 20 7946 0999', 'IE', 'NEW-YD'])
    assert.ok(now.main_contractor_id)
  })

  test('9.19 a shift is added, changed and ended; working days and holidays are set', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('hours'))
    await page.getByRole('button', { name: 'Add shift' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Name').fill('Late')
    await window.getByLabel('Starts', { exact: true }).fill('14:00')
    await window.getByLabel('Ends', { exact: true }).fill('22:00')
    await stage.axe(page)
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByText('14:00–22:00').waitFor()
    await page.getByRole('button', { name: 'Change Late' }).click()
    await window.getByLabel('Ends', { exact: true }).fill('21:00')
    await window.getByLabel('Valid from').fill('2026-03-18')
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByText('14:00–21:00').waitFor()
    await page.getByRole('region', { name: 'Working days', exact: true }).getByLabel('Sat').check()
    await page.getByText('Saved').first().waitFor()
    const free = page.getByRole('region', { name: 'Non-working days' })
    await free.getByLabel('Day', { exact: true }).fill('2026-04-03')
    await free.getByLabel('Name').fill('Good Friday')
    await free.getByRole('button', { name: 'Add day' }).click()
    await free.getByText('Good Friday').waitFor()
    await stage.axe(page)
    assert.deepEqual((await site()).work_weekdays, [1, 2, 3, 4, 5, 6])
    await hold(page, page.getByRole('button', { name: 'End Late' }).first(), page.getByText('Late no longer applies from tomorrow.'))
  })

  test('9.19 a site is locked with a reason and unlocked', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('site'))
    await page.getByLabel('Reason').fill('Handed over')
    await hold(page, page.getByRole('button', { name: /Lock site/ }), page.getByText(/Locked since .*Handed over/))
    await page.getByLabel('Reason').fill('Snagging')
    await hold(
      page,
      page.getByRole('button', { name: /Unlock site/ }),
      page.getByText(/^On a locked site, permits can still be handed back/),
    )
  })

  test('9.19 at most six tabs of the settings are visible; the others are one tap away', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('site'))
    const bar = page.getByRole('navigation', { name: 'Settings sections' })
    assert.ok((await bar.locator('> *').count()) <= 6)
    await bar.getByRole('button', { name: 'More' }).click()
    await bar.getByRole('link', { name: 'Map labels' }).click()
    await page.getByRole('heading', { name: 'Labelled features' }).waitFor()
    await stage.axe(page)
  })

  for (const part of ['site', 'hours', 'labels'])
    test(`9.19 the settings part ${part} fits a phone`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width: 390 })
      await page.goto(at(part))
      await page.locator('main form, main .panel, main .lines').first().waitFor()
      await fitsPhone(page)
      await stage.axe(page)
    })
})
