import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { writing } from '../../../base/ctx.ts'
import { changeUser } from '../../../kernel/identity/door.ts'

describe('permit appointments', () => {
  const house = useHouse()

  test('POST appoints an active member for one type or for all; a second, equal appointment is refused, even at the same time', async () => {
    const w = await permitWorld(house)
    const who = await w.join('member', null, 'Olga Other')
    const body = { site_id: w.site_id, user_id: who.user_id }
    const one = await w.as('hse').post('/permits/appointments', { ...body, permit_type_id: w.types.HW?.id })
    assert.deepEqual(
      [one.status, one.body.permit_type_code, one.body.user_name, one.body.revoked, one.body.absent],
      [201, 'HW', 'Olga Other', false, false],
    )
    const raced = await Promise.all([1, 2, 3].map(() => w.as('hse').post('/permits/appointments', body)))
    assert.deepEqual(raced.map(r => r.status).sort(), [201, 409, 409])
    assert.equal(raced.find(r => r.status === 409)?.body.error.reason, 'key_taken')
    const list = async (query: string) => (await w.as('admin').get(`/permits/appointments?site_id=${w.site_id}${query}`)).body
    assert.equal((await list(`&user_id=${who.user_id}`)).length, 2)
    assert.equal((await list(`&permit_type_id=${w.types.HW?.id}`)).length, 1)
    assert.equal((await list(`&id=${one.body.id}`))[0].id, one.body.id)
  })

  test('§2 each appointment says whether the caller can revoke it, as the call does, on a locked site too', async () => {
    const w = await permitWorld(house)
    const revoke = async (role: 'hse' | 'member') =>
      (await w.as(role).get(`/permits/appointments?site_id=${w.site_id}`)).body[0].permissions
    assert.deepEqual(await revoke('hse'), { revoke: { allowed: true, because: [] }, can_revoke: true })
    const { revoke: flag, can_revoke } = await revoke('member')
    assert.deepEqual([flag.allowed, can_revoke, flag.because[0].code], [false, false, 'forbidden'])
    const made = await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: w.as('member').user_id })
    assert.deepEqual([made.status, made.body.permissions.can_revoke], [201, true])
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })).status, 200)
    assert.equal((await revoke('hse')).can_revoke, false)
    assert.equal((await w.as('hse').del(`/permits/appointments/${made.body.id}`)).status, 409)
  })

  test('only the settings band can appoint, and only members and types of this site', async () => {
    const w = await permitWorld(house)
    const other = await house.world({ name: 'Elsewhere' })
    const body = { site_id: w.site_id, user_id: w.receiver.user_id }
    assert.equal((await w.as('coordinator').post('/permits/appointments', body)).status, 403)
    assert.equal((await (await w.stranger()).post('/permits/appointments', body)).status, 404)
    assert.equal((await w.as('viewer').get(`/permits/appointments?site_id=${other.site_id}`)).status, 404)
    const foreign = (await other.superadmin.get(`/permits/types?site_id=${other.site_id}`)).body[0].id
    const wrong = await w
      .as('hse')
      .post('/permits/appointments', { site_id: w.site_id, user_id: other.as('member').user_id, permit_type_id: foreign })
    assert.deepEqual(
      wrong.body.error.fields.map((f: { path: string }) => f.path),
      ['user_id', 'permit_type_id'],
    )
  })

  test('DELETE keeps the row and flags it; repeating it changes nothing; a revoked appointment no longer counts', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('approved')
    const [row] = (await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}`)).body
    const path = `/permits/appointments/${row.id}`
    assert.equal((await w.as('member').del(path)).status, 403)
    assert.equal((await w.as('hse').del(path)).status, 204)
    assert.equal((await w.as('hse').del(path)).status, 204)
    const revoked = (await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}&revoked=true`)).body
    assert.deepEqual([revoked.length, revoked[0].revoked, revoked[0].revoked_by], [1, true, w.as('hse').user_id])
    assert.equal((await w.step(permit, 'issue', w.issuer)).status, 404, 'they saw it as its issuer')
    const emitted = await house.rows(`select kind from event where site_id = $1 and kind like 'permit_appointment.%' order by event_no`, [
      w.site_id,
    ])
    assert.deepEqual(
      emitted.map(e => e.kind),
      ['permit_appointment.made', 'permit_appointment.revoked'],
    )
    const entries = (await w.as('admin').get(`/audit/site/${w.site_id}?entity_type=permit_appointment`)).body
    assert.deepEqual(
      [...new Set(entries.map((e: { entity_label: string }) => e.entity_label))],
      ['Ivy Issuer for all types'],
      'the audit log says whose it is',
    )
  })

  test('R1 when a membership ends, the appointment no longer counts, and the open issue tasks no longer belong to that person', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('approved')
    const mine = async () => (await w.issuer.get(`/tasks/?site_id=${w.site_id}&kind=issue_permit`)).body.length
    assert.equal(await mine(), 1)
    const member = (await w.as('admin').get(`/sites/${w.site_id}/members`)).body.find(
      (m: { user_id: string }) => m.user_id === w.issuer.user_id,
    )
    assert.equal((await w.as('admin').del(`/memberships/${member.membership_id}`)).status, 204)
    const [row] = (await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}`)).body
    assert.deepEqual([row.absent, row.revoked], [true, false])
    assert.equal((await w.step(permit, 'issue', w.issuer)).status, 404)
    const open = await house.rows(`select user_ids from task where kind = 'issue_permit' and site_id = $1 and status = 'open'`, [w.site_id])
    assert.ok(!open.some(task => task.user_ids.includes(w.issuer.user_id)))
  })

  test('R1 a superadmin who was appointed as a member and has left the site can’t issue: the appointment doesn’t count, and no flag replaces it', async () => {
    const w = await permitWorld(house)
    const boss = await w.join('admin', null, 'Sue Super')
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: boss.user_id })
    await writing(house.house, { actor: jobActor('test'), cause: 'test' }, ctx =>
      changeUser(ctx.db, boss.user_id, { is_superadmin: true, superadmin_granted: true }),
    )
    const permit = await w.at('approved')
    assert.equal((await w.read(permit, boss)).permissions.can_issue, true)
    const members = (await w.as('admin').get(`/sites/${w.site_id}/members`)).body
    const { membership_id } = members.find((m: { user_id: string }) => m.user_id === boss.user_id)
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.equal((await w.read(permit, boss)).permissions.can_issue, false)
    const { status, body } = await w.step(permit, 'issue', boss)
    assert.deepEqual([status, body.error.gate], [409, 'no_active_appointment'])
  })

  test('R2 a superadmin who is the named receiver and has left the site can’t countersign, and the refusal says what to do', async () => {
    const w = await permitWorld(house)
    const boss = await w.join('member', w.acme, 'Rae Receiver')
    await writing(house.house, { actor: jobActor('test'), cause: 'test' }, ctx =>
      changeUser(ctx.db, boss.user_id, { is_superadmin: true, superadmin_granted: true }),
    )
    const permit = await w.at('signed', { receiver_id: boss.user_id })
    assert.equal((await w.read(permit, boss)).permissions.can_countersign, true)
    const members = (await w.as('admin').get(`/sites/${w.site_id}/members`)).body
    const { membership_id } = members.find((m: { user_id: string }) => m.user_id === boss.user_id)
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.equal((await w.read(permit, boss)).permissions.can_countersign, false)
    const { status, body } = await w.step(permit, 'countersign', boss)
    assert.deepEqual([status, body.error.gate], [409, 'not_named_receiver'])
    assert.match(body.error.detail, /^You are no longer a member of this site, so you can’t countersign/)
  })

  test('§2 appointment_ended: the countersignature warns if the issuer who signed has left the site', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const warned = async () =>
      (await w.read(permit, w.receiver)).advice.countersign.warnings.some((one: { code: string }) => one.code === 'appointment_ended')
    assert.equal(await warned(), false)
    const members = (await w.as('admin').get(`/sites/${w.site_id}/members`)).body
    const { membership_id } = members.find((m: { user_id: string }) => m.user_id === w.issuer.user_id)
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.equal(await warned(), true)
    const signed = await w.step(permit, 'countersign', w.receiver)
    assert.equal(signed.status, 200, signed.text)
    assert.ok(signed.body.warnings.some((one: { code: string }) => one.code === 'appointment_ended'))
  })
})
