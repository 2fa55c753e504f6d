import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import { readSettings, SettingsError } from '../../base/settings.ts'
import { secretFaults } from '../../commands/verify-places.ts'
import { encryptSecrets, mintToken, platformSecret, providerKeys } from './door.ts'

describe('the secrets of the installation under SECRETS_KEY', () => {
  const house = useHouse({ CLOCK: 'system' })
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const values = async () =>
    (await house.rows('select name, value from platform_secret order by name')) as { name: string; value: unknown }[]
  const withKeys = (...keys: Buffer[]) => {
    house.house.settings.secrets_keys = keys
  }
  const faults = async () => {
    const found: string[] = []
    for await (const { where } of secretFaults(house.house.database.db)) found.push(where)
    return found
  }
  const entries = async () =>
    (await house.rows("select count(*)::int as n from audit_entry where cause = 'platform_secret.encrypt'"))[0].n as number
  const refused = (why: RegExp) => (error: unknown) => error instanceof SettingsError && why.test(error.message)

  test('10.4 they are encrypted in the database, once, whatever number of processes starts, and go on working', async () => {
    const una = await house.person('Una')
    const { jwks } = await providerKeys(house.house)
    await platformSecret(house.house, 'unsubscribe', async () => 'kept since last year')
    const plain = await values()
    assert.match(JSON.stringify(plain), /"d":/)
    withKeys(first)
    await Promise.all(Array.from({ length: 4 }, () => encryptSecrets(house.house)))
    const stored = await values()
    assert.deepEqual(
      stored.map(({ name }) => name),
      plain.map(({ name }) => name),
    )
    for (const { value } of stored) assert.deepEqual(Object.keys(value as object), ['encrypted'])
    assert.doesNotMatch(JSON.stringify(stored), /"d":|kept since/)
    assert.equal(await entries(), plain.length, 'one entry for each')
    assert.deepEqual((await providerKeys(house.house)).jwks, jwks)
    assert.equal(await platformSecret(house.house, 'unsubscribe', async () => 'another'), 'kept since last year')
    assert.equal((await una.get('/auth/me')).status, 200, 'nobody has to sign in again')
    assert.deepEqual(await faults(), [], 'verify knows of the change')
    // A new one is encrypted from the start, and none can be put in the place of another.
    await platformSecret(house.house, 'another', async () => 'fresh')
    assert.deepEqual(await faults(), [])
    await house.rows(
      "update platform_secret set value = (select value from platform_secret where name = 'unsubscribe') where name = 'another'",
    )
    await assert.rejects(
      platformSecret(house.house, 'another', async () => ''),
      refused(/isn’t the key/),
    )
    assert.deepEqual(await faults(), ['platform_secret another'])
    await house.rows("delete from platform_secret where name = 'another'")
  })

  test('10.4 the key can be changed, and a process without it doesn’t start', async () => {
    withKeys(first)
    const { jwks } = await providerKeys(house.house)
    await encryptSecrets(house.house)
    withKeys(second, first)
    await encryptSecrets(house.house)
    withKeys(second)
    await encryptSecrets(house.house)
    assert.deepEqual((await providerKeys(house.house)).jwks, jwks)
    withKeys(first)
    await assert.rejects(encryptSecrets(house.house), refused(/isn’t the key/))
    withKeys()
    await assert.rejects(encryptSecrets(house.house), refused(/isn’t set/))
    await assert.rejects(mintToken(house.house, { subject: 'x', name: 'X', email: null, email_verified: false }), refused(/isn’t set/))
    withKeys(second)
    assert.ok(await mintToken(house.house, { subject: 'x', name: 'X', email: null, email_verified: false }))
  })

  test('10.4 a key that isn’t 32 bytes in base64 is refused, without being repeated', () => {
    for (const given of ['short', randomBytes(31).toString('base64'), `${randomBytes(32).toString('base64')},nonsense`, 'x'.repeat(44)])
      assert.throws(
        () => readSettings({ SECRETS_KEY: given }),
        (error: unknown) => refused(/SECRETS_KEY must be 32 random bytes/)(error) && !String(error).includes(given),
      )
    const keys = [first, second].map(key => key.toString('base64'))
    assert.deepEqual(readSettings({ SECRETS_KEY: keys.join(',') }).secrets_keys, [first, second])
  })
})
