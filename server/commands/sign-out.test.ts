import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as client from 'openid-client'
import { openBrowser, openProvider, personWithAccount } from '../../tests/provider.ts'
import { useHouse } from '../../tests/world.ts'
import { PLATFORM } from '../base/ids.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { signOutEverywhere } from './sign-out.ts'
import { faultsOf } from './verify-site.ts'

describe('signing a person out with the terminal command', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)

  test('10.4 every session and device of the person ends, others’ stay, the password stays, and the audit log says why', async () => {
    const [lea, max] = [await personWithAccount(house, 'Lea', 'lea@example.com'), await personWithAccount(house, 'Max', 'max@example.com')]
    const [phone, laptop] = [openBrowser(), openBrowser()]
    const first = await provider.signIn(phone, lea)
    const second = await provider.signIn(laptop, lea)
    const other = await provider.signIn(openBrowser(), max)
    const device = {
      endpoint: 'https://fcm.googleapis.com/fcm/send/lea',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }
    const kept = await provider.api('PUT', '/push/subscriptions', first.tokens.access_token, device)
    assert.ok(kept.status < 300, String(kept.status))
    assert.equal(await signOutEverywhere(house.house, 'LEA@example.com', 'Phone lost on 12 March'), 'Lea')
    for (const { tokens, config } of [first, second])
      await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token ?? ''), client.ResponseBodyError)
    for (const browser of [phone, laptop]) assert.equal((await browser.get((await provider.begin()).url)).left, null)
    assert.deepEqual(await house.rows('select 1 from push_subscription where user_id = $1', [lea.user_id]), [])
    assert.ok((await client.refreshTokenGrant(other.config, other.tokens.refresh_token ?? '')).access_token)
    assert.ok((await provider.signIn(openBrowser(), lea)).tokens.access_token)
    const [entry] = await house.rows(
      "select action, reason, entity_id from audit_entry where site_id = $1 and cause = 'account.sign_out'",
      [PLATFORM],
    )
    assert.deepEqual(entry, { action: 'update', reason: 'Signed out everywhere: Phone lost on 12 March', entity_id: lea.account_id })
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
    const faults = []
    for await (const fault of faultsOf(house.house, house.house.database.db, PLATFORM, false)) faults.push(fault)
    assert.deepEqual(faults, [], 'the account is still what its log says')
    await assert.rejects(signOutEverywhere(house.house, 'nobody@example.com', 'x'), /No account has the email address/)
  })
})
