import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../tests/provider.ts'
import { useHouse } from '../../tests/world.ts'
import { PLATFORM } from '../base/ids.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { passwordLink } from './password-link.ts'

const NEW = 'gravel heron lantern tide'

describe('a link to choose a password, from the terminal', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)

  test('9.18 a person who can’t get email chooses a password with the printed link, which confirms the address; it works once and is in the audit log', async () => {
    const pia = await personWithAccount(house, 'Pia', 'pia@example.com', { confirmed: false })
    const { name, link } = await passwordLink(house.house, 'PIA@example.com')
    assert.equal(name, 'Pia')
    const browser = openBrowser()
    const page = await browser.get(link)
    assert.match((await browser.submit(page, { password: NEW, again: NEW })).html, /Password changed/)
    assert.equal((await browser.get(link)).status, 400, 'once')
    await assert.rejects(provider.signIn(openBrowser(), { email: pia.email, password: PASSPHRASE }))
    assert.ok((await provider.signIn(openBrowser(), { email: pia.email, password: NEW })).tokens.access_token)
    const entries = await house.rows("select reason, entity_id from audit_entry where site_id = $1 and cause = 'account.password_link'", [
      PLATFORM,
    ])
    assert.deepEqual(entries, [{ reason: 'A link to choose a password was made in the terminal', entity_id: pia.account_id }])
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
    await assert.rejects(passwordLink(house.house, 'nobody@example.com'), /No account has the address nobody@example\.com/)
  })

  test('9.18 without a mail server, the pages of sign-in and of a forgotten password promise no email: they say who to ask, and for which command', async () => {
    await personWithAccount(house, 'Quin', 'quin@example.com', { confirmed: false })
    const browser = openBrowser()
    const first = await browser.get((await provider.begin()).url)
    const confirm = await browser.submit(first, { email: 'quin@example.com', password: PASSPHRASE })
    const forgot = await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: 'quin@example.com' })
    for (const { html } of [confirm, forgot]) {
      assert.match(html, /No mail server is set up/)
      assert.match(html, /npx walkdown password-link quin@example\.com/)
      assert.doesNotMatch(html, /sent/)
    }
  })
})

describe('the same pages with a mail server', () => {
  const house = useHouse({ CLOCK: 'system', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'walkdown@example.com' })
  const provider = openProvider(house)

  test('9.18 with a mail server they say that an email was sent', async () => {
    await personWithAccount(house, 'Rue', 'rue@example.com', { confirmed: false })
    const browser = openBrowser()
    const confirm = await browser.submit(await browser.get((await provider.begin()).url), {
      email: 'rue@example.com',
      password: PASSPHRASE,
    })
    assert.match(confirm.html, /We’ve sent you an email/)
    assert.doesNotMatch(confirm.html, /password-link/)
  })
})
