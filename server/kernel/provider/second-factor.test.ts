// The second factor through the real pages. Codes change every thirty seconds, so these tests stop the clock, close to that of the machine, by which
// the provider’s own items expire.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import * as client from 'openid-client'
import { codeAt, codesIn, faultIn, openFactorPage, pressFactor, secretIn, setUpApp } from '../../../tests/factor.ts'
import { linkIn, mailsTo, sendMails } from '../../../tests/outbox.ts'
import { type Browser, type Owner, openBrowser, openProvider, PASSPHRASE, type Page, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'
import { signOutEverywhere } from '../../commands/sign-out.ts'

const STEP = 30_000
const NEW = 'kelp barn tax window'

describe('a second factor that people choose', () => {
  const house = useHouse()
  const provider = openProvider(house)
  let at = 0
  let number = 0
  const moveOn = (steps = 1) => {
    at += steps * STEP
    house.clock(new Date(at).toISOString())
  }
  before(() => {
    at = Math.floor(Date.now() / STEP) * STEP + 1000
  })
  beforeEach(() => moveOn())

  const newPerson = () => personWithAccount(house, 'Ana Ruiz', `ana-${++number}@example.com`)
  const withApp = async () => {
    const ana = await newPerson()
    const app = await setUpApp(house, provider, ana)
    moveOn()
    return { ana, ...app, code: () => codeAt(app.secret, at) }
  }
  const password = async (ana: Owner, browser = openBrowser()) => {
    const { url, finish } = await provider.begin()
    const page = await browser.submit(await browser.get(url), { email: ana.email, password: ana.password })
    return { browser, page, finish }
  }
  const enter = async (ana: Owner, code: string): Promise<Page> => {
    const { browser, page } = await password(ana)
    return browser.submit(page, { code })
  }
  const recovery = async (browser: Browser, page: Page, code: string) =>
    browser.submit(await browser.get(`${page.url}?with=recovery-code`), { code })
  const signedIn = (page: Page) => page.left?.pathname === '/signed-in'
  const refresh = async (token: string | undefined) => client.refreshTokenGrant(await provider.discovered(), token ?? '')

  test('10.4 a person sets up a second factor, and signs in with the password and a code from then on', async () => {
    const ana = await newPerson()
    const browser = openBrowser()
    const page = await openFactorPage(provider.url, browser, ana)
    assert.match(page.html, /with your password alone/)
    const setUp = await pressFactor(browser, page, 'set-up')
    const secret = secretIn(setUp)
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.match(setUp.html, /<div class="qr"[^>]*><svg/)
    assert.ok(setUp.html.includes(`secret=${secret}&amp;`), 'a link opens the app on this device')
    const wrong = await pressFactor(browser, setUp, 'confirm', { code: codeAt(secret, at + 5 * STEP) })
    assert.deepEqual([wrong.status, secretIn(wrong)], [422, secret])
    assert.match(faultIn(wrong) ?? '', /^This code is wrong/)
    const done = await pressFactor(browser, wrong, 'confirm', { code: codeAt(secret, at) })
    assert.equal(codesIn(done).length, 10)
    assert.match(done.headers.get('cache-control') ?? '', /no-store/)
    assert.equal((await pressFactor(browser, wrong, 'confirm', { code: codeAt(secret, at) })).status, 400, 'the page was used up')

    moveOn()
    const next = await password(ana)
    assert.deepEqual([next.page.status, next.page.left], [200, null])
    assert.match(next.page.html, /Enter your code/)
    assert.match(next.page.html, /<input [^>]*inputmode="numeric"[^>]*>/)
    assert.match(next.page.html, /autocomplete="one-time-code"/)
    const entered = await next.browser.submit(next.page, { code: codeAt(secret, at).replace(/^.../, '$& ') })
    assert.ok(signedIn(entered), faultIn(entered) ?? '')
    const tokens = await next.finish(entered.left ?? new URL('http://x'))
    assert.equal((await refresh(tokens.refresh_token)).claims()?.email, ana.email)

    await sendMails(house)
    const mail = mailsTo(house, ana.email).at(-1)
    assert.deepEqual([mail?.kind, mail?.subject], ['second_factor', 'Your second factor was set up'])
  })

  test('10.4 the pages work without scripts, label every field and load nothing from other origins', async () => {
    const { ana } = await withApp()
    const { browser, page } = await password(ana)
    const other = await newPerson()
    const alone = openBrowser()
    const pages = [page, await browser.get(`${page.url}?with=recovery-code`)]
    pages.push(await pressFactor(alone, await openFactorPage(provider.url, alone, other), 'set-up'))
    for (const one of pages) {
      assert.equal(one.status, 200)
      assert.doesNotMatch(one.html, /<script|onclick|style="|src="http|href="https?:\/\/(?!127)/)
      for (const [, id] of one.html.matchAll(/<input (?!type="hidden")[^>]*id="([^"]+)"/g))
        assert.ok(one.html.includes(`<label for="${id}">`), id)
      assert.match(one.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    }
  })

  test('10.4 a wrong code is refused, and without the right password there is no page to enter one', async () => {
    const { ana, secret, code } = await withApp()
    for (const wrong of ['000000', '', 'abcdef', codeAt(secret, at + 3 * STEP), PASSPHRASE, '0'.repeat(24)]) {
      if (wrong === code()) continue
      const refused = await enter(ana, wrong)
      assert.deepEqual([refused.status, refused.left], [422, null], wrong)
      moveOn(31)
    }
    const browser = openBrowser()
    const page = await browser.get((await provider.begin()).url)
    for (const step of ['second-factor', 'set-up']) {
      assert.equal((await browser.get(`${page.url}/${step}`)).status, 400, step)
      const sent = await browser.submit({ ...page, url: `${page.url}/${step}`, html: '<form>' }, { code: code() })
      assert.deepEqual([sent.status, sent.left], [400, null], step)
    }
    const other = await password(ana)
    const stolen = await openBrowser().submit(other.page, { code: code() })
    assert.deepEqual([stolen.status, stolen.left], [400, null], 'another browser can’t complete the sign-in')
    moveOn(21)
    const late = await other.browser.submit(other.page, { code: code() })
    assert.deepEqual([late.status, late.left], [400, null], 'ten minutes after the password')
  })

  test('10.4 a code works once, also if it is entered several times at once, and an older one doesn’t work after it', async () => {
    const { ana, secret, code } = await withApp()
    assert.ok(signedIn(await enter(ana, code())))
    assert.equal((await enter(ana, code())).status, 422, 'the same code again')
    assert.equal((await enter(ana, codeAt(secret, at - STEP))).status, 422, 'the code before it')
    for (let round = 0; round < 3; round++) {
      moveOn(2)
      const doors = await Promise.all([1, 2, 3].map(() => password(ana)))
      const raced = await Promise.all(doors.map(({ browser, page }) => browser.submit(page, { code: code() })))
      assert.equal(raced.filter(signedIn).length, 1, raced.map(page => page.status).join())
      moveOn(31)
    }
  })

  test('10.4 the clock of a phone can be one step early or late, but not two', async () => {
    const { ana, secret } = await withApp()
    moveOn(2)
    for (const drift of [-2, 2]) assert.equal((await enter(ana, codeAt(secret, at + drift * STEP))).status, 422, `${drift}`)
    assert.ok(signedIn(await enter(ana, codeAt(secret, at - STEP))))
    assert.ok(signedIn(await enter(ana, codeAt(secret, at + STEP))))
  })

  test('10.4 a recovery code works once, also in a race, and an email says how many are left', async () => {
    const { ana, codes } = await withApp()
    const [first = '', second = ''] = codes
    const one = await password(ana)
    assert.ok(signedIn(await recovery(one.browser, one.page, first.toLowerCase().replaceAll('-', ' '))))
    const again = await password(ana)
    const refused = await recovery(again.browser, again.page, first)
    assert.equal(refused.status, 422)
    assert.match(faultIn(refused) ?? '', /recovery code is wrong, or it was used before/)
    const doors = await Promise.all([1, 2, 3].map(() => password(ana)))
    const raced = await Promise.all(doors.map(({ browser, page }) => recovery(browser, page, second)))
    assert.equal(raced.filter(signedIn).length, 1)
    await sendMails(house)
    const mails = mailsTo(house, ana.email).filter(mail => mail.subject === 'A recovery code was used to sign in')
    assert.deepEqual(
      mails.map(mail => /You have (\d+) recovery codes left/.exec(mail.text)?.[1]),
      ['9', '8'],
    )
    assert.equal((await house.rows('select cardinality(recovery_hashes) as n from account where id = $1', [ana.account_id]))[0].n, 8)
  })

  test('10.4 new recovery codes replace the earlier ones', async () => {
    const { ana, codes, code } = await withApp()
    const browser = openBrowser()
    const page = await openFactorPage(provider.url, browser, ana, code())
    assert.match(page.html, /You have 10 recovery codes left/)
    const fresh = codesIn(await pressFactor(browser, page, 'codes'))
    assert.equal(fresh.length, 10)
    for (const [text, works] of [
      [codes[0] ?? '', false],
      [fresh[0] ?? '', true],
    ] as const) {
      const door = await password(ana)
      assert.equal(signedIn(await recovery(door.browser, door.page, text)), works)
    }
  })

  test('10.4 the page of the second factor opens only right after a sign-in with the password and the present second factor', async () => {
    const { ana, code } = await withApp()
    const browser = openBrowser()
    const door = await password(ana, browser)
    assert.ok(signedIn(await browser.submit(door.page, { code: code() })))
    // A session is there, and a code for the page can be had with it; but the page asks for the password.
    await house.rows(
      `update oidc_item set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::int - 600)) where kind = 'Session'`,
    )
    const query = new URLSearchParams({
      client_id: 'walkdown-web',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${provider.url}/oidc/second-factor/open`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const asked = await browser.get(`${provider.url}/oidc/auth?${query}`)
    assert.match(asked.html, /name="password"/)
    assert.match(asked.html, /Enter your password to see or change your second factor\./, 'why it asks a person who is signed in')
    assert.doesNotMatch(asked.html, /recovery code/)
    const half = await browser.submit(asked, { email: ana.email, password: ana.password })
    assert.match(half.html, /Enter your code/, 'and for the second factor')
    const app = (await openBrowser().get((await provider.begin()).url)).url
    for (const path of ['/oidc/second-factor/open', '/oidc/second-factor/open?code=x'])
      assert.equal((await browser.get(`${provider.url}${path}`)).status, 400, path)
    for (const step of ['set-up', 'confirm', 'codes', 'remove'])
      assert.equal((await pressFactor(browser, { ...asked, url: app }, step, { ticket: 'x' })).status, 400, step)
  })

  test('10.4 another app replaces the second factor, and removing it ends every other session; this one continues', async () => {
    const { ana, secret, codes, code } = await withApp()
    const [here, there] = [openBrowser(), openBrowser()]
    const signIn = async (browser: Browser, text: string) => {
      const door = await password(ana, browser)
      return door.finish((await browser.submit(door.page, { code: text })).left ?? new URL('http://x'))
    }
    const mine = await signIn(here, code())
    moveOn()
    const theirs = await signIn(there, code())
    moveOn()
    const page = await pressFactor(here, await openFactorPage(provider.url, here, ana, code()), 'set-up')
    const next = secretIn(page)
    assert.notEqual(next, secret)
    assert.equal(codesIn(await pressFactor(here, page, 'confirm', { code: codeAt(next, at) })).length, 10)
    await assert.rejects(refresh(theirs.refresh_token), client.ResponseBodyError)
    const renewed = await refresh(mine.refresh_token)
    moveOn()
    const old = await password(ana)
    assert.equal((await old.browser.submit(old.page, { code: codeAt(secret, at) })).status, 422)
    assert.equal((await recovery(old.browser, old.page, codes[3] ?? '')).status, 422)
    const third = await signIn(there, codeAt(next, at))

    moveOn()
    const gone = await pressFactor(here, await openFactorPage(provider.url, here, ana, codeAt(next, at)), 'remove')
    assert.match(gone.html, /Second factor removed/)
    await assert.rejects(refresh(third.refresh_token), client.ResponseBodyError)
    assert.ok((await refresh(renewed.refresh_token)).access_token)
    assert.ok(signedIn((await password(ana)).page), 'the password is enough again')
    await sendMails(house)
    const subjects = mailsTo(house, ana.email).map(mail => mail.subject)
    assert.deepEqual(subjects, ['Your second factor was set up', 'Your second factor was replaced', 'Your second factor was removed'])
  })

  test('10.4 a new password by email doesn’t replace the second factor', async () => {
    const { ana, code } = await withApp()
    const half = await password(ana)
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: ana.email })
    await sendMails(house)
    const page = await browser.get(linkIn(mailsTo(house, ana.email).at(-1), `${provider.url}/oidc/reset#`))
    assert.match((await browser.submit(page, { password: NEW, again: NEW })).html, /Password changed/)
    assert.equal((await half.browser.submit(half.page, { code: code() })).status, 400, 'the old password is no longer half a sign-in')
    const door = await password({ ...ana, password: NEW })
    assert.match(door.page.html, /Enter your code/)
    assert.ok(signedIn(await door.browser.submit(door.page, { code: code() })))
  })

  test('10.4 a sign-in that is held back after the right password ends with a new second factor and with a sign-out', async () => {
    for (const [what, end] of [
      ['second factor', (ana: Owner) => setUpApp(house, provider, ana)],
      ['sign-out', (ana: Owner) => signOutEverywhere(house.house, ana.email, 'a lost phone')],
      ['nothing', async () => {}],
    ] as const) {
      const ana = await newPerson()
      const browser = openBrowser()
      const page = await browser.get((await provider.begin()).url)
      // A browser that doesn’t follow the redirect to the session, until later.
      const held = await fetch(page.url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; '),
        },
        body: new URLSearchParams({ email: ana.email, password: ana.password }).toString(),
      })
      assert.equal(held.status, 303)
      await end(ana)
      const later = await browser.get(held.headers.get('location') ?? '')
      assert.deepEqual([later.status, signedIn(later)], what === 'nothing' ? [303, true] : [400, false], what)
    }
  })

  test('10.4 the database contains no secret and no recovery code in clear text, and the sign-in record says which factors were used', async () => {
    const { ana, secret, codes, code } = await withApp()
    assert.ok(signedIn(await enter(ana, code())))
    await enter(ana, '123')
    const door = await password(ana)
    assert.ok(signedIn(await recovery(door.browser, door.page, codes[0] ?? '')))
    for (const table of ['account', 'account_code_step', 'oidc_item', 'job_run', 'audit_entry', 'diag_line', 'platform_secret'])
      for (const text of [
        secret,
        Buffer.from(secret).toString('base64').slice(0, 36),
        ...codes,
        ...codes.map(one => one.replaceAll('-', '')),
      ]) {
        const [{ n }] = await house.rows(`select count(*)::int as n from ${table} x where x::text like $1`, [`%${text}%`])
        assert.equal(n, 0, `${table} ${text}`)
      }
    await house.house.lines.flush()
    const lines = await house.rows("select kind, message from diag_line where source = 'auth' and message like $1 order by at, id", [
      `%${ana.account_id}%`,
    ])
    assert.deepEqual(
      lines.map(({ kind, message }) => `${kind}: ${message.split('; ')[1] ?? ''}`),
      [
        'signed_in: password',
        'second_factor_asked: ',
        'signed_in: password and code',
        'second_factor_asked: ',
        'sign_in_refused: wrong code after the right password',
        'second_factor_asked: ',
        'signed_in: password and recovery code',
      ],
    )
  })
})
