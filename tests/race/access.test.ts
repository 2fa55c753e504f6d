// Writes that wait for a lock while the access of their person changes: what was committed first wins, whatever the write had read before it waited.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Db } from '../../server/base/db.ts'
import type { Id } from '../../server/base/ids.ts'
import { hold, rowOf } from '../../server/kernel/records/door.ts'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { someoneWaits } from '../waits.ts'
import { type Caller, type Reply, useHouse } from '../world.ts'

describe('writes that wait while the access of their person changes', () => {
  const house = useHouse({}, { pool: 8 })

  /** Sends a request that has to wait for what `lock` locks, and does `meanwhile` before it goes on. */
  async function whileWaiting(
    lock: (db: Db) => Promise<unknown>,
    send: () => Promise<Reply>,
    meanwhile: () => Promise<Reply>,
  ): Promise<Reply> {
    let reply: Promise<Reply> | undefined
    await house.house.database.apart.db.transaction().execute(async db => {
      await lock(db)
      reply = send()
      await someoneWaits(house)
      const { status, text } = await meanwhile()
      assert.ok(status < 300, text)
    })
    assert.ok(reply !== undefined)
    return reply
  }

  const locked = (w: PermitWorld, permit: Permit) => (db: Db) => rowOf(db, 'permit', w.site_id, permit.id, true)
  const membership = async (w: PermitWorld, { user_id }: Pick<Caller, 'user_id'>): Promise<Id> =>
    (await house.rows("select id from membership where site_id = $1 and user_id = $2 and status = 'active'", [w.site_id, user_id]))[0].id
  const remove = async (w: PermitWorld, who: Caller) => w.as('admin').del(`/memberships/${await membership(w, who)}`)
  const change = async (w: PermitWorld, who: Caller, terms: Record<string, unknown>) =>
    w.as('admin').post(`/memberships/${await membership(w, who)}/approve`, terms)
  const signatures = (permit: Permit) => house.rows('select kind from permit_signature where permit_id = $1', [permit.id])

  test('1110 a step of a permit that waits while its person is removed from the site is refused as if the site didn’t exist, and signs nothing', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested')
    const reviewer = await w.join('coordinator', null, 'Cora Leaves')
    const reply = await whileWaiting(
      locked(w, permit),
      () => w.step(permit, 'endorse', reviewer),
      () => remove(w, reviewer),
    )
    assert.equal(reply.status, 404, reply.text)
    assert.equal((await w.read(permit)).status, 'requested')
    assert.deepEqual(await signatures(permit), [])
  })

  test('1110 a countersignature that waits while the receiver is removed isn’t given', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const before = await signatures(permit)
    const reply = await whileWaiting(
      locked(w, permit),
      () => w.step(permit, 'countersign', w.receiver),
      () => remove(w, w.receiver),
    )
    assert.equal(reply.status, 404, reply.text)
    assert.deepEqual(await signatures(permit), before)
  })

  test('1110 a step that waits while its person gets a lower role is refused with the permission that is missing', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('endorsed')
    const reviewer = await w.join('hse', null, 'Hugo Demoted')
    const reply = await whileWaiting(
      locked(w, permit),
      () => w.step(permit, 'approve', reviewer),
      () => change(w, reviewer, { role: 'coordinator' }),
    )
    assert.equal(reply.status, 403, reply.text)
    assert.equal((await w.read(permit)).status, 'endorsed')
  })

  test('1110 a write that waits while its person gets a role that allows it, too, is decided again and succeeds', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('endorsed')
    const reviewer = await w.join('hse', null, 'Hugo Promoted')
    const reply = await whileWaiting(
      locked(w, permit),
      () => w.step(permit, 'approve', reviewer),
      () => change(w, reviewer, { role: 'site_manager' }),
    )
    assert.equal(reply.status, 200, reply.text)
    const roles = await house.rows("select actor_role from event where subject_id = $1 and kind = 'permit.approved'", [permit.id])
    assert.deepEqual(roles, [{ actor_role: 'site_manager' }])
  })

  test('1110 a write that waits for a name is refused, too, if its person is removed meanwhile', async () => {
    const w = await permitWorld(house)
    const planner = await w.join('hse', null, 'Hana Leaves')
    const shift = { site_id: w.site_id, name: 'Late', start_time: '18:00', end_time: '22:00', weekdays: [6] }
    const reply = await whileWaiting(
      db => hold({ db }, 'shifts', w.site_id),
      () => planner.post('/shifts/', shift),
      () => remove(w, planner),
    )
    assert.equal(reply.status, 404, reply.text)
    assert.deepEqual(await house.rows("select name from shift where site_id = $1 and name = 'Late'", [w.site_id]), [])
  })

  test('1110 people still end their own membership, whose seal doesn’t ask for what they have just ended', async () => {
    const w = await permitWorld(house)
    const leaver = await w.join('coordinator', null, 'Lou Leaves')
    assert.equal((await leaver.del(`/memberships/${await membership(w, leaver)}`)).status, 204)
  })
})
