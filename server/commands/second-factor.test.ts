import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setUpApp } from '../../tests/factor.ts'
import { mailsTo, sendMails } from '../../tests/outbox.ts'
import { type Owner, openBrowser, openProvider, personWithAccount } from '../../tests/provider.ts'
import { useHouse } from '../../tests/world.ts'
import { PLATFORM } from '../base/ids.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { CommandError } from './command.ts'
import { erasePeople } from './erase.ts'
import { removeSecondFactor } from './second-factor.ts'
import { faultsOf } from './verify-site.ts'

describe('removing a second factor with the terminal command', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const faults = async () => {
    const found: string[] = []
    for await (const fault of faultsOf(house.house, house.house.database.db, PLATFORM, false)) found.push(JSON.stringify(fault))
    return found
  }
  const entered = async (who: Owner) => {
    const browser = openBrowser()
    return browser.submit(await browser.get((await provider.begin()).url), { email: who.email, password: who.password })
  }

  test('10.4 the person is signed out everywhere and gets an email, the password alone is enough again, and the audit log says why', async () => {
    const lea = await personWithAccount(house, 'Lea', 'lea@example.com')
    const browser = openBrowser()
    const { tokens } = await provider.signIn(browser, lea)
    await setUpApp(house, provider, lea, browser)
    assert.equal((await provider.me(tokens.access_token)).status, 200, 'this session continued when the factor was set up')
    assert.match((await entered(lea)).html, /Enter your code/)
    assert.equal(await removeSecondFactor(house.house, 'LEA@example.com', 'Phone and codes lost; met her on site'), 'Lea')
    assert.equal((await provider.me(tokens.access_token)).status, 401)
    assert.equal((await entered(lea)).left?.pathname, '/signed-in')
    await sendMails(house)
    const mail = mailsTo(house, lea.email).at(-1)
    assert.equal(mail?.subject, 'Your second factor was removed')
    assert.match(mail?.text ?? '', /people who run the service removed/)
    const [entry] = await house.rows(
      "select action, actor_name, reason, entity_id, changes::text from audit_entry where site_id = $1 and cause = 'account.remove_second_factor'",
      [PLATFORM],
    )
    assert.deepEqual(
      [entry.action, entry.actor_name, entry.reason, entry.entity_id],
      ['update', 'walkdown second-factor', 'Second factor removed: Phone and codes lost; met her on site', lea.account_id],
    )
    assert.match(entry.changes, /factor_secret.*\[secret\]/)
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
    assert.deepEqual(await faults(), [])
    await assert.rejects(removeSecondFactor(house.house, lea.email, 'x'), /Lea has no second factor/)
    await assert.rejects(removeSecondFactor(house.house, 'nobody@example.com', 'x'), CommandError)
  })

  test('10.4 a second factor that is removed, swapped or added with SQL is found, and so is a recovery code', async () => {
    const [max, ned] = [await personWithAccount(house, 'Max', 'max@example.com'), await personWithAccount(house, 'Ned', 'ned@example.com')]
    for (const who of [max, ned]) await setUpApp(house, provider, who)
    const eve = await personWithAccount(house, 'Eve', 'eve@example.com')
    assert.deepEqual(await faults(), [])
    const [was] = await house.rows('select factor_secret, factor_since, recovery_hashes from account where id = $1', [max.account_id])
    const set = async (id: string, columns: string, values: unknown[] = []) => {
      const { pool } = house.house.database
      const connection = await pool.connect()
      try {
        await connection.query('begin; set local session_replication_role = replica')
        await connection.query(`update account set ${columns} where id = '${id}'`, values)
        await connection.query('commit')
      } finally {
        connection.release()
      }
    }
    const all = 'factor_secret = $1, factor_since = $2, recovery_hashes = $3'
    for (const [what, id, columns, values] of [
      ['removed', max.account_id, all, [null, null, null]],
      ['swapped', max.account_id, 'factor_secret = (select factor_secret from account where email = $1)', [ned.email]],
      ['dated back', max.account_id, "factor_since = factor_since - interval '1 day'", []],
      ['a recovery code', max.account_id, 'recovery_hashes = array_append(recovery_hashes, $1)', ['0'.repeat(64)]],
      ['added', eve.account_id, all, [was.factor_secret, was.factor_since, was.recovery_hashes]],
    ] as const) {
      await set(id, columns, [...values])
      const found = await faults()
      assert.equal(found.length, 1, what)
      assert.ok(found[0]?.includes(id), `${what}: ${found[0]}`)
      await set(id, all, id === max.account_id ? [was.factor_secret, was.factor_since, was.recovery_hashes] : [null, null, null])
      assert.deepEqual(await faults(), [], what)
    }
    // The secret of another account doesn’t work either, because it is encrypted for that account.
    await set(max.account_id, 'factor_secret = (select factor_secret from account where email = $1)', [ned.email])
    assert.match((await entered(max)).html, /Enter your code/)
    const browser = openBrowser()
    const page = await browser.submit(await browser.get((await provider.begin()).url), { email: max.email, password: max.password })
    assert.deepEqual([(await browser.submit(page, { code: '123456' })).status], [422])
    await set(max.account_id, all, [was.factor_secret, was.factor_since, was.recovery_hashes])
  })

  test('10.4 an erased person has no second factor, no recovery codes and no used code left', async () => {
    const otto = await personWithAccount(house, 'Otto', 'otto@example.com')
    await setUpApp(house, provider, otto)
    assert.equal((await house.rows('select 1 from account_code_step where account_id = $1', [otto.account_id])).length, 1)
    await erasePeople(house.house, otto.email, 'They asked')
    assert.deepEqual(
      await house.rows('select factor_secret, factor_since, recovery_hashes from account where id = $1', [otto.account_id]),
      [{ factor_secret: null, factor_since: null, recovery_hashes: null }],
    )
    assert.deepEqual(await house.rows('select 1 from account_code_step where account_id = $1', [otto.account_id]), [])
    assert.deepEqual(await faults(), [])
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
  })
})
