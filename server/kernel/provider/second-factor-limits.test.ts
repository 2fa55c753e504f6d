// Limits on guessing codes, and an installation that requires a second factor.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY, HOUR } from '../../../shared/time.ts'
import { codeAt, codesIn, faultIn, openFactorPage, pressFactor, secretIn, setUpApp } from '../../../tests/factor.ts'
import { mailsTo, sendMails } from '../../../tests/outbox.ts'
import { type Owner, openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { type TestHouse, useHouse } from '../../../tests/world.ts'
import { readSettings } from '../../base/settings.ts'

const MINUTE = 60_000
/** Longer than any test here moves its clock. */
const LONGEST = 5 * HOUR

/**
 * A clock that only moves when it is moved, from just after the next full minute, because attempts are counted by the minute; and they are counted by the day
 * too, so it doesn't begin in the last hours before midnight.
 */
function stoppedClock(house: TestHouse) {
  const clock = { at: 0 }
  const move = (minutes: number) => {
    clock.at += minutes * MINUTE
    house.clock(new Date(clock.at).toISOString())
  }
  before(() => {
    const midnight = Math.ceil(Date.now() / DAY) * DAY
    const from = midnight - Date.now() < LONGEST ? midnight : Date.now()
    clock.at = Math.floor(from / MINUTE) * MINUTE + 1000
    move(1)
  })
  return { now: () => clock.at, move }
}

describe('guessing the codes of a second factor', () => {
  const house = useHouse()
  const provider = openProvider(house)
  const clock = stoppedClock(house)
  const password = async (who: Pick<Owner, 'email' | 'password'>) => {
    const browser = openBrowser()
    return {
      browser,
      page: await browser.submit(await browser.get((await provider.begin()).url), { email: who.email, password: who.password }),
    }
  }
  /** A code that isn't valid now. */
  const wrong = (secret: string) =>
    ['111111', '222222', '333333', '444444'].find(code => [-1, 0, 1].every(n => codeAt(secret, clock.now() + n * 30_000) !== code)) ?? ''

  test('10.4 wrong codes and wrong passwords count together, and the right password doesn’t clear them', async () => {
    const ana = await personWithAccount(house, 'Ana', 'ana@example.com')
    const { secret, codes } = await setUpApp(house, provider, ana)
    clock.move(1)
    assert.equal((await password({ ...ana, password: 'not this one here' })).page.status, 422)
    for (let i = 0; i < 4; i++) {
      const { browser, page } = await password(ana)
      assert.equal((await browser.submit(page, { code: wrong(secret) })).status, 422, `attempt ${i + 2}`)
    }
    const held = await password(ana)
    assert.deepEqual([held.page.status, held.page.left], [429, null])
    assert.match(faultIn(held.page) ?? '', /Too many wrong attempts\. Try again in 1[45] minutes/)
    clock.move(16)
    const open = await password(ana)
    for (let i = 0; i < 5; i++) assert.equal((await open.browser.submit(open.page, { code: wrong(secret) })).status, 422)
    for (const code of [codeAt(secret, clock.now()), codes[0] ?? '']) {
      const blocked = await open.browser.submit(open.page, { code })
      assert.deepEqual([blocked.status, blocked.left], [429, null], 'the right code, too')
      assert.match(blocked.headers.get('retry-after') ?? '', /^\d+$/)
    }
    clock.move(16)
    const app = await house.person('Ana', { subject: ana.account_id, email: ana.email })
    const again = await password(ana)
    for (let i = 0; i < 5; i++) {
      await again.browser.submit(again.page, { code: wrong(secret) })
      const changed = await app.post('/auth/change-password', { current_password: PASSPHRASE, new_password: 'short' })
      assert.equal(changed.status, i < 4 ? 422 : 429)
    }
    assert.equal((await password(ana)).page.status, 429, 'a change of password with the right one clears nothing either')
  })

  test('10.4 many codes at once achieve no more than one by one', async () => {
    const bo = await personWithAccount(house, 'Bo', 'bo@example.com')
    const { secret } = await setUpApp(house, provider, bo)
    clock.move(1)
    const { browser, page } = await password(bo)
    const tries = await Promise.all(Array.from({ length: 12 }, () => browser.submit(page, { code: wrong(secret) })))
    assert.deepEqual(tries.map(one => one.status).sort(), [...Array<number>(5).fill(422), ...Array<number>(7).fill(429)])
  })

  test('10.4 after five wrong codes with the right password the person gets an email, and after twenty in a day only a recovery code works', async () => {
    const cy = await personWithAccount(house, 'Cy', 'cy@example.com')
    const { secret, codes } = await setUpApp(house, provider, cy)
    for (let i = 0; i < 20; i++) {
      if (i % 4 === 0) clock.move(16)
      const { browser, page } = await password(cy)
      assert.equal((await browser.submit(page, { code: wrong(secret) })).status, 422, `attempt ${i + 1}`)
    }
    clock.move(16)
    const { browser, page } = await password(cy)
    const right = await browser.submit(page, { code: codeAt(secret, clock.now()) })
    assert.deepEqual([right.status, right.left], [429, null])
    assert.match(faultIn(right) ?? '', /Too many wrong codes today/)
    const recovery = await browser.submit(await browser.get(`${page.url}?with=recovery-code`), { code: codes[0] ?? '' })
    assert.equal(recovery.left?.pathname, '/signed-in')
    await sendMails(house)
    assert.equal(mailsTo(house, cy.email).filter(mail => mail.subject === 'Someone knows your password').length, 1)
  })
})

describe('with SECOND_FACTOR=required', () => {
  const house = useHouse({ SECOND_FACTOR: 'required' })
  const provider = openProvider(house)
  const clock = stoppedClock(house)

  test('10.4 a person without a second factor sets one up after the password, and has no session before', async () => {
    const dan = await personWithAccount(house, 'Dan', 'dan@example.com')
    const { url, finish } = await provider.begin()
    const browser = openBrowser()
    const page = await browser.submit(await browser.get(url), { email: dan.email, password: dan.password })
    assert.deepEqual([page.status, page.left], [200, null])
    assert.match(page.html, /This service requires a second factor/)
    const secret = secretIn(page)
    assert.equal(secretIn(await browser.get(page.url)), secret, 'the same secret when the page is loaded again')
    assert.match((await browser.get((await provider.begin()).url)).html, /name="password"/, 'no session yet')
    const sessions = () => house.rows("select 1 from oidc_item where kind = 'Session' and account_id = $1", [dan.account_id])
    assert.deepEqual(await sessions(), [])
    const refused = await browser.submit(page, { code: codeAt(secret, clock.now() + 10 * MINUTE) })
    assert.equal(refused.status, 422)
    const both = await Promise.all([1, 2].map(() => browser.submit(refused, { code: codeAt(secret, clock.now()) })))
    assert.deepEqual(both.map(one => one.status).sort(), [200, 400], 'of two at once, one sets it up')
    const done = both.find(one => one.status === 200)
    assert.ok(done)
    assert.equal(codesIn(done).length, 10)
    const next = /<a class="act" href="([^"]+)"/.exec(done.html)?.[1] ?? ''
    const { left } = await browser.get(next.replaceAll('&amp;', '&'))
    assert.equal(left?.pathname, '/signed-in')
    assert.ok((await finish(left ?? new URL('http://x'))).access_token)
    assert.equal((await sessions()).length, 1)

    clock.move(1)
    const again = openBrowser()
    const asked = await again.submit(await again.get((await provider.begin()).url), { email: dan.email, password: dan.password })
    assert.match(asked.html, /Enter your code/)
    assert.equal((await again.submit(asked, { code: codeAt(secret, clock.now()) })).left?.pathname, '/signed-in')
  })

  test('10.4 the setting is optional unless it says otherwise, and is refused with an external provider', () => {
    assert.equal(readSettings({}).second_factor, 'optional')
    assert.throws(() => readSettings({ SECOND_FACTOR: 'yes' }), /SECOND_FACTOR must be optional or required, not "yes"/)
    const both = { OIDC_ISSUER: 'https://login.example.com', SECOND_FACTOR: 'required' }
    assert.throws(() => readSettings(both), /Require a second factor at that provider/)
  })

  test('10.4 nobody can remove their second factor, but they can replace it', async () => {
    const eva = await personWithAccount(house, 'Eva', 'eva@example.com')
    const first = openBrowser()
    const page = await first.submit(await first.get((await provider.begin()).url), { email: eva.email, password: eva.password })
    const secret = secretIn(page)
    await first.submit(page, { code: codeAt(secret, clock.now()) })
    clock.move(1)
    const browser = openBrowser()
    const open = await openFactorPage(provider.url, browser, eva, codeAt(secret, clock.now()))
    assert.match(open.html, /you can’t remove it/)
    assert.doesNotMatch(open.html, /Remove the second factor/)
    assert.equal((await pressFactor(browser, open, 'remove')).status, 400)
    const other = await pressFactor(browser, open, 'set-up')
    assert.doesNotMatch(other.html, /This service requires/)
    assert.equal(codesIn(await pressFactor(browser, other, 'confirm', { code: codeAt(secretIn(other), clock.now()) })).length, 10)
  })
})
