import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../tests/permits.ts'
import { personWithAccount } from '../../tests/provider.ts'
import { useHouse } from '../../tests/world.ts'
import { PLATFORM } from '../base/ids.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { CommandError } from './command.ts'
import { erasePeople } from './erase.ts'
import { tokenFor } from './token.ts'

describe('erasing a person with the terminal command', () => {
  const house = useHouse()

  test('§4 a signer’s name, address and sign-in are erased, their signatures are unchanged, and every chain verifies', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const email = 'ivy.signer@example.com'
    await house.rows(
      "begin; set local session_replication_role = replica; update app_user set email = 'ivy.signer@example.com' where id = '" +
        w.issuer.user_id +
        "'; commit",
    )
    await w.issuer.put('/push/subscriptions', {
      endpoint: 'https://fcm.googleapis.com/fcm/send/ivy',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    })
    const devices = () => house.rows('select count(*) as n from push_subscription where user_id = $1', [w.issuer.user_id])
    assert.equal((await devices())[0].n, 1)
    const key = (await w.issuer.post('/auth/device-key', {})).body
    const signed = () =>
      house.rows('select kind, signer_id, hash, content_hash from permit_signature where permit_id = $1 order by number', [permit.id])
    const before = await signed()
    assert.deepEqual(await erasePeople(house.house, email, 'Asked by letter of 12 March'), { people: 1, invitations: 0 })
    assert.deepEqual(await signed(), before)
    assert.equal((await devices())[0].n, 0, 'their device no longer gets messages')
    assert.deepEqual(await house.rows('select 1 from device_key where user_id = $1', [w.issuer.user_id]), [])
    const [name] = (await w.as('admin').get(`/users/bulk?id=${w.issuer.user_id}&site_id=${w.site_id}`)).body
    assert.deepEqual([name.name, name.disabled], ['Former user', true])
    const me = (await w.issuer.get('/auth/me')).body
    assert.notEqual(me.user.id, w.issuer.user_id, 'a person who comes back with the same sign-in is a new user')
    assert.notDeepEqual((await w.issuer.post('/auth/device-key', {})).body, key, 'what is still on devices stays unreadable (844)')
    assert.equal((await w.issuer.get(`/sites/${w.site_id}`)).status, 404)
    for (const site of [PLATFORM, w.site_id]) assert.equal((await verifyChain(house.house.database.db, site)).fault, null)
    const said = await house.rows(`select changes from audit_entry where site_id = $1 and entity_id = $2`, [PLATFORM, w.issuer.user_id])
    assert.ok(said.length >= 2 && said.every(entry => entry.changes === null))
    const [row] = await house.rows('select * from app_user where id = $1', [w.issuer.user_id])
    assert.ok(!JSON.stringify(row).includes('ivy.signer') && !JSON.stringify(row).includes('Ivy'))
  })

  test('§4 the memberships of an erased person end, also that of a last administrator: nobody can name them any longer, and others get their duties and their tasks', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const admin = w.as('admin')
    const other = await house.world()
    await house.rows(
      `begin; set local session_replication_role = replica; update app_user set email = 'gone@example.com' where id in ('${w.receiver.user_id}', '${other.as('admin').user_id}'); commit`,
    )
    const [{ membership_id }] = (await other.as('admin').get(`/sites/${other.site_id}/members?id=${other.as('site_manager').user_id}`)).body
    assert.equal((await other.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.deepEqual(await erasePeople(house.house, 'gone@example.com', 'They asked'), { people: 2, invitations: 0 })
    const left = await house.rows('select status from membership where user_id = any($1)', [
      [w.receiver.user_id, other.as('admin').user_id],
    ])
    assert.deepEqual(
      left.map(row => row.status),
      ['ended', 'ended'],
    )
    const tasks = (await admin.get(`/tasks/?site_id=${w.site_id}&kind=reassign_duties`)).body
    assert.deepEqual(
      tasks.map((task: { subject: { label: string } }) => task.subject.label),
      [`receiver of ${permit.permit_number}`],
    )
    const named = await w.as('member').post('/permits/applications', { site_id: w.site_id, receiver_id: w.receiver.user_id })
    assert.deepEqual([named.status, named.body.error.fields[0].path], [422, 'receiver_id'])
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })

  test('§4 an account of the built-in provider is erased with its sessions, and its address can be used again', async () => {
    const known = await personWithAccount(house, 'Otto', 'otto@example.com')
    assert.ok((await tokenFor(house.house, 'otto@example.com')).length > 100)
    await erasePeople(house.house, 'OTTO@example.com', 'They asked')
    await assert.rejects(tokenFor(house.house, 'otto@example.com'), CommandError)
    assert.deepEqual(await house.rows(`select 1 from account where email ilike '%otto%' or name ilike '%otto%'`), [])
    const again = await personWithAccount(house, 'Otto the second', known.email)
    assert.ok(again)
    await assert.rejects(erasePeople(house.house, 'nobody@example.com', 'x'), /No one in this installation has the address/)
  })

  test('§4 invitations to the address lose it, also in the audit log of their site; open ones are revoked, and nobody can join by them', async () => {
    const w = await permitWorld(house)
    const admin = w.as('admin')
    const email = 'Nell.Newcomer@example.com'
    const made = await admin.post(`/invites/sites/${w.site_id}`, { role: 'viewer', email, name: 'Nell Newcomer', message: 'Welcome, Nell' })
    assert.equal(made.status, 201, made.text)
    const other = await admin.post(`/invites/sites/${w.site_id}`, { role: 'viewer', email: 'kept@example.com' })
    assert.equal(other.status, 201, other.text)
    assert.deepEqual(await erasePeople(house.house, 'nell.newcomer@example.com', 'They asked'), { people: 0, invitations: 1 })
    const [row] = (await admin.get(`/invites/sites/${w.site_id}?id=${made.body.id}`)).body.filter(
      (one: { id: string }) => one.id === made.body.id,
    )
    assert.deepEqual([row.status, row.email, row.name, row.message], ['revoked', null, null, null])
    const [kept] = await house.rows('select email, revoked_at from invite where id = $1', [other.body.id])
    assert.deepEqual([kept.email, kept.revoked_at], ['kept@example.com', null])
    for (const table of ['invite', 'audit_entry', 'event']) {
      const rows = await house.rows(`select 1 from ${table} x where x.site_id = $1 and x::text ilike any ('{%nell%,%newcomer%}')`, [
        w.site_id,
      ])
      assert.equal(rows.length, 0, table)
    }
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    await assert.rejects(erasePeople(house.house, email, 'again'), /no invitation was sent to it/)
  })
})
