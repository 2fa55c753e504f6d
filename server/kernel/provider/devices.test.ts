import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

describe('the devices on which a person is signed in', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const page = () => `${provider.url}/oidc/devices`
  const status = async (access_token: string) => (await provider.me(access_token)).status

  /** Signs a person in on a device, which then refreshes its tokens. */
  async function device(who: { email: string; password: string }, agent: string) {
    const { tokens } = await provider.signIn(openBrowser(), who)
    const response = await fetch(`${provider.url}/oidc/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': agent },
      body: new URLSearchParams({
        client_id: 'walkdown-web',
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token ?? '',
      }).toString(),
    })
    return ((await response.json()) as { access_token: string }).access_token
  }
  /** Opens the list with the password, as a browser without any session. */
  async function list(who: { email: string; password: string }) {
    const browser = openBrowser()
    const shown = await browser.submit(await browser.get(page()), { email: who.email, password: who.password })
    return { browser, shown, families: [...shown.html.matchAll(/name="end" value="([^"]+)"/g)].map(found => found[1] ?? '') }
  }

  test('10.4 people see their devices after the password, and sign one out', async () => {
    const ada = await personWithAccount(house, 'Ada', 'ada@example.com')
    const bo = await personWithAccount(house, 'Bo', 'bo@example.com')
    const phone = await device(ada, IPHONE)
    const tablet = await device(ada, ANDROID)
    const other = await device(bo, ANDROID)
    const { browser, shown, families } = await list(ada)
    assert.equal(shown.status, 200)
    assert.deepEqual(
      [...shown.html.matchAll(/<li><p><strong>([^<]+)</g)].map(found => found[1]),
      ['Chrome, Android', 'Safari, iPhone'],
    )
    assert.match(shown.html, /Last used \d+ \w+ \d{4} at \d\d:\d\d UTC/)
    assert.equal(families.length, 3) // two devices, and all of them
    const [, iphone = ''] = families
    const after = await browser.submit(shown, { end: iphone })
    assert.match(after.html, /Signed out\./)
    assert.doesNotMatch(after.html, /iPhone/)
    assert.deepEqual([await status(phone), await status(tablet), await status(other)], [401, 200, 200])
    const twice = await browser.submit(shown, { end: iphone })
    assert.match(twice.html, /already signed out/)
    const entries = await house.rows(
      "select reason from audit_entry where entity_type = 'account' and entity_id = $1 and cause = 'account.sign_out_devices'",
      [ada.account_id],
    )
    assert.deepEqual(entries, [{ reason: 'Signed out by the person on: Safari, iPhone' }])

    const all = await browser.submit(after, { end: 'all' })
    assert.match(all.html, /aren’t signed in on any device/)
    assert.deepEqual([await status(tablet), await status(other)], [401, 200])
  })

  test('10.4 nobody signs out the devices of others', async () => {
    const cai = await personWithAccount(house, 'Cai', 'cai@example.com')
    const dee = await personWithAccount(house, 'Dee', 'dee@example.com')
    await device(dee, IPHONE)
    const token = await device(cai, ANDROID)
    const [family = ''] = (await list(cai)).families
    const { browser, shown } = await list(dee)
    await browser.submit(shown, { end: family })
    assert.equal(await status(token), 200)
    const guessed = await browser.submit(shown, { token: 'a'.repeat(43), end: family })
    assert.deepEqual([guessed.status, await status(token)], [422, 200])
  })

  test('10.4 the list asks for the password again after ten minutes, and counts wrong ones', async () => {
    const eve = await personWithAccount(house, 'Eve', 'eve@example.com')
    const token = await device(eve, ANDROID)
    const { browser, shown, families } = await list(eve)
    await house.rows("update account_token set expires_at = now() where purpose = 'devices' and account_id = $1", [eve.account_id])
    const late = await browser.submit(shown, { end: families[0] ?? '' })
    assert.match(late.html, /ten minutes/)
    assert.equal(await status(token), 200)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await list({ email: eve.email, password: 'not this one' })).shown.status)
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
  })

  test('10.4 a device that is signed out no longer gets push notifications, and neither do others after a new password', async () => {
    const fay = await personWithAccount(house, 'Fay', 'fay@example.com')
    const [phone, tablet, laptop] = [await device(fay, IPHONE), await device(fay, ANDROID), await device(fay, 'Firefox on Windows')]
    for (const [token, endpoint] of [
      [phone, 'https://fcm.googleapis.com/fcm/send/phone'],
      [tablet, 'https://fcm.googleapis.com/fcm/send/tablet'],
      [laptop, 'https://fcm.googleapis.com/fcm/send/laptop'],
    ] as const) {
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      }
      assert.equal((await provider.api('PUT', '/push/subscriptions', token, { endpoint, keys })).status, 201)
    }
    const devices = async () => {
      const rows = await house.rows('select endpoint from push_subscription where user_id = $1 order by endpoint', [fay.user_id])
      return rows.map(row => row.endpoint.split('/').at(-1))
    }
    assert.deepEqual(await devices(), ['laptop', 'phone', 'tablet'])
    const { browser, shown, families } = await list(fay)
    await browser.submit(shown, { end: families[2] ?? '' }) // the last used come first
    assert.deepEqual(await devices(), ['laptop', 'tablet'])
    const body = { current_password: PASSPHRASE, new_password: 'kelp barn tax window' }
    assert.equal((await provider.api('POST', '/auth/change-password', laptop, body)).status, 204)
    assert.deepEqual(await devices(), ['laptop'])
  })
})
