import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mailsTo, sendMails } from '../../../../tests/outbox.ts'
import { PASSPHRASE, personWithAccount } from '../../../../tests/provider.ts'
import { useHouse } from '../../../../tests/world.ts'

const NEW = 'kelp barn tax window'

describe('change-password', () => {
  const house = useHouse()
  let n = 0
  const owner = async (more: { must_change_password?: boolean } = {}) => {
    const email = `owner${++n}@example.com`
    const account = await personWithAccount(house, 'Olive Owner', email, more)
    return { ...account, email, ...(await house.person('Olive Owner', { subject: account.account_id, email })) }
  }
  const change = (who: { post: Awaited<ReturnType<typeof owner>>['post'] }, current_password: string, new_password: string) =>
    who.post('/auth/change-password', { current_password, new_password })
  const fields = (reply: { body: { error: { fields: { path: string; message: string }[] } } }) => reply.body.error.fields.map(f => f.path)

  test('§5 the correct current password and a good new one give 204, the person gets an email, and the app’s flag is cleared', async () => {
    const olive = await owner({ must_change_password: true })
    assert.equal((await olive.get('/auth/me')).body.flags.must_change_password, true)
    const done = await change(olive, PASSPHRASE, NEW)
    assert.equal(done.status, 204, done.text)
    assert.equal((await olive.get('/auth/me')).body.flags.must_change_password, false)
    await sendMails(house)
    const mail = mailsTo(house, olive.email).at(-1)
    assert.equal(mail?.kind, 'password_changed')
    assert.ok(mail?.text.includes('16 March 2026') && mail.text.includes('http://walkdown.test/oidc/forgot'))
    assert.deepEqual(
      fields(await change(olive, PASSPHRASE, 'another one entirely')),
      ['current_password'],
      'the old password no longer works',
    )
    assert.equal((await change(olive, NEW, 'another one entirely')).status, 204)
  })

  test('§5 fourteen characters give 422; a passphrase of words and spaces gives 204', async () => {
    const olive = await owner()
    const short = await change(olive, PASSPHRASE, 'fourteen chars')
    assert.deepEqual([short.status, fields(short)], [422, ['new_password']])
    assert.match(short.body.error.fields[0].message, /at least 15 characters; it has 14/)
    assert.equal((await change(olive, PASSPHRASE, 'twenty words or so..')).status, 204)
  })

  test('§5 a common password, one with the address or the name of a site, and the current one are refused', async () => {
    const w = await house.world({ name: 'Puddle Dock' })
    const olive = await owner()
    const { body: link } = await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'viewer' })
    assert.equal((await olive.post(`/invite-links/accept/${link.token}`, {})).status, 201)
    for (const bad of [
      'passwordpassword',
      'qwertyuiopasdfgh',
      `${olive.email} is me`,
      'all quiet at puddle-dock',
      PASSPHRASE,
      'x'.repeat(129),
    ]) {
      const refused = await change(olive, PASSPHRASE, bad)
      assert.deepEqual([refused.status, fields(refused)], [422, ['new_password']], bad)
      assert.ok(!refused.text.includes(bad), 'the response doesn’t repeat what was typed')
    }
  })

  test('§5 a wrong current password gives 422 on current_password; after five in fifteen minutes even the right one gives 429 until they have passed', async () => {
    const olive = await owner()
    for (let i = 0; i < 5; i++) assert.deepEqual(fields(await change(olive, `wrong ${i}`, NEW)), ['current_password'])
    const stopped = await change(olive, PASSPHRASE, NEW)
    assert.deepEqual([stopped.status, stopped.headers['retry-after']], [429, '900'])
    const other = await owner()
    assert.equal((await change(other, PASSPHRASE, NEW)).status, 204, 'another person isn’t limited')
    house.clock('2026-03-16T09:14:59.000Z')
    assert.equal((await change(olive, PASSPHRASE, NEW)).status, 429)
    house.clock('2026-03-16T09:15:00.000Z')
    assert.equal((await change(olive, PASSPHRASE, NEW)).status, 204)
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§5 of twenty guesses at the same time only five are checked; a correct one clears the count of wrong ones before it', async () => {
    const olive = await owner()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, i) => change(olive, `guess ${i}`, NEW)))
    assert.deepEqual([guesses.filter(g => g.status === 422).length, guesses.filter(g => g.status === 429).length], [5, 15])
    const other = await owner()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await change(other, 'wrong', NEW)
      assert.equal((await change(other, round % 2 === 0 ? PASSPHRASE : NEW, round % 2 === 0 ? NEW : PASSPHRASE)).status, 204)
    }
  })

  test('§5 of two changes at the same time with the same password, one succeeds', async () => {
    const olive = await owner()
    const both = await Promise.all([change(olive, PASSPHRASE, NEW), change(olive, PASSPHRASE, 'another one entirely')])
    assert.deepEqual(both.map(b => b.status).sort(), [204, 422])
  })

  test('§5 a password is never logged and never in an audit entry, is stored as Argon2id, and a stored response doesn’t reveal it', async () => {
    const olive = await owner()
    const lines: string[] = []
    const { log } = house.house
    const keep = (line: unknown) => lines.push(JSON.stringify(line))
    Object.assign(house.house, { log: Object.assign(Object.create(log), { info: keep, warn: keep, error: keep }) })
    const body = { current_password: PASSPHRASE, new_password: NEW }
    const [one, two] = [
      await olive.post('/auth/change-password', body, { 'idempotency-key': 'pw-1' }),
      await olive.post('/auth/change-password', { current_password: 'a wrong guess', new_password: NEW }),
    ]
    Object.assign(house.house, { log })
    assert.deepEqual([one.status, two.status], [204, 422])
    assert.ok(lines.some(line => line.includes('account.change_password')))
    const { pool } = house.house.database
    const { rows: entries } = await pool.query(`select changes::text as said from audit_entry where entity_id = $1 order by seq`, [
      olive.account_id,
    ])
    const said = entries.map(e => e.said).join()
    assert.match(said, /"password_hash", "before": "\[secret\]"|"path": "password_hash"/)
    assert.ok(!said.includes('$argon2id'))
    const { rows } = await pool.query(`select a.password_hash, k::text as kept from account a, idempotency_key k where a.id = $1`, [
      olive.account_id,
    ])
    assert.match(rows[0].password_hash, /^\$argon2id\$/)
    for (const secret of [PASSPHRASE, NEW, 'a wrong guess']) assert.ok(![...lines, said, ...rows.map(r => r.kept)].join().includes(secret))
  })

  test('§5 a call without a token gives 401; a caller without an account of the built-in provider, or a malformed body, gives 422', async () => {
    assert.equal((await house.nobody.post('/auth/change-password', { current_password: 'a', new_password: 'b' })).status, 401)
    const foreign = await house.person('Frida Foreign')
    assert.deepEqual(fields(await change(foreign, PASSPHRASE, NEW)), ['current_password'])
    const olive = await owner()
    assert.deepEqual(fields(await olive.post('/auth/change-password', { new_password: 5, more: 1 })).sort(), [
      'current_password',
      'more',
      'new_password',
    ])
    assert.equal((await olive.get('/auth/change-password')).status, 405)
  })
})
