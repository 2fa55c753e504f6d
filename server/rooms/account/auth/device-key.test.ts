// The key with which the app encrypts what it stores on a person's devices (decision 844).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { openBrowser, openProvider, personWithAccount } from '../../../../tests/provider.ts'
import { useHouse } from '../../../../tests/world.ts'
import { signOutEverywhere } from '../../../commands/sign-out.ts'
import { encryptSecrets } from '../../../kernel/identity/door.ts'

describe('the key of a person’s devices', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const path = '/auth/device-key'
  type Asking = { post(path: string, body: unknown): Promise<{ status: number; body: { id: string; key: string } }> }
  const keyOf = async (who: Asking) => {
    const answer = await who.post(path, {})
    assert.equal(answer.status, 200)
    return answer.body
  }

  test('V14.3.1 each person has one key, which is made once and comes back at every sign-in; nobody gets that of another', async () => {
    const [ana, ben] = [await house.person('Ana'), await house.person('Ben')]
    const all = await Promise.all(Array.from({ length: 20 }, () => keyOf(ana)))
    assert.equal(new Set(all.map(({ key }) => key)).size, 1, 'twenty devices at the same time')
    assert.equal(Buffer.from(all[0]?.key ?? '', 'base64').length, 32)
    const other = await keyOf(ben)
    assert.notEqual(other.key, all[0]?.key)
    assert.notEqual(other.id, all[0]?.id)
    assert.deepEqual(await keyOf(ana), all[0])
  })

  test('V14.3.1 the key is stored encrypted, with a secret that SECRETS_KEY encrypts, and can’t be used for another person', async () => {
    const [ida, jon] = [await house.person('Ida'), await house.person('Jon')]
    const [key, other] = [await keyOf(ida), await keyOf(jon)]
    const dump = JSON.stringify(await house.rows('select * from device_key'))
    for (const one of [key, other]) assert.ok(!dump.includes(one.key))
    house.house.settings.secrets_keys = [randomBytes(32)]
    await encryptSecrets(house.house)
    assert.match(JSON.stringify(await house.rows("select value from platform_secret where name = 'device_keys'")), /"encrypted"/)
    assert.deepEqual(await keyOf(ida), key)
    await house.rows(
      'update device_key set encrypted = (select encrypted from device_key where user_id = $1), id = $2 where user_id = $3',
      [jon.user_id, other.id.replace(/.$/, last => (last === '0' ? '1' : '0')), ida.user_id],
    )
    assert.equal((await ida.post(path, {})).status, 500)
  })

  test('V14.3.1 without a token, and with one of a session that has ended, there is no key', async () => {
    assert.equal((await house.nobody.post(path, {})).status, 401)
    const lea = await personWithAccount(house, 'Lea', 'lea@example.com')
    const { tokens } = await provider.signIn(openBrowser(), lea)
    assert.equal((await provider.api('POST', path, tokens.access_token)).status, 200)
    await signOutEverywhere(house.house, lea.email, 'Phone lost')
    assert.equal((await provider.api('POST', path, tokens.access_token)).status, 401)
  })
})
