import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, hold, holdByKey, press, reach } from './hands.ts'
import { useStage } from './kit.ts'

/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

describe('the app: people and contractors', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (page: 'members' | 'contractors') => `${stage.url}/sites/${w.site_id}/${page}`
  const members = async (status = 'active') => (await w.as('admin').get(`/sites/${w.site_id}/members?status=${status}`)).body
  const contractors = async () => (await w.as('admin').get(`/contractors/?site_id=${w.site_id}`)).body
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('issued')
    const link = (
      await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', contractor_choice: true, approval: 'required' })
    ).body
    const stranger = await w.stranger()
    const came = await stranger.post(`/invite-links/accept/${link.token}`, { contractor_name: 'Harbour Rigging' })
    assert.ok(came.status < 300, came.text)
  })

  test('a membership request is approved, and the typed contractor is created with it', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('members'))
    await page.getByRole('button', { name: /^Approve / }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Create contractor “Harbour Rigging”').waitFor()
    await stage.axe(page)
    await window.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText(/ is now a member\.$/).waitFor()
    assert.ok((await contractors()).some((contractor: { name: string }) => contractor.name === 'Harbour Rigging'))
    await page.getByRole('region', { name: 'Membership requests' }).waitFor({ state: 'detached' })
  })

  for (const width of [390, 1440])
    test(`§4 people are invited from the top of the page, however many are on the site, at ${width} px; closed, the window gives the focus back`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width })
      await page.goto(at('members'))
      await page.getByText(/^\d+ people$/).waitFor()
      for (const name of ['Invite by email', 'Create link or poster']) {
        const button = page.getByRole('button', { name, exact: true })
        const box = await button.boundingBox()
        assert.ok((box?.y ?? 999) + (box?.height ?? 0) < 400, `${name} ends at ${(box?.y ?? 0) + (box?.height ?? 0)} px`)
        await button.click()
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        assert.ok(await button.evaluate(one => one === document.activeElement), name)
      }
    })

  test('§4 a person sees that their request waits for approval, and withdraws it', async () => {
    const { body: link } = await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })
    const asks = await w.stranger()
    assert.equal((await asks.post(`/invite-links/accept/${link.token}`, {})).body.status, 'pending')
    const { page } = await stage.sit(asks, { width: 390 })
    await page.goto(stage.url)
    await page.getByText('Waiting for approval').waitFor()
    const { height = 0 } = (await page.locator('.site-row .strong').boundingBox()) ?? {}
    assert.ok(height > 0 && height < 60, `the name of the site has room next to what the person can do: ${height} px`)
    await stage.axe(page)
    await fitsPhone(page)
    await hold(
      page,
      page.getByRole('button', { name: 'Withdraw request' }),
      page.getByText(/^Your request to join .+ has been withdrawn\.$/),
    )
    await page.getByText('You’re not on a site yet.', { exact: false }).waitFor()
    assert.deepEqual((await asks.get('/auth/me')).body.memberships, [])
  })

  test('a member gets another role; ending a membership shows the person’s responsibilities, and needs a long press', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('members'))
    await page.getByRole('searchbox', { name: 'Name, role or contractor' }).fill('rex')
    await page.getByRole('button', { name: 'Change Rex Receiver' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Role').selectOption({ label: 'contractor’s H&S' })
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'contractor’s H&S' }).waitFor()
    await page.getByRole('button', { name: 'Remove Rex Receiver' }).click()
    await window.getByText(/Receiving 1 permit: /).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Name, role or contractor' }).fill('ivy')
    await page.getByRole('button', { name: 'Remove Ivy Issuer' }).click()
    await window.getByText('Issuing permits: All types').waitFor()
    await hold(page, window.getByRole('button', { name: /^Remove/ }), page.getByText('Ivy Issuer has been removed from the site.'))
    assert.ok((await members('ended')).some((one: { user_id: string }) => one.user_id === w.issuer.user_id))
    await page.getByLabel('Show former members').check()
    await page.getByText('Ivy Issuer', { exact: true }).waitFor()
  })

  test('an invitation by email says for which contractor it is, and can be sent again and revoked; a link is shown once, with its QR code', async () => {
    const { page } = await stage.sit(w.as('admin'), { theme: 'dark' })
    await page.goto(at('members'))
    await page.getByRole('button', { name: 'Invite by email' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Email address').fill('nora@example.com')
    await window.getByLabel(/^Name/).fill('Nora New')
    const contractors = window.getByLabel('Contractor')
    await contractors.selectOption({ index: 1 })
    const contractor = await contractors.evaluate(list => (list instanceof HTMLSelectElement ? list.selectedOptions[0]?.text : undefined))
    await window.getByRole('button', { name: 'Send' }).click()
    await page.getByText('No mail server: copy this link').waitFor()
    await window.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Nora New', { exact: true }).waitFor()
    await page.getByText(new RegExp(` · ${contractor} · nora@example.com · until`)).waitFor()
    const again = page.getByRole('button', { name: 'Send again: Nora New' })
    await again.waitFor()
    assert.deepEqual(
      [await again.getAttribute('aria-disabled'), /Wait a minute/.test((await again.getAttribute('title')) ?? '')],
      ['true', true],
    )
    stage.house.clock('2026-03-16T09:02:00.000Z')
    await page.reload()
    await again.click()
    await page.getByText('No mail server: copy this link').waitFor()
    await window.getByRole('button', { name: 'Close' }).click()
    await hold(
      page,
      page.getByRole('button', { name: 'Revoke: Nora New' }),
      page.getByText('The invitation for Nora New has been revoked.'),
    )
    await page.getByRole('button', { name: 'Create link or poster' }).click()
    await window.getByLabel(/Purpose/).fill('Gate poster')
    await window.getByLabel('Maximum number of uses').fill('20')
    await window.getByRole('button', { name: 'Create link or poster' }).click()
    await window.getByRole('img', { name: 'Invitation QR code' }).waitFor()
    assert.match(await window.getByLabel('Link', { exact: true }).inputValue(), /\/join#/)
    await stage.axe(page)
    await window.getByRole('button', { name: 'Close' }).click()
    await page.getByText('0 of 20 used').waitFor()
  })

  test('a contractor with a similar name gives a warning; a contractor can be edited, engage another, get a logo, leave and be deleted', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('contractors'))
    await page.getByRole('button', { name: 'New contractor' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Contractor name').fill('Harbour Rigging GmbH')
    await window.getByRole('button', { name: 'Save' }).click()
    await window.getByText(/is similar to Harbour Rigging/).waitFor()
    await window.getByRole('button', { name: 'It’s a different contractor: create it' }).click()
    await page.getByRole('button', { name: 'Edit Harbour Rigging GmbH' }).waitFor()
    await page.getByRole('button', { name: 'Edit Harbour Rigging GmbH' }).click()
    await window.getByLabel(/Trades/).fill('rigging, lifting')
    await window.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/rigging · lifting/).waitFor()
    await page.getByRole('button', { name: 'Subcontractors of Harbour Rigging GmbH' }).click()
    await window.getByLabel('Harbour Rigging', { exact: true }).check()
    await stage.axe(page)
    await window.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Engages Harbour Rigging', { exact: true }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Harbour Rigging GmbH' })
    await row.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PIXEL })
    await row.locator('img.logo').waitFor()
    await page.getByRole('button', { name: 'Subcontractors of Harbour Rigging GmbH' }).click()
    await window.getByLabel('Harbour Rigging', { exact: true }).uncheck()
    await window.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Mark as left: Harbour Rigging GmbH' }).click()
    await page.getByLabel('Show contractors that have left').check()
    await hold(
      page,
      page.getByRole('button', { name: 'Delete Harbour Rigging GmbH' }),
      page.getByText('Harbour Rigging GmbH has been deleted.'),
    )
    assert.equal(
      (await contractors()).some((contractor: { name: string }) => contractor.name === 'Harbour Rigging GmbH'),
      false,
    )
  })

  test('§6 if the pairs can’t be loaded, the page and the window say so, and nobody seems to oversee nobody', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.route(/\/api\/contractors\/oversight/, route => route.abort('internetdisconnected'))
    await page.goto(at('contractors'))
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page
      .getByRole('button', { name: /^Subcontractors of/ })
      .first()
      .click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await window.getByRole('checkbox').count(), 0)
    await page.unroute(/\/api\/contractors\/oversight/)
    await window.getByRole('button', { name: 'Try again' }).click()
    await window.getByRole('checkbox').first().waitFor()
  })

  for (const width of [390, 1440])
    test(`§6 the contractors’ page shows as a tree which contractor oversees which, and how far that reaches; a contractor that looks like another gets a colour that nobody has, at ${width} px`, async () => {
      const own = await permitWorld(stage.house)
      const admin = own.as('admin')
      const [acme, bauer, cedar] = [own.acme, await own.contractor('Bauer & Söhne GmbH'), await own.contractor('Cedar')] as const
      for (const [over, under] of [
        [acme, bauer],
        [bauer, cedar],
      ] as const)
        assert.equal((await admin.post(`/contractors/${over}/oversight`, { subordinate_id: under })).status, 201)
      const { page } = await stage.sit(admin, { width })
      await page.goto(`${stage.url}/sites/${own.site_id}/contractors`)
      const tree = page.getByRole('region', { name: 'Who oversees which contractor' })
      await tree.locator('.branches .branches .branches').getByText('Cedar').waitFor()
      await tree.getByText('the contractors right below it', { exact: false }).waitFor()
      const reaches = tree.getByLabel('Oversight reaches subcontractors of subcontractors')
      await press(page, reaches, 'Space')
      await tree.getByText('all contractors below it', { exact: false }).waitFor()
      // What is disabled while it is being saved has the focus again: the keyboard goes on from there.
      await page.locator('input:focus').and(reaches).waitFor()
      await tree.scrollIntoViewIfNeeded()
      await stage.axe(page)
      assert.equal((await admin.get(`/sites/${own.site_id}`)).body.oversight_transitive, true)
      await page.getByRole('button', { name: 'Edit Bauer & Söhne GmbH' }).click()
      const window = page.getByRole('dialog')
      await window.getByText('These look alike: Bauer & Söhne GmbH, Acme Scaffolding Ltd').waitFor()
      await window.getByText('These look alike', { exact: false }).scrollIntoViewIfNeeded()
      await stage.axe(page)
      await window.getByRole('radio', { name: 'Colour 1' }).check({ force: true })
      await window.getByText('These look alike', { exact: false }).waitFor({ state: 'detached' })
      await window.getByRole('button', { name: 'Save' }).click()
      await window.waitFor({ state: 'detached' })
      const now = (await admin.get(`/contractors/?site_id=${own.site_id}`)).body
      assert.deepEqual(
        now.map((one: { similar_to: string[] }) => one.similar_to),
        now.map(() => []),
      )
    })

  test('a member sees the people of the site, and can change nobody; they can only leave', async () => {
    const { page } = await stage.sit(w.as('member'))
    await page.goto(at('members'))
    await page.getByText(/^\d+ people$/).waitFor()
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .waitFor() // the heading is there before the rows have their buttons
    assert.equal(await page.getByRole('button', { name: /^Remove / }).count(), 1)
    assert.equal(await page.getByRole('button', { name: /^Change / }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Invite by email' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'People', exact: true }).count(), 0, 'no tab')
  })

  test('by keyboard alone a role is changed, an invitation sent and revoked, a membership ended, and a contractor created and marked as left', async () => {
    const { page } = await stage.sit(w.as('admin'))
    const type = (text: string) => page.keyboard.type(text)
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const window = page.getByRole('dialog')
    const leaver = await w.join('viewer', null, 'Lena Leaver')
    await page.goto(at('members'))
    await press(page, button('Change Lena Leaver'))
    await reach(page, window.getByLabel('Role'))
    await type('client')
    await press(page, window.getByRole('button', { name: 'Save' }))
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await members()).find((one: { user_id: string }) => one.user_id === leaver.user_id).role, 'client')
    await page.waitForFunction(`document.activeElement?.getAttribute('aria-label') === 'Change Lena Leaver'`)

    await press(page, button('Remove Lena Leaver'))
    await window.getByText('Lena Leaver', { exact: false }).first().waitFor()
    await holdByKey(page, window.getByRole('button', { name: /^Remove/ }), page.getByText('Lena Leaver has been removed from the site.'))
    assert.ok((await members('ended')).some((one: { user_id: string }) => one.user_id === leaver.user_id))

    await press(page, button('Invite by email'))
    await reach(page, window.getByLabel('Email address'))
    await type('karl@example.com')
    await reach(page, window.getByLabel(/^Name/))
    await type('Karl Key')
    await reach(page, window.getByLabel('Contractor'))
    await type('Acme')
    await press(page, window.getByRole('button', { name: 'Send' }))
    await page.getByText('No mail server: copy this link').waitFor()
    await page.keyboard.press('Escape')
    await holdByKey(page, button('Revoke: Karl Key'), page.getByText('The invitation for Karl Key has been revoked.'))

    await press(page, page.getByRole('link', { name: 'Contractors', exact: true }))
    await press(page, button('New contractor'))
    await reach(page, window.getByLabel('Contractor name'))
    await type('Quiet Cranes')
    await page.keyboard.press('Enter')
    await button('Edit Quiet Cranes').waitFor()
    await press(page, button('Mark as left: Quiet Cranes'))
    await press(page, page.getByLabel('Show contractors that have left'), 'Space')
    await holdByKey(page, button('Delete Quiet Cranes'), page.getByText('Quiet Cranes has been deleted.'))
    assert.equal(
      (await contractors()).some((contractor: { name: string }) => contractor.name === 'Quiet Cranes'),
      false,
    )
  })

  for (const theme of ['light', 'dark', 'outdoor'])
    test(`on a phone in the ${theme} theme nothing is wider than the screen, and axe finds nothing, in lists and windows`, async () => {
      const { page } = await stage.sit(w.as('admin'), { theme, width: 390 })
      for (const part of ['members', 'contractors'] as const) {
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(at(part))
        await page.locator('[data-row]').first().waitFor()
        await fitsPhone(page)
        await stage.axe(page)
        await page
          .getByRole('button', { name: part === 'members' ? /^Change / : /^Edit / })
          .first()
          .click()
        await page.getByRole('dialog').waitFor()
        await stage.axe(page)
      }
    })
})
