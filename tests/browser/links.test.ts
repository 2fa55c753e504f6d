// Where the secrets of the journeys around the sign-in travel: every URL that the service sees, also in headers, while people use links in a real browser.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { linkIn, mailsTo, sendMails } from '../outbox.ts'
import { PASSPHRASE, personWithAccount } from '../provider.ts'
import type { World } from '../world.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const NEW = 'kelp barn tax window'

describe('secrets and URLs', () => {
  const stage = useStage({ CLOCK: 'system' })
  let w: World
  /** The URL of each request, and headers that contain URLs, as the service received them. */
  const seen: string[] = []
  /** What no URL may contain. */
  const secrets = new Map<string, string>()
  before(async () => {
    w = await stage.house.world({ name: 'Riverside Quarter' })
    stage.house.edge.app.server.on('request', ({ url, headers }) => seen.push(url ?? '', headers.referer ?? '', headers.origin ?? ''))
  })
  const found = () =>
    [...secrets].flatMap(([what, secret]) => seen.filter(url => url.includes(secret)).map(url => `${what}: ${url.replace(secret, '…')}`))
  const secretOf = (what: string, link: string): string => {
    const secret = /#([\w-]{43})$/.exec(link)?.[1] ?? assert.fail(`${what} has no secret after the #: ${link}`)
    secrets.set(what, secret)
    return link
  }
  const signIn = async (page: Page, email: string, password: string) => {
    await page.waitForURL(/\/oidc\/sign-in/)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  /** Remembers the tokens that the app stores for the person. */
  const tokensOf = async (page: Page) => {
    const stored = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('walkdown.user.'))?.[1] ?? '{}')
    const { access_token, refresh_token, id_token } = JSON.parse(stored)
    for (const [what, token] of Object.entries({ access_token, refresh_token, id_token })) secrets.set(what, token ?? assert.fail(what))
  }
  const mailed = async (email: string, path: string) => {
    await sendMails(stage.house)
    return linkIn(mailsTo(stage.house, email).at(-1), `${stage.url}${path}`)
  }

  test('V14.2.1 the service sees no token in any URL while people join, confirm an address, choose a new password, sign in and sign out', async () => {
    const { url } = (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', contractor_choice: true })).body
    const { page } = await stage.sit(null, { width: 390 })
    await page.goto(secretOf('poster', url))
    await page.getByLabel('Your name').fill('Pia Poster')
    await page.getByLabel('Email address').fill('pia@example.com')
    await page.getByLabel('Your contractor').selectOption('other')
    await page.getByLabel('Contractor’s name').fill('Harbour Rigging')
    await page.getByLabel('Choose a password').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText('npx walkdown password-link pia@example.com').waitFor()

    await page.goto(secretOf('confirmation', await mailed('pia@example.com', '/oidc/confirm')))
    await page.getByText('pia@example.com').waitFor()
    assert.equal(page.url(), `${stage.url}/oidc/confirm`)
    await stage.axe(page)
    await page.getByLabel('The password you chose').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Confirm my email address' }).click()
    await page.getByText('Email address confirmed').waitFor()

    await page.goto(`${stage.url}/oidc/forgot`)
    await page.getByLabel('Email address').fill('pia@example.com')
    await page.getByRole('button', { name: 'Send me the link' }).click()
    await page
      .getByRole('heading', { name: 'Check your email' })
      .or(page.getByRole('heading', { name: 'Ask for a link' }))
      .waitFor()
    await page.goto(secretOf('reset', await mailed('pia@example.com', '/oidc/reset')))
    await page.getByLabel('New password').fill(NEW)
    assert.equal(page.url(), `${stage.url}/oidc/reset`)
    await page.getByLabel('Repeat the password').fill(NEW)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('heading', { name: 'Password changed' }).waitFor()

    await personWithAccount(stage.house, 'Paul Present', 'paul@example.com')
    const paul = (await w.as('admin').post(`/invites/sites/${w.site_id}`, { email: 'paul@example.com', role: 'member' })).body
    const { page: other } = await stage.sit(null)
    await other.goto(secretOf('invitation', paul.join_url))
    await other.getByRole('button', { name: 'Sign in to an existing account' }).click()
    await signIn(other, 'paul@example.com', PASSPHRASE)
    await other.getByText('You have joined Riverside Quarter').waitFor()
    await tokensOf(other)
    await other.getByRole('button', { name: 'Open the site' }).click()
    await other.waitForURL(/today/)
    await other.goto(stage.url)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign out?' }).waitFor()
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()

    assert.deepEqual(found(), [])
    for (const path of ['/api/sites/public', '/api/contractors/public', '/api/invite-links/register', '/api/invite-links/accept'])
      assert.ok(seen.includes(path), `${path} is among them`)
    assert.ok(
      seen.some(one => one.startsWith('/oidc/session/end')),
      'the sign-out is among them',
    )
  })

  for (const width of [390, 1440])
    test(`V14.2.1 a link that lost its last part, and one from an older email, lead on in words, at ${width} px`, async () => {
      const email = `rita${width}@example.com`
      await personWithAccount(stage.house, 'Rita', email)
      const { page } = await stage.sit(null, { width })
      await page.goto(`${stage.url}/oidc/forgot`)
      await page.getByLabel('Email address').fill(email)
      await page.getByRole('button', { name: 'Send me the link' }).click()
      const link = await mailed(email, '/oidc/reset')
      await page.goto(`${stage.url}/oidc/reset`)
      await page.getByText('Copy the whole link that you received').waitFor()
      await stage.axe(page)
      if (width === 390) await fitsPhone(page)
      await page.getByLabel('Link').fill(link)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('New password').waitFor()
      await page.goto(link.replace('#', '?token='))
      await page.getByLabel('New password').waitFor()
      assert.equal(page.url(), `${stage.url}/oidc/reset`, 'the token has left the address bar')
      // A second link in the same tab changes only the part after the #.
      await page.goto(`${stage.url}/oidc/reset`)
      await page.goto(link)
      await page.getByLabel('New password').waitFor()
    })
})
