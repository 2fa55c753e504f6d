import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { spot } from '../../../../tests/sides.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'

const work = (code: string, east: number, day = '2026-03-17') => {
  const [lon, lat] = spot(east, 0)
  return { categories: [code], start_at: `${day}T08:00:00.000Z`, end_at: `${day}T12:00:00.000Z`, place: { point: { lon, lat } } }
}

describe('conflicts between permits as they are stored', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  const badges = (w: PermitWorld, by: Caller = w.as('hse')) => by.get(`/permits/applications/clash-badges?site_id=${w.site_id}`)
  const list = (w: PermitWorld) => w.as('hse').get(`/permits/applications?site_id=${w.site_id}`)
  const found = (permits: Permit[]) => new Map(permits.map(one => [one.id, one.conflicts.map((other: Permit) => other.permit_id)]))

  test('§4.3 badges and lists of permits wait for the changes before them, and say what they could not wait for; a permit and its approval don’t read what is stored', async () => {
    const w = await permitWorld(house)
    const own = await w.at('endorsed', work('HW', 0))
    const other = await w.at('requested', work('CSE', 6))
    const both = [own.id, other.id].sort().map(permit_id => ({ permit_id, red: 1, amber: 0, worst: 'red' }))
    const before = await badges(w)
    assert.deepEqual([before.body, before.headers['x-clash-pending']], [both, undefined])
    const { pool } = house.house.database
    const client = await pool.connect()
    try {
      // Nobody can compute clashes as long as someone else does.
      await client.query('begin')
      await client.query("select 1 from event_cursor where site_id = $1 and consumer = 'clashes' for update", [w.site_id])
      const third = await w.at('requested', work('CSE', -6))
      const [late, listed, wallet] = await Promise.all([
        badges(w),
        list(w),
        w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`),
      ])
      assert.deepEqual(late.body, both)
      for (const reply of [late, listed, wallet]) assert.ok(Number(reply.headers['x-clash-pending']) > 0, reply.text)
      assert.deepEqual(found(listed.body).get(own.id), [other.id])
      assert.equal((await w.read(own)).conflicts.length, 2)
      const refused = await w.step(own, 'approve', w.as('hse'), {})
      assert.deepEqual([refused.body.error.gate, refused.body.error.red_conflicts], ['red_conflicts_unacknowledged', 2])
      await client.query('commit')
      const [after, now] = [await badges(w), await list(w)]
      assert.deepEqual([after.headers['x-clash-pending'], now.headers['x-clash-pending']], [undefined, undefined])
      assert.equal(after.body.find((one: Permit) => one.permit_id === own.id)?.red, 2)
      assert.deepEqual(found(now.body).get(own.id)?.sort(), [other.id, third.id].sort())
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('§4.6 a page of a list of permits has the conflicts of its permits, and those after the horizon of 90 days are counted too', async () => {
    const w = await permitWorld(house)
    const far = '2026-07-10'
    const [own, other] = [await w.at('requested', work('HW', 0, far)), await w.at('requested', work('CSE', 6, far))]
    const both = [own.id, other.id].sort().map(permit_id => ({ permit_id, red: 1, amber: 0, worst: 'red' }))
    assert.deepEqual((await badges(w)).body, both)
    assert.deepEqual(
      found((await list(w)).body),
      new Map([
        [other.id, [own.id]],
        [own.id, [other.id]],
      ]),
    )
    const near = await w.at('requested', work('CSE', -6))
    const one = await w.at('requested', work('HW', 0))
    const page = await w.as('hse').get(`/permits/applications?site_id=${w.site_id}&limit=2&id=${near.id}&id=${own.id}`)
    assert.deepEqual(
      found(page.body),
      new Map([
        [own.id, [other.id]],
        [near.id, [one.id]],
      ]),
    )
    assert.equal((await badges(w)).body.length, 4)
    // Even if nothing has moved the horizon in the meantime.
    house.clock('2026-06-20T09:00:00.000Z')
    assert.deepEqual((await badges(w)).body, both)
  })
})
