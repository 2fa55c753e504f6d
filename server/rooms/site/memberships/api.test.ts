import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { someoneWaits } from '../../../../tests/waits.ts'
import { type Caller, MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor, type Role } from '../../../base/actor.ts'
import { outside } from '../../../base/db.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { approveMembership, endStale, findMembership } from './actions/manage.ts'
import { admit } from './door.ts'

describe('memberships', () => {
  const house = useHouse({}, { pool: 8 })

  const waiting = async (
    w: World,
    role: Role,
    more: { requested_contractor_name?: string; contractor_id?: string } = {},
  ): Promise<Caller & { membership_id: string }> => {
    const who = await house.person('Wanda Waiting')
    const { membership } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx =>
      admit(ctx, w.site_id, {
        user_id: who.user_id,
        role,
        contractor_id: more.contractor_id ?? null,
        requested_contractor_name: more.requested_contractor_name ?? null,
        invite_id: null,
        why_pending: 'approval',
        label: 'Wanda Waiting',
      }),
    )
    return Object.assign(who, { membership_id: String(membership.id) })
  }
  const idOf = async (w: World, who: Caller) =>
    (await w.as('admin').get(`/sites/${w.site_id}/members?id=${who.user_id}`)).body[0]?.membership_id
  const tasks = async (w: World, kind: string) =>
    (
      await house.house.database.pool.query(
        `select subject_id, subject_label, status from task where site_id = $1 and kind = $2 order by raised_at`,
        [w.site_id, kind],
      )
    ).rows

  test('§2 a pending member sees nothing; once approved, they see everything that their role can see', async () => {
    const w = await house.world()
    const wanda = await waiting(w, 'coordinator')
    assert.equal((await wanda.get(`/sites/${w.site_id}`)).status, 404)
    const me = (await wanda.get('/auth/me')).body.memberships[0]
    assert.deepEqual([me.status, me.permissions], ['pending', []])
    const listed = await w.as('site_manager').get(`/memberships/sites/${w.site_id}/pending`)
    assert.deepEqual(
      listed.body.map((m: { id: string; user: { name: string }; why: string; waiting_days: number }) => [
        m.id,
        m.user.name,
        m.why,
        m.waiting_days,
      ]),
      [[wanda.membership_id, 'Wanda Waiting', 'approval', 0]],
    )
    assert.equal((await w.as('coordinator').get(`/memberships/sites/${w.site_id}/pending`)).status, 403)
    assert.deepEqual(
      (await tasks(w, 'approve_membership')).map(t => t.status),
      ['open'],
    )
    const approved = await w.as('site_manager').post(`/memberships/${wanda.membership_id}/approve`, {})
    assert.deepEqual([approved.status, approved.body.status, approved.body.approved_at], [200, 'active', '2026-03-16T09:00:00.000Z'])
    assert.equal((await wanda.get(`/sites/${w.site_id}`)).status, 200)
    assert.deepEqual(
      (await tasks(w, 'approve_membership')).map(t => t.status),
      ['resolved'],
    )
    assert.equal((await w.as('coordinator').post(`/memberships/${wanda.membership_id}/approve`, {})).status, 403)
  })

  test('§2 a downgrade applies to the next request with the same token, and so does the upgrade back', async () => {
    const w = await house.world()
    const hal = w.as('hse')
    const id = await idOf(w, hal)
    const configure = () => hal.patch(`/sites/${w.site_id}`, { emergency_phone: '999' })
    assert.equal((await configure()).status, 200)
    await w.as('site_manager').post(`/memberships/${id}/approve`, { role: 'viewer' })
    assert.equal((await configure()).status, 403)
    await w.as('site_manager').post(`/memberships/${id}/approve`, { role: 'hse' })
    assert.equal((await configure()).status, 200)
  })

  test('1108 a member whose role and contractor stay as they are isn’t notified, and nothing is written', async () => {
    const w = await house.world()
    const membership_id = await idOf(w, w.as('member'))
    const sent = () =>
      house.rows(
        `select kind from event where site_id = '${w.site_id}' and subject_id = '${membership_id}' and kind = 'membership.changed'`,
      )
    const terms = async (body: object) => (await w.as('site_manager').post(`/memberships/${membership_id}/approve`, body)).body
    const before = await terms({})
    assert.deepEqual([(await terms({ role: 'member', contractor_id: before.contractor_id })).version, await sent()], [before.version, []])
    assert.deepEqual([(await terms({ role: 'viewer' })).version, (await sent()).length], [before.version + 1, 1])
  })

  test('§2 nobody can approve above their own rank, or raise their own role', async () => {
    const w = await house.world()
    const cora = await idOf(w, w.as('coordinator'))
    const raised = await w.as('site_manager').post(`/memberships/${cora}/approve`, { role: 'admin' })
    assert.deepEqual([raised.status, raised.body.error.because[0].code], [403, 'rank'])
    assert.equal((await w.as('admin').post(`/memberships/${cora}/approve`, { role: 'admin' })).status, 200)
    assert.equal(
      (await w.as('site_manager').post(`/memberships/${cora}/approve`, { role: 'viewer' })).status,
      403,
      'nor lower a person above them',
    )
    const max = await idOf(w, w.as('site_manager'))
    assert.equal((await w.as('site_manager').post(`/memberships/${max}/approve`, { role: 'admin' })).status, 403)
    assert.equal(
      (await w.as('admin').post(`/memberships/${await idOf(w, w.as('viewer'))}/approve`, { role: 'contractor_hse' })).body.error.fields[0]
        .path,
      'contractor_id',
    )
  })

  test('conventions §2 each request says whether the caller can approve it, with a role that they can give, and turn it away', async () => {
    const w = await house.world()
    await waiting(w, 'admin')
    await waiting(w, 'contractor_hse', { requested_contractor_name: 'Elm Drylining' })
    const flags = async (role: 'admin' | 'site_manager') => {
      const rows = (await w.as(role).get(`/memberships/sites/${w.site_id}/pending`)).body
      return rows.map(({ role, permissions }: { role: string; permissions: { can_approve: boolean; can_end: boolean } }) => [
        role,
        permissions.can_approve,
        permissions.can_end,
      ])
    }
    assert.deepEqual(await flags('site_manager'), [
      ['admin', false, false],
      ['contractor_hse', true, true],
    ])
    assert.deepEqual(await flags('admin'), [
      ['admin', true, true],
      ['contractor_hse', true, true],
    ])
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })).status, 200)
    assert.deepEqual(await flags('admin'), [
      ['admin', false, true],
      ['contractor_hse', false, true],
    ])
  })

  test('§2 the last person who manages members can’t leave or step down, nor can the last two at the same time', async () => {
    const w = await house.world()
    const ada = await idOf(w, w.as('admin'))
    const max = await idOf(w, w.as('site_manager'))
    const both = await Promise.all([w.as('admin').del(`/memberships/${ada}`), w.as('site_manager').del(`/memberships/${max}`)])
    assert.deepEqual(both.map(r => r.status).sort(), [204, 409])
    const [left, id] = both[0].status === 409 ? [w.as('admin'), ada] : [w.as('site_manager'), max]
    const refused = await left.post(`/memberships/${id}/approve`, { role: 'viewer' })
    assert.equal(refused.body.error.guard, 'not_last_administrator')
  })

  test('§2 the last person who manages members can’t leave either if the only other one has been erased', async () => {
    const w = await house.world()
    const [ada, max] = [await idOf(w, w.as('admin')), w.as('site_manager').user_id]
    await house.house.database.pool.query(
      `begin; set local session_replication_role = replica; update app_user set disabled_at = now() where id = '${max}'; commit`,
    )
    const refused = await w.as('admin').del(`/memberships/${ada}`)
    assert.deepEqual([refused.status, refused.body?.error.guard], [409, 'not_last_administrator'])
  })

  test('§4 a person withdraws their own request, which nobody else outside sees; an administrator no longer has a task for it', async () => {
    const w = await house.world()
    const { body: link } = await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })
    const [asks, other] = [await w.stranger(), await w.stranger()]
    for (const who of [asks, other]) assert.equal((await who.post(`/invite-links/accept/${link.token}`, {})).body.status, 'pending')
    const own = async (who: Caller) => (await who.get('/auth/me')).body.memberships
    const [{ id }] = await own(asks)
    assert.equal((await other.del(`/memberships/${id}`)).status, 404)
    assert.equal((await w.as('member').del(`/memberships/${id}`)).status, 404)
    assert.equal((await asks.del(`/memberships/${id}`)).status, 204)
    assert.equal((await asks.del(`/memberships/${id}`)).status, 404)
    assert.deepEqual(await own(asks), [])
    const waiting = (await w.as('admin').get(`/memberships/sites/${w.site_id}/pending`)).body
    assert.deepEqual(
      waiting.map((row: { user: { id: string } }) => row.user.id),
      [other.user_id],
    )
    const [task] = await house.rows(`select status from task where site_id = $1 and kind = 'approve_membership' and subject_id = $2`, [
      w.site_id,
      id,
    ])
    assert.notEqual(task.status, 'open')
    // They can ask again.
    assert.equal((await asks.post(`/invite-links/accept/${link.token}`, {})).body.status, 'pending')
  })

  test('1091 if two people change the terms of a member at once, or one rejects a request that the other has approved, the second is refused', async () => {
    const w = await house.world()
    const [member] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.as('member').user_id}`)).body
    const change = (by: Role, body: object) =>
      w.as(by).post(`/memberships/${member.membership_id}/approve`, body, { 'if-match': `"${member.version}"` })
    assert.equal((await change('admin', { role: 'viewer', contractor_id: null })).status, 200)
    const second = await change('site_manager', { role: 'member', contractor_id: await w.contractor('Acme 2') })
    assert.deepEqual([second.status, second.body.error.code], [412, 'version_conflict'])
    const asked = await waiting(w, 'member')
    const [pending] = (await w.as('admin').get(`/memberships/sites/${w.site_id}/pending`)).body
    assert.equal((await w.as('admin').post(`/memberships/${asked.membership_id}/approve`, {})).status, 200)
    const rejected = await w
      .as('site_manager')
      .del(`/memberships/${asked.membership_id}`, undefined, { 'if-match': `"${pending.version}"` })
    assert.equal(rejected.status, 412)
    assert.equal((await asked.get(`/sites/${w.site_id}`)).status, 200)
  })

  test('1091 administrators who leave, step down and end each other’s memberships at the same time don’t wait in a circle, and one of them stays', async () => {
    const w = await house.world()
    const all = await Promise.all(Array.from({ length: 6 }, (_, n) => w.join(n % 2 === 0 ? 'admin' : 'site_manager', null, `Manager ${n}`)))
    const ids = await Promise.all(all.map(one => idOf(w, one)))
    const replies = await Promise.all(
      all.flatMap((one, n) => [
        one.del(`/memberships/${ids[n]}`),
        w.superadmin.del(`/memberships/${ids[n]}`),
        w.superadmin.post(`/memberships/${ids[n]}/approve`, { role: 'viewer' }),
        w.as(n % 2 === 0 ? 'admin' : 'site_manager').del(`/memberships/${ids[n]}`),
      ]),
    )
    const [ada, max] = [await idOf(w, w.as('admin')), await idOf(w, w.as('site_manager'))]
    replies.push(...(await Promise.all([ada, max].map(id => w.superadmin.del(`/memberships/${id}`)))))
    assert.deepEqual(
      replies.map(({ status }) => status).filter(status => status >= 500),
      [],
    )
    assert.equal(replies.at(-1)?.body?.error?.guard ?? replies.at(-2)?.body?.error?.guard, 'not_last_administrator')
  })

  test('1091 a request that is approved while the requests of the last thirty days are ended stays approved', async () => {
    const w = await house.world()
    const { membership_id } = await waiting(w, 'member')
    house.clock('2026-04-20T09:00:00.000Z')
    const { swept } = await writingOn(
      house.house,
      { actor: jobActor('memberships_due'), cause: 'membership.approve' },
      w.site_id,
      async ctx => {
        const row = await findMembership(ctx, w.site_id, membership_id, true)
        assert.ok(row)
        await approveMembership(ctx, row, {})
        const swept = outside(() => endStale(house.house))
        await someoneWaits(house)
        return { swept }
      },
    )
    await swept
    const [row] = await house.rows('select status from membership where id = $1', [membership_id])
    assert.equal(row.status, 'active')
    house.clock(MONDAY)
  })

  test('§2 people can leave, and end only memberships that they manage; after its end a membership can’t change; another site’s gives 404', async () => {
    const w = await house.world()
    const vic = await idOf(w, w.as('viewer'))
    assert.equal((await w.as('coordinator').del(`/memberships/${vic}`)).status, 404, 'a coordinator can’t see it')
    assert.equal((await w.as('viewer').del(`/memberships/${vic}`)).status, 204)
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}`)).status, 404)
    const again = await w.as('admin').del(`/memberships/${vic}`)
    assert.equal(again.body.error.code, 'invalid_transition')
    assert.equal((await w.as('admin').post(`/memberships/${vic}/approve`, {})).body.error.code, 'invalid_transition')
    const elsewhere = await house.world()
    assert.equal((await elsewhere.as('admin').del(`/memberships/${await idOf(w, w.as('hse'))}`)).status, 404)
  })

  test('§2 approving with create_contractor creates the contractor that was typed, once, with its colour', async () => {
    const w = await house.world()
    const one = await waiting(w, 'member', { requested_contractor_name: 'Northgate Steel' })
    const two = await waiting(w, 'member', { requested_contractor_name: 'NORTHGATE  STEEL LTD' })
    const approve = (who: { membership_id: string }) =>
      w.as('site_manager').post(`/memberships/${who.membership_id}/approve`, { create_contractor: true })
    const first = (await approve(one)).body.contractor_id
    assert.equal((await approve(two)).body.contractor_id, first)
    const [contractor] = (await w.as('viewer').get(`/contractors/?site_id=${w.site_id}&id=${first}`)).body
    assert.deepEqual([contractor.name, contractor.colour, contractor.source], ['Northgate Steel', '#9a75da', 'invite'])
    const plain = await waiting(w, 'member')
    assert.equal((await approve(plain)).status, 422)
  })

  test('§2 a membership request ends after thirty days', async () => {
    const w = await house.world()
    const wanda = await waiting(w, 'viewer')
    house.clock('2026-04-15T08:00:00.000Z')
    await runSchedules(house.house, 'memberships_due')
    assert.equal((await wanda.get('/auth/me')).body.memberships.length, 1)
    house.clock('2026-04-15T10:00:00.000Z')
    await runSchedules(house.house, 'memberships_due')
    assert.equal((await wanda.get('/auth/me')).body.memberships.length, 0)
    assert.deepEqual(
      (await tasks(w, 'approve_membership')).map(t => t.status),
      ['resolved'],
    )
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
