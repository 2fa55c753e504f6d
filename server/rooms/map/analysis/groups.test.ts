import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

describe('smart groups of things on the map', () => {
  const house = useHouse()
  const put = async (w: World, path: string, body: object): Promise<string> => {
    const made = await w
      .as('coordinator')
      .post(path, { site_id: w.site_id, start_at: at('08:00'), end_at: at('16:00'), place: HERE, ...body })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const group = async (w: World, predicate: unknown, more: object = {}): Promise<string> => {
    const body = { site_id: w.site_id, name: 'These', subject: 'entity', predicate, ...more }
    const made = await w.as('coordinator').post('/smart-groups/', body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const members = async (w: World, id: string, time: string): Promise<string[]> =>
    (await w.as('coordinator').get(`/smart-groups/${id}?include=members&at=${at(time)}`)).body.members.map(
      (member: { kind: string; label: string }) => `${member.kind} ${member.label}`,
    )
  const ask = (w: World, more: object) =>
    w.as('coordinator').post('/analysis/change-points', { site_id: w.site_id, from: at('00:00'), to: '2026-03-17T00:00:00.000Z', ...more })
  const points = ({ body }: Reply): string[] => body.points.map((point: { at: string }) => point.at.slice(11, 16))
  const fault = async (reply: Promise<Reply>) => {
    const { status, body } = await reply
    return [status, body.error?.fields?.[0]?.path, body.error?.fields?.[0]?.message]
  }

  test('§18 a group of things has the gangs, plant, deliveries and areas that meet its condition and are there at the time', async () => {
    const w = await house.world()
    await put(w, '/workers/', { name: 'Fixers', trade: 'Steel fixer', headcount: 6 })
    await put(w, '/workers/', { name: 'Evening gang', trade: 'Joiner', headcount: 3, start_at: at('16:00'), end_at: at('20:00') })
    await put(w, '/plant/', { name: 'TC1', category: 'tower_crane' })
    await put(w, '/plant/', { name: 'Roller', category: 'roller' })
    await put(w, '/active-areas/', { name: 'Bay 4', area_kind: 'exclusion', place: { polygon: boxAt(0, 0, 20) } })
    await put(w, '/deliveries/', { name: 'Rebar', supplier_name: 'Steel Ltd', vehicle_kind: 'rigid' })
    const all = await group(w, true, { name: 'All' })
    assert.deepEqual(await members(w, all, '09:00'), ['active_area Bay 4', 'delivery Rebar', 'plant Roller', 'plant TC1', 'worker Fixers'])
    assert.deepEqual(await members(w, all, '16:00'), ['worker Evening gang'])
    const lifts = await group(w, { field: 'lifting', op: 'eq', value: true }, { name: 'Lifts' })
    assert.deepEqual(await members(w, lifts, '09:00'), ['plant TC1'])
    const many = await group(w, { field: 'headcount', op: 'gt', value: 5 }, { name: 'Large' })
    assert.deepEqual(await members(w, many, '09:00'), ['worker Fixers'])
    const out = await group(w, { field: 'area_kind', op: 'eq', value: 'exclusion' }, { name: 'Keep out' })
    assert.deepEqual(await members(w, out, '09:00'), ['active_area Bay 4'])
    const due = await group(w, { field: 'examination_state', op: 'eq', value: 'unknown' }, { name: 'Unexamined' })
    assert.deepEqual(await members(w, due, '09:00'), ['plant TC1'])
    const booked = await group(w, { field: 'delivery_status', op: 'eq', value: 'booked' }, { name: 'Booked' })
    assert.deepEqual(await members(w, booked, '09:00'), ['delivery Rebar'])
  })

  test('§18 what the caller doesn’t see of permits doesn’t make a thing a member', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft({ categories: ['HW'] })
    const mine = { site_id: w.site_id, name: 'Welders', trade: 'Welder', place: HERE, start_at: at('10:00'), end_at: at('16:00') }
    const made = await w.as('member').post('/workers/', { ...mine, contractor_id: w.acme, permit_id: draft.id })
    assert.equal(made.status, 201, made.text)
    const drafted = { field: 'permit_statuses', op: 'contains', value: 'draft' }
    const shared = await group(w, drafted, { visibility: 'shared' })
    const count = async (by: 'member' | 'viewer') => (await w.as(by).get(`/smart-groups/${shared}?at=${at('11:00')}`)).body.count
    assert.deepEqual([await count('member'), await count('viewer')], [1, 0])
  })

  test('§17 `group_id` narrows change points to the members of a group; kinds that it can’t select aren’t counted', async () => {
    const w = await house.world()
    await put(w, '/workers/', { name: 'Fixers', trade: 'Steel fixer', headcount: 6 })
    await put(w, '/workers/', { name: 'Joiners', trade: 'Joiner', headcount: 3, start_at: at('09:00'), end_at: at('17:00') })
    await put(w, '/pois/', { name: 'Gate', poi_kind: 'vehicle_gate', start_at: at('10:00') })
    const fixers = await group(w, { field: 'trade', op: 'eq', value: 'steel fixer' })
    const found = await ask(w, { group_id: fixers })
    assert.equal(found.status, 200, found.text)
    assert.deepEqual(points(found), ['00:00', '08:00', '16:00'])
    assert.deepEqual(found.body.points[1].alive.headcount, 6)
    assert.deepEqual([...new Set(points(await ask(w, {})))], ['00:00', '08:00', '09:00', '10:00', '16:00', '17:00'])
  })

  test('§17.1 between two points of a group its members are the same; of an area each version counts as it is', async () => {
    const w = await house.world()
    house.clock(at('07:00'))
    const area = await put(w, '/active-areas/', { name: 'Bay', place: { polygon: boxAt(0, 0, 20) } })
    const bays = await group(w, { field: 'label', op: 'eq', value: 'bay' })
    house.clock(at('12:00'))
    const renamed = await w.as('coordinator').patch(`/active-areas/${area}`, { name: 'Closed' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(points(await ask(w, { group_id: bays })), ['00:00', '08:00', '12:00'])
    assert.deepEqual([await members(w, bays, '11:59'), await members(w, bays, '12:00')], [['active_area Bay'], []])
    house.clock(at('09:00'))
  })

  test('§17 a group of permits narrows permits', async () => {
    const w = await permitWorld(house)
    await w.at('approved', { title: 'Roof' })
    await w.at('approved', { title: 'Cellar', end_at: at('15:00') })
    const short = await group(w, { field: 'duration_minutes', op: 'lt', value: 400 }, { subject: 'permit' })
    const ends = async (more: object) => points(await ask(w, { kinds: ['permit', 'worker'], ...more }))
    assert.deepEqual([(await ends({})).includes('18:00'), (await ends({ group_id: short })).includes('18:00')], [true, false])
    assert.ok((await ends({ group_id: short })).includes('15:00'))
  })

  test('§17 another site’s group, someone else’s private one, and one that depends on the clock are refused', async () => {
    const [w, other] = [await house.world(), await house.world()]
    const foreign = await group(other, true)
    assert.deepEqual((await fault(ask(w, { group_id: foreign }))).slice(0, 2), [422, 'group_id'])
    const body = { site_id: w.site_id, name: 'Mine', subject: 'entity', predicate: true }
    const { id } = (await w.as('member').post('/smart-groups/', body)).body
    assert.deepEqual((await fault(ask(w, { group_id: id }))).slice(0, 2), [422, 'group_id'])
    const recent = await group(w, { field: 'start_at', op: 'after', value: { now: '-PT2H' } })
    const [status, path, message] = await fault(ask(w, { group_id: recent }))
    assert.deepEqual([status, path], [422, 'group_id'])
    assert.match(message, /depends on the current time/)
  })
})
