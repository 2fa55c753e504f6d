import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { caughtUp } from '../../../kernel/events/door.ts'
import { sweepGaps } from './jobs.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const at = (time: string, day = '2026-03-16') => `${day}T${time}:00.000Z`

describe('messages.md §0.3 work without a live permit', () => {
  const house = useHouse()
  const monday = async (coverage_policy_enabled: boolean, activation_gap_lead_hours = 24) => {
    house.clock(at('09:00'))
    const w = await permitWorld(house)
    await w.as('hse').put('/permits/config', { site_id: w.site_id, coverage_policy_enabled, activation_gap_lead_hours })
    return w
  }
  const worker = async (w: PermitWorld, from: string, to: string, more: object = {}) => {
    const made = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, name: 'Welders', trade: 'Welder', start_at: from, end_at: to, place: HERE, contractor_id: w.acme },
      ...more,
    })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const sweep = () => sweepGaps(house.house)
  const told = async (w: PermitWorld) =>
    (
      await house.rows("select subject_id, payload from event where site_id = $1 and kind = 'permit.activation_gap' order by event_no", [
        w.site_id,
      ])
    ).map(({ subject_id, payload }) => [subject_id, payload.state, payload.linked_permits.length])
  const notices = async (w: PermitWorld, role: Parameters<PermitWorld['as']>[0]) => {
    assert.ok(await caughtUp(house.house, [w.site_id]))
    const { body } = await w.as(role).get(`/notifications/?site_id=${w.site_id}`)
    return body.filter((one: { kind: string }) => one.kind === 'permit_activation_gap').map((one: { title: string }) => one.title)
  }

  test('§0.3 with the policy on, work without a permit is reported once when it is within the lead time, and once when it has begun', async () => {
    const w = await monday(true, 4)
    const near = await worker(w, at('12:30'), at('17:00'))
    await worker(w, at('13:30'), at('17:00'), { name: 'Painters' })
    await worker(w, at('07:00'), at('08:00'), { name: 'Early gang' })
    await sweep()
    await sweep()
    assert.deepEqual(await told(w), [[near.id, 'approaching', 0]])
    house.clock(at('12:31'))
    await Promise.all([sweep(), sweep()])
    const all = await told(w)
    assert.deepEqual(
      all.filter(([id]) => id === near.id).map(([, state]) => state),
      ['approaching', 'open'],
    )
    assert.equal(all.length, 3)
    house.clock(at('16:00'))
    await sweep()
    assert.equal((await told(w)).length, 4)
  })

  test('§0.3 coordinators, H&S and the contractor are notified, and nobody else', async () => {
    const w = await monday(true)
    await worker(w, at('10:00'), at('17:00'))
    await sweep()
    for (const role of ['coordinator', 'hse', 'member'] as const)
      assert.deepEqual(await notices(w, role), ['Welders: no live permit'], role)
    for (const role of ['viewer', 'client'] as const) assert.deepEqual(await notices(w, role), [], role)
  })

  test('§0.8 with the policy off, only work with a linked permit is reported, and only while none of its permits is live', async () => {
    const w = await monday(false)
    const live = await w.at('issued', { start_at: at('08:00'), end_at: at('12:00') })
    const waiting = await w.at('approved', { start_at: at('08:00'), end_at: at('18:00') })
    await worker(w, at('09:00'), at('11:00'), { name: 'Without' })
    const covered = await worker(w, at('09:00'), at('17:00'), { permit_id: live.id })
    const uncovered = await worker(w, at('10:00'), at('17:00'), { name: 'Fitters', permit_id: waiting.id })
    await sweep()
    assert.deepEqual(await told(w), [[uncovered.id, 'approaching', 1]])
    // The permit ends at 12:00, and the gang stays.
    house.clock(at('12:01'))
    await sweep()
    const after = (await told(w)).slice(1)
    assert.deepEqual(
      after.toSorted(),
      [
        [covered.id, 'open', 1],
        [uncovered.id, 'open', 1],
      ].toSorted(),
    )
  })

  test('§0.3 a machine that is moved isn’t reported again on that day', async () => {
    const w = await monday(true)
    const plant = { site_id: w.site_id, name: 'TC1', category: 'tower_crane', start_at: at('08:00'), end_at: null, place: HERE }
    const crane = await w.as('coordinator').post('/plant/', { ...plant, exclusion_radius_m: 40 })
    assert.equal(crane.status, 201, crane.text)
    await sweep()
    house.clock(at('09:10'))
    const there = { ...plant, start_at: at('09:10'), place: { point: { lon: -0.0876, lat: 51.508 } } }
    const moved = await w.as('coordinator').post('/plant/', { ...there, source_plant_id: crane.body.id, end_previous: true })
    assert.equal(moved.status, 201, moved.text)
    await sweep()
    assert.deepEqual(await told(w), [[crane.body.id, 'open', 0]])
  })

  test('§0.3 on a locked site it is reported as well', async () => {
    const w = await monday(true)
    const { id } = await worker(w, at('10:00'), at('17:00'))
    const lock = await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Investigation' })
    assert.equal(lock.status, 200, lock.text)
    await sweep()
    assert.deepEqual(await told(w), [[id, 'approaching', 0]])
  })

  test('messages.md §1 work that is deleted, alone or with others, is no longer reported to anyone as without a permit', async () => {
    const w = await monday(true)
    const made = [
      await worker(w, at('14:00'), at('17:00')),
      await worker(w, at('14:30'), at('17:00')),
      await worker(w, at('15:00'), at('17:00')),
    ]
    await sweep()
    const unread = async () => {
      assert.ok(await caughtUp(house.house, [w.site_id]))
      const { body } = await w.as('hse').get(`/notifications/?site_id=${w.site_id}&kind=permit_activation_gap&unread=true`)
      return body.map((one: { subject: { id: string } }) => one.subject.id).sort()
    }
    const [first, ...others] = made.map(one => one.id)
    assert.deepEqual(await unread(), [first, ...others].sort())
    assert.equal((await w.as('coordinator').del(`/workers/${first}`)).status, 204)
    assert.deepEqual(await unread(), others.sort())
    assert.equal((await w.as('coordinator').del('/workers/batch', { site_id: w.site_id, ids: others })).status, 204)
    assert.deepEqual(await unread(), [])
  })
})
