import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sendMails } from '../outbox.ts'
import { PASSPHRASE, personWithAccount } from '../provider.ts'
import type { Caller, World } from '../world.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: joining a site with an invitation', () => {
  // Real sign-ins: the provider uses the real time. Each person has their own network address, because public calls are limited by address.
  const stage = useStage({ CLOCK: 'system', TRUST_PROXY: '1' })
  let seats = 0
  const sit = async (who: Caller | null, options: { width?: number } = {}) => {
    const seat = await stage.sit(who, options)
    await seat.page.setExtraHTTPHeaders({ 'x-forwarded-for': `10.1.1.${++seats}` })
    return seat
  }
  let w: World
  const admin = () => w.as('admin')
  const invite = async (email: string, more: Record<string, unknown> = {}) => {
    const answer = await admin().post(`/invites/sites/${w.site_id}`, { email, role: 'member', ...more })
    assert.equal(answer.status, 201, answer.text)
    return answer.body as { id: string; version: number; join_url: string }
  }
  const poster = async (more: Record<string, unknown> = {}) => {
    const answer = await admin().post(`/invite-links/sites/${w.site_id}`, { role: 'member', ...more })
    assert.equal(answer.status, 201, answer.text)
    return answer.body as { id: string; version: number; url: string }
  }
  const signInAs = async (page: Page, email: string) => {
    await page.waitForURL(/\/oidc\/sign-in/)
    await page.getByLabel('Email address').or(page.getByLabel('Email address')).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  before(async () => {
    w = await stage.house.world({ name: 'Riverside Quarter' })
  })

  for (const width of [390, 1440])
    test(`9.18 an invitation leads to a page that says who invites, creates the account and lets the person in, at ${width} px`, async () => {
      const email = `nora${width}@example.com`
      const { join_url } = await invite(email, { name: 'Nora New' })
      const { page } = await sit(null, { width })
      await page.goto(join_url)
      await page.getByText(/^Ada Admin invites you to join$|invites you to join$/).waitFor()
      await page.getByRole('heading', { name: 'Riverside Quarter' }).waitFor()
      await page.getByText('n***@example.com').waitFor()
      if (width === 390) await fitsPhone(page)
      await stage.axe(page)
      await page.getByLabel('Your name').fill('Nora New')
      await page.getByLabel('Choose a password').fill('short')
      await page.getByRole('button', { name: 'Create an account' }).click()
      // The hint says it, too: what is wrong is said once, and the focus is on the field.
      await page.locator('.fault', { hasText: /15 characters/ }).waitFor()
      assert.equal(await page.getByRole('alert').count(), 0, 'the fault of the password is said once')
      await page.locator('input[type=password]:focus').waitFor()
      await page.getByLabel('Choose a password').fill(PASSPHRASE)
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.getByText('Your account is ready').waitFor()
      await page.getByRole('button', { name: 'Sign in and join' }).click()
      await signInAs(page, email)
      await page.getByText('You have joined Riverside Quarter').waitFor()
      await stage.axe(page)
      await page.getByRole('button', { name: 'Open the site' }).click()
      await page.waitForURL(new RegExp(`/sites/${w.site_id}/today`))
    })

  test('9.18 a person with an account signs in from the invitation and has joined on return', async () => {
    await personWithAccount(stage.house, 'Paul Present', 'paul@example.com')
    const { url } = await poster()
    const { page } = await sit(null, { width: 390 })
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in to an existing account' }).click()
    await signInAs(page, 'paul@example.com')
    await page.getByText('You have joined Riverside Quarter').waitFor()
  })

  test('9.18 with a poster, people choose their contractor; they wait for approval, and the page says so', async () => {
    const { url } = await poster({ contractor_choice: true })
    const lee = await stage.house.person('Lee Late', { email: 'lee@example.com' })
    const { page } = await sit(lee, { width: 390 })
    await page.goto(url)
    await page.getByText('You are signed in as Lee Late (lee@example.com).').waitFor()
    await page.getByLabel('Your contractor').selectOption('other')
    await page.getByLabel('Contractor’s name').fill('Harbour Rigging')
    await stage.axe(page)
    await page.getByRole('button', { name: 'Join Riverside Quarter' }).click()
    await page.getByText('You are waiting for approval').waitFor()
  })

  test('9.18 without a mail server, a new account from a poster is never promised an email', async () => {
    const { url } = await poster()
    const { page } = await sit(null, { width: 390 })
    await page.goto(url)
    await page.getByLabel('Your name').fill('Pia Poster')
    await page.getByLabel('Email address').fill('pia@example.com')
    await page.getByLabel('Choose a password').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText('No mail server is set up').waitFor()
    await page.getByText('npx walkdown password-link pia@example.com').waitFor()
    assert.equal(await page.getByText(/have sent/).count(), 0)
    await stage.axe(page)
  })

  test('9.18 without a mail server, the page shows a person who must be approved what to do, and shows it to the administrator who approves', async () => {
    const { url } = await poster({ approval: 'required' })
    const { page } = await sit(null, { width: 390 })
    await page.goto(url)
    await page.getByLabel('Your name').fill('Una Approved')
    await page.getByLabel('Email address').fill('una.new@example.com')
    await page.getByLabel('Choose a password').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Create an account' }).click()
    const command = 'npx walkdown password-link una.new@example.com'
    await page.getByText(command).waitFor()
    const { page: desk } = await sit(admin())
    await desk.goto(`${stage.url}/sites/${w.site_id}/members`)
    await desk.getByText('Una Approved can’t confirm their address').waitFor()
    await desk.getByText(command).waitFor()
    await desk.getByRole('button', { name: /Una Approved/ }).click()
    await desk.getByRole('dialog').getByText(command).waitFor()
    await stage.axe(desk)
  })

  test('9.18 expired, revoked, used, unknown and incomplete invitations and a wrong URL are each explained in words', async () => {
    const { page } = await sit(null, { width: 390 })
    const shows = async (url: string, heading: string) => {
      await page.goto(url)
      await page.reload() // changing only the token does not load another page
      await page.getByRole('heading', { name: heading }).waitFor()
      await stage.axe(page)
    }
    const revoked = await poster()
    await admin().del(`/invites/${revoked.id}`)
    await shows(revoked.url, 'This invitation has been revoked')
    const used = await poster({ max_uses: 1 })
    const una = await stage.house.person('Una Used', { email: 'una@example.com' })
    await una.post(`/invite-links/accept/${used.url.split('#')[1]}`, {})
    await shows(used.url, 'This link has reached its limit')
    await shows(`${stage.url}/join#kQ3notatoken`, 'This invitation is not valid')
    await shows(`${stage.url}/join`, 'This link is incomplete')
    const late = await poster({ expires_at: new Date(Date.now() + 1500).toISOString() })
    await page.waitForTimeout(1600)
    await shows(late.url, 'This invitation has expired')
    const { join_url } = await invite('olga@example.com')
    const other = await stage.house.person('Mia Mistaken', { email: 'mia@example.com' })
    const seat = await sit(other, { width: 390 })
    await seat.page.goto(join_url)
    await seat.page.getByText('This invitation was sent to another address').waitFor()
    await seat.page.getByText(/o\*\*\*@example.com, but you are signed in as mia@example.com/).waitFor()
    await stage.axe(seat.page)
  })

  test('9.18 without a mail server an invitation is a link to copy, and both the link and the email stored as a file stay valid', async () => {
    const { page } = await sit(admin())
    await page.goto(`${stage.url}/sites/${w.site_id}/members`)
    await page.getByRole('button', { name: 'Invite by email' }).click()
    await page.getByLabel('Email address').fill('carl@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('No mail server: copy this link').waitFor()
    assert.equal(await page.getByText(/on its way|being emailed/).count(), 0)
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    await sendMails(stage.house)
    const seen = await stage.house.nobody.get(`/sites/public?token=${link.split('#')[1]}`)
    assert.equal(seen.body?.[0]?.invite?.state, 'open', seen.text)
  })
})
