import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { spot } from '../../../../tests/sides.ts'
import { MONDAY, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'

const work = (code: string, east: number) => {
  const [lon, lat] = spot(east, 0)
  const window = { start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T12:00:00.000Z' }
  return { categories: [code], ...window, place: { point: { lon, lat } } }
}

describe('notifications of conflicts between permits', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  const relayed = async () => {
    for (let n = 0; n < 3; n++) await relayEvents(house.house)
  }
  const events = async (w: PermitWorld) =>
    (
      await house.rows(`select subject_id, payload from event where site_id = $1 and kind = 'permit.conflicts_changed' order by event_no`, [
        w.site_id,
      ])
    ).map(({ subject_id, payload: { red, amber, red_before, amber_before } }) => [subject_id, red, amber, red_before, amber_before])
  const told = async (w: PermitWorld, role: Parameters<PermitWorld['as']>[0]) =>
    (await w.as(role).get(`/notifications/?site_id=${w.site_id}&kind=permit_red_conflict`)).body.map((one: { title: string }) => one.title)

  test('messages §0.3 permit.conflicts_changed has the counts before and after; a red conflict of an approved permit notifies everyone who reviews permits', async () => {
    const w = await permitWorld(house)
    const hot = await w.at('approved', work('HW', 0))
    await relayed()
    assert.deepEqual(await events(w), [])
    const entry = await w.at('requested', work('CSE', 6))
    await relayed()
    const both = [hot.id, entry.id].sort()
    assert.deepEqual(
      await events(w),
      both.map(id => [id, 1, 0, 0, 0]),
    )
    const title = `Permit ${(await w.read(hot)).permit_number} has a new red conflict`
    for (const role of ['coordinator', 'hse', 'site_manager', 'admin'] as const) assert.deepEqual(await told(w, role), [title], role)
    for (const role of ['member', 'viewer'] as const) assert.deepEqual(await told(w, role), [], role)

    // It leaves: the count falls, and nobody is notified of that.
    assert.equal((await w.step(entry, 'withdraw', w.as('member'))).status, 200)
    await relayed()
    assert.deepEqual((await events(w)).slice(2), [[hot.id, 0, 0, 1, 0]])
    assert.deepEqual(await told(w, 'hse'), [title])
  })

  test('messages §0.3 an amber conflict, or a red one of a permit that is still in review, is an event without a notification', async () => {
    const w = await permitWorld(house)
    await w.at('approved', work('HW', 0))
    await w.at('requested', work('WAH', 6))
    const [one, two] = [await w.at('requested', work('HW', 500)), await w.at('requested', work('CSE', 506))]
    await relayed()
    const found = await events(w)
    assert.equal(found.filter(([, red, amber]) => red === 0 && amber === 1).length, 2)
    assert.deepEqual(
      found
        .filter(([, red]) => red === 1)
        .map(([id]) => id)
        .sort(),
      [one.id, two.id].sort(),
    )
    assert.deepEqual(await told(w, 'hse'), [])
  })
})
