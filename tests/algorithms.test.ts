// V11.2.2: an algorithm can be replaced while the installation is in use. What was made with the earlier one still verifies, and a wrong label is found.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Db } from '../server/base/db.ts'
import { decrypted, encrypted } from '../server/base/encrypt.ts'
import { PLATFORM } from '../server/base/ids.ts'
import { readSettings } from '../server/base/settings.ts'
import { secretFaults } from '../server/commands/verify-places.ts'
import { faultsOf, type SiteFault } from '../server/commands/verify-site.ts'
import { hashPassword, passwordFits } from '../server/kernel/accounts/door.ts'
import { verifyChain } from '../server/kernel/audit/door.ts'
import { encryptSecrets, platformSecret } from '../server/kernel/identity/door.ts'
import { publicKeys, rotateKeys, signerOf } from '../server/kernel/statements/door.ts'
import { checkAuditLog } from '../shared/proof/audit-log.ts'
import { factsText, linkText, wordsText } from '../shared/proof/entry.ts'
import { type PublicKey, signedBy } from '../shared/proof/statement.ts'
import { altered } from './altered.ts'
import { useHouse, type World } from './world.ts'

describe('V11.2.2: the hash of the audit log', () => {
  const house = useHouse({}, { without_stock: true })
  let w: World
  /** Numbers of an entry of each version that has an event. */
  let older = 0
  let newer = 0

  const add = async (name: string) => {
    const by = w.as('coordinator')
    const made = await by.post('/contractors/', { site_id: w.site_id, name, confirm_similar: true })
    const changed = await by.patch(`/contractors/${made.body.id}`, { trades: ['scaffolding'] })
    assert.deepEqual([made.status, changed.status], [201, 200], made.text)
    const [head] = await house.rows(`select seq from site_head where site_id = '${w.site_id}'`)
    return Number(head.seq)
  }
  const found = async (db: Db): Promise<SiteFault[]> => {
    const faults: SiteFault[] = []
    for await (const fault of faultsOf(house.house, db, w.site_id, false)) faults.push(fault)
    return faults
  }

  before(async () => {
    w = await house.world()
    older = await add('First')
    house.house.settings.algorithms.audit_hash = 'sha-512'
    newer = await add('Second')
    house.house.settings.algorithms.audit_hash = 'sha-256'
    await add('Third')
    house.house.settings.algorithms.audit_hash = 'sha-512'
    await add('Fourth')
  })

  test('V11.2.2 a log whose hash changes midway, and back, verifies as a whole, and so does its export', async () => {
    const versions = await house.rows(`select distinct v from audit_entry where site_id = '${w.site_id}' order by v`)
    assert.deepEqual(
      versions.map(({ v }) => v),
      [2, 3],
    )
    const { fault, entries, head } = await verifyChain(house.house.database.db, w.site_id)
    assert.deepEqual([fault, entries], [null, head?.seq])
    assert.match(head?.hash ?? '', /^[0-9a-f]{64}$/, 'heads keep their form')
    assert.deepEqual(await found(house.house.database.db), [])
    const csv = (await w.superadmin.get(`/audit/site/${w.site_id}?format=csv`)).text
    const keys = (await house.nobody.get(`/permits/verification-keys?site_id=${w.site_id}`)).body
    const { flaws, doubt } = await checkAuditLog(csv, keys)
    assert.deepEqual([flaws, doubt], [[], null])
    assert.match(csv, /,2,[0-9a-f-]{36},user,/)
    assert.match(csv, /,3,[0-9a-f-]{36},user,/)
  })

  test('V11.2.2 an entry of version 3 has the first 256 bits of SHA-512 in every digest, and its hash covers its version', async () => {
    const half = (text: string) => createHash('sha512').update(text).digest('hex').slice(0, 64)
    const shown = (await w.superadmin.get(`/audit/site/${w.site_id}?limit=200`)).body
    assert.deepEqual([...new Set(shown.map((entry: { hash_version: number }) => entry.hash_version))].sort(), [2, 3])
    const [row] = await house.rows(
      `select to_jsonb(e) as e, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from audit_entry e where site_id = '${w.site_id}' and seq = ${newer}`,
    )
    const entry = { ...row.e, at: row.at }
    assert.equal(entry.v, 3)
    const words_digest = half(entry.words_salt + wordsText(entry))
    const facts = half(factsText({ ...entry, words_digest }))
    assert.equal(half(entry.prev_hash + linkText({ ...entry, facts })), entry.hash)
    assert.notEqual(half(entry.prev_hash + linkText({ ...entry, facts, v: 2 })), entry.hash)
  })

  test('V11.2.2 a forged label is found as an alteration, and a version that nobody knows is a finding', async () => {
    const at = `site_id = '${w.site_id}'`
    const faultAt = (seq: number, v: number) =>
      altered(
        house.house,
        [`update audit_entry set v = ${v} where ${at} and seq = ${seq} returning id`],
        async db => (await verifyChain(db, w.site_id)).fault,
      )
    for (const [seq, v, what] of [
      [newer, 2, 'digest'],
      [older, 3, 'digest'],
      [newer, 1, 'version'],
      [newer, 4, 'version'],
      [newer, 0, 'version'],
      [newer, -1, 'version'],
      [newer, 32_767, 'version'],
    ] as const) {
      const fault = await faultAt(seq, v)
      assert.deepEqual([fault?.seq, fault?.what], [seq, what], `entry ${seq} as version ${v}`)
    }
    const [event] = await house.rows(`select max(event_no)::int as no from event where ${at} and schema = 2`)
    for (const schema of [1, 0, 3, -1, 1_000_000]) {
      const fault = await altered(
        house.house,
        [`update event set schema = ${schema} where ${at} and event_no = ${event.no} returning id`],
        async db => (await verifyChain(db, w.site_id)).fault,
      )
      assert.deepEqual([fault?.what, fault?.detail], ['event', `Event ${event.no} was altered.`], `schema ${schema}`)
    }
    const csv = (await w.superadmin.get(`/audit/site/${w.site_id}?format=csv`)).text
    for (const label of ['2', '4', '', 'x', '__proto__']) {
      const { flaws } = await checkAuditLog(csv.replace(/,3,([0-9a-f-]{36},user,)/, `,${label},$1`), null)
      assert.ok(
        flaws.some(flaw => flaw.where.startsWith('entry ')),
        label,
      )
    }
  })

  test('V11.2.2 the database refuses to seal with a version that it doesn’t know', async () => {
    await assert.rejects(house.rows(`select audit_digest(4, 'x')`), /no hash version 4/)
    assert.throws(() => readSettings({ AUDIT_HASH: 'md5' }), /AUDIT_HASH must be sha-256 or sha-512/)
  })
})

