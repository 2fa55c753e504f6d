// Limits on attempts to sign in. They are counted by the minute and by the hour, so these tests stop the clock.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { mailsTo, sendMails } from '../../../tests/outbox.ts'
import { openBrowser, openProvider, PASSPHRASE, type Page, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

const MINUTE_MS = 60_000

describe('attempts to sign in', () => {
  const house = useHouse()
  const provider = openProvider(house)
  // One second after a full minute, and close to the clock of the machine, by which the pages of the sign-in expire.
  before(() => house.clock(new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 1000).toISOString()))
  const faultIn = (page: Page) => /<div class="alert" role="alert">.*?<p>(.*?)<\/p>/.exec(page.html)?.[1] ?? null
  const attempt = async (email: string, password: string) => {
    const browser = openBrowser()
    return browser.submit(await browser.get((await provider.begin()).url), { email, password })
  }

  test('§5 five wrong attempts block an account for a quarter of an hour, whether it exists or not', async () => {
    await personWithAccount(house, 'Mo', 'mo@example.com')
    for (const email of ['mo@example.com', 'no-mo@example.com']) {
      for (let i = 0; i < 5; i++) assert.equal((await attempt(email, `wrong ${i}`)).status, 422)
      const held = await attempt(email.toUpperCase(), PASSPHRASE)
      assert.deepEqual([held.status, held.left], [429, null])
      assert.equal(held.headers.get('retry-after'), '899')
      assert.match(faultIn(held) ?? '', /Too many wrong attempts\. Try again in 15 minutes, or choose a new password\./)
    }
  })

  test('§5 attempts to sign in cause at most three emails an hour', async () => {
    await personWithAccount(house, 'Quirin', 'quirin@example.com', { confirmed: false })
    for (let i = 0; i < 5; i++) await attempt('quirin@example.com', PASSPHRASE)
    await sendMails(house)
    assert.equal(mailsTo(house, 'quirin@example.com').length, 3)
  })
})