describe('V11.2.2: keys, secrets and passwords', () => {
  const house = useHouse({}, { without_stock: true })
  const { algorithms } = readSettings({})

  test('V11.2.2 a secret says by which cipher it was encrypted, and the next start encrypts it with the one in KEY_CIPHER', async () => {
    const stored = async () =>
      String((await house.rows(`select value ->> 'encrypted' as text from platform_secret where name = 'agility'`))[0].text)
    const read = () => platformSecret(house.house, 'agility', async () => 'never made again')
    const key = randomBytes(32)
    house.house.settings.secrets_keys = [key]
    await platformSecret(house.house, 'agility', async () => 'kept')
    assert.match(await stored(), /^[A-Za-z0-9+/=]+$/)
    for (const [cipher, label] of [
      ['chacha20-poly1305', /^chacha20-poly1305:[A-Za-z0-9+/=]+$/],
      ['aes-256-gcm', /^[A-Za-z0-9+/=]+$/],
    ] as const) {
      house.house.settings.algorithms = { ...algorithms, key_cipher: cipher }
      assert.equal(await read(), 'kept', 'before it is encrypted again')
      await encryptSecrets(house.house)
      assert.match(await stored(), label)
      assert.equal(await read(), 'kept')
    }
    const faults: string[] = []
    for await (const { where } of secretFaults(house.house.database.db)) faults.push(where)
    assert.deepEqual(faults, [], 'the platform’s audit log knows each new digest')
  })

  test('V11.2.2 a value can’t be decrypted under the label of another cipher, and an unknown label is refused by name', () => {
    const key = randomBytes(32)
    for (const cipher of ['aes-256-gcm', 'chacha20-poly1305'] as const) {
      const text = encrypted(key, Buffer.from('secret'), 'about', cipher)
      assert.equal(decrypted(key, text, 'about').toString(), 'secret')
      assert.throws(() => decrypted(key, text, 'another'))
      const bare = text.replace(/^.*:/, '')
      assert.throws(() => decrypted(key, cipher === 'aes-256-gcm' ? `chacha20-poly1305:${bare}` : bare, 'about'))
      assert.throws(() => decrypted(key, `rot13:${bare}`, 'about'), /The cipher “rot13” isn’t known/)
    }
  })

  test('V11.2.2 a site that changes the curve of its keys keeps the signatures of the earlier ones, and a key on an unknown curve proves nothing', async () => {
    const earlier = await signerOf(house.house, PLATFORM)
    const [old] = await publicKeys({ db: house.house.database.db }, PLATFORM)
    const w = await house.world()
    const first = await signerOf(house.house, w.site_id)
    house.house.settings.algorithms = { ...algorithms, signing_keys: 'P-256', key_cipher: 'chacha20-poly1305' }
    await rotateKeys(house.house, w.site_id, null)
    const second = await signerOf(house.house, w.site_id)
    house.house.settings.algorithms = algorithms
    const keys: PublicKey[] = (await house.nobody.get(`/permits/verification-keys?site_id=${w.site_id}`)).body
    assert.deepEqual(
      keys.map(({ kid, jwk }) => [kid, jwk.kty, jwk.crv]),
      [
        [first.kid, 'OKP', 'Ed25519'],
        [second.kid, 'EC', 'P-256'],
      ],
    )
    const [ed, ec] = keys
    assert.ok(ed !== undefined && ec !== undefined && old !== undefined)
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    for (const [key, signer] of [
      [old, earlier],
      [ed, first],
      [ec, second],
    ] as const) {
      const signature = bytes(signer.sign('said'))
      assert.equal(signature.length, 64)
      assert.equal(await signedBy(key, 'said', signature), true)
      assert.equal(await signedBy(key, 'said otherwise', signature), false)
      for (const jwk of [
        { ...key.jwk, crv: 'P-1' },
        { ...key.jwk, crv: key.jwk.crv === 'P-256' ? 'Ed25519' : 'P-256' },
      ])
        assert.equal(await signedBy({ jwk }, 'said', signature), false)
    }
    const [row] = await house.rows('select sealed, public_key from signing_key where kid = $1', [second.kid])
    assert.match(row.sealed, /^chacha20-poly1305:/)
    assert.match(row.public_key, /^P-256\./)
    const csv = (await w.superadmin.get(`/audit/site/${w.site_id}?format=csv`)).text
    assert.deepEqual((await checkAuditLog(csv, keys)).flaws, [])
  })

  test('V11.2.2 a password’s hash says by which scheme and cost it was made, and one of either scheme can be checked', async () => {
    for (const scheme of ['argon2id', 'scrypt'] as const) {
      const hash = await hashPassword('wet paint on the door', scheme)
      assert.match(hash, scheme === 'scrypt' ? /^\$scrypt\$ln=17,r=8,p=1\$/ : /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.equal(await passwordFits('wet paint on the door', hash), true)
      assert.equal(await passwordFits('wet paint on the Door', hash), false)
      await assert.rejects(passwordFits('wet paint on the door', hash.replace(scheme, 'md5')), /unknown format/)
    }
    assert.match(await hashPassword('wet paint on the door'), /^\$argon2id\$/)
  })
})
