import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`
type Row = {
  id: string
  name: string
  area_m2: number
  start_at: string
  end_at: string
  fill_group_id: string | null
  fill_stale?: boolean
}

describe('fills', () => {
  const house = useHouse()
  const monday = (time = '07:00') => {
    house.clock(at(time))
    return house.world()
  }
  const zone = async (w: World): Promise<string> => {
    const made = await w
      .as('hse')
      .post('/reference-features/zones', { site_id: w.site_id, kind: 'zone', name: 'Deck', outline: boxAt(0, 0, 40, 25) })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const area = async (w: World, more: object = {}) => {
    const made = await w.as('coordinator').post('/active-areas/', {
      ...{ site_id: w.site_id, name: 'Inner', start_at: at('10:00'), end_at: at('12:00'), place: { polygon: boxAt(0, 0, 20, 10) } },
      ...more,
    })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const fill = (w: World, feature_id: string, more: object = {}) =>
    w.as('coordinator').post('/active-areas/fill', {
      ...{ site_id: w.site_id, container: { feature_id }, start_at: at('08:00'), end_at: at('16:00'), template: { name: 'Ours' } },
      ...more,
    })
  const members = async (w: World, id: string): Promise<Row[]> =>
    (await w.as('viewer').get(`/active-areas/?site_id=${w.site_id}&fill_group_id=${id}`)).body
  const size = async (w: World, id: string, time: string): Promise<number> => {
    const there: Row[] = (await w.as('viewer').get(`/active-areas/at-time?site_id=${w.site_id}&at=${at(time)}`)).body
    return there.filter(one => one.fill_group_id === id).reduce((sum, one) => sum + one.area_m2, 0)
  }
  const field = ({ body }: Reply) => body.error.fields[0].path

  test('§2 a 1,000 m² zone with a 200 m² area from 10:00 to 12:00, filled from 08:00 to 16:00: 1,000, 800 and 1,000 m² at 09:00, 11:00 and 13:00', async () => {
    const w = await monday()
    await area(w)
    const made = await fill(w, await zone(w))
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.areas.length, Math.round(made.body.covered_m2), made.body.left_out], [3, 1000, []])
    const id = made.body.group.id
    for (const [time, wanted] of [
      ['09:00', 1000],
      ['11:00', 800],
      ['13:00', 1000],
    ] as const) {
      const found = await size(w, id, time)
      assert.ok(Math.abs(found - wanted) < 0.1, `${time}: ${found}`)
    }
  })

  test('§2 moving the inner area makes the fill out of date; regenerating computes the rest, keeps names, and leaves past slices as they were', async () => {
    const w = await monday()
    const inner = await area(w)
    const { body } = await fill(w, await zone(w))
    const id = body.group.id
    const [first] = await members(w, id)
    assert.equal(first?.fill_stale, false)
    house.clock(at('11:00'))
    const past = (await members(w, id)).filter(one => one.end_at <= at('11:00'))
    await w.as('coordinator').patch(`/active-areas/${(await members(w, id))[2]?.id}`, { name: 'Night shift too' })
    await w.as('coordinator').patch(`/active-areas/${inner.id}`, { place: { polygon: boxAt(20, 15, 20, 10) } })
    assert.ok((await members(w, id)).every(one => one.fill_stale))
    const done = await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`, {})
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(
      [done.body.created.length, done.body.changed.length, done.body.removed.length, done.body.unchanged.length],
      [0, 1, 0, 1],
    )
    const after = await members(w, id)
    assert.ok(after.every(one => one.fill_stale === false))
    assert.deepEqual(
      after.filter(one => one.end_at <= at('11:00')).map(({ fill_stale: _stale, ...one }) => one),
      past.map(({ fill_stale: _stale, ...one }) => one),
    )
    assert.equal(after[2]?.name, 'Night shift too')
    assert.ok(Math.abs((await size(w, id, '11:30')) - 800) < 0.1)
    house.clock(at('11:00'))
    const again = await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`, {})
    assert.deepEqual([again.body.created, again.body.changed, again.body.removed, again.body.unchanged.length], [[], [], [], 2])
    house.clock(at('16:00'))
    assert.equal((await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`, {})).body.error.code, 'invalid_transition')
  })

  test('§2 regenerating fills the container as it is from now on, if its outline has changed since; the past keeps the old one', async () => {
    const w = await monday()
    const deck = await zone(w)
    const id = (await fill(w, deck)).body.group.id
    house.clock(at('10:00'))
    const smaller = await w.as('hse').patch(`/reference-features/features/${deck}`, { outline: boxAt(0, 0, 20, 25) })
    assert.equal(smaller.status, 200, smaller.text)
    assert.equal((await members(w, id))[0]?.fill_stale, true)
    assert.equal((await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`)).status, 200)
    assert.deepEqual([Math.round(await size(w, id, '09:00')), Math.round(await size(w, id, '11:00'))], [1000, 500])
    assert.equal((await members(w, id))[0]?.fill_stale, false)
  })

  test('§2 a container whose outline changes within the span is filled by its outline of each time, and what changes on its new ground makes the fill out of date', async () => {
    const w = await monday()
    const deck = await zone(w)
    const patch = (body: object) => w.as('hse').patch(`/reference-features/features/${deck}`, body)
    assert.equal((await patch({ name: 'Deck A', effective_at: at('09:00') })).status, 200, 'another name is no other outline')
    assert.equal((await patch({ outline: boxAt(0, 0, 20, 25), effective_at: at('12:00') })).status, 200)
    assert.equal((await patch({ outline: boxAt(0, 0, 80, 25), effective_at: at('14:00') })).status, 200)
    await area(w)
    const made = await fill(w, deck)
    assert.equal(made.status, 201, made.text)
    const id = made.body.group.id
    const sizes = async () =>
      Promise.all(['08:30', '09:30', '11:00', '12:30', '14:30'].map(async time => Math.round(await size(w, id, time))))
    assert.deepEqual(await sizes(), [1000, 1000, 800, 500, 2000])
    assert.deepEqual([made.body.areas.length, Math.round(made.body.covered_m2)], [4, 1000])
    const again = await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`)
    assert.deepEqual([again.body.unchanged.length, again.body.created, again.body.changed, again.body.removed], [4, [], [], []])
    house.clock(at('13:00'))
    await area(w, { start_at: at('14:00'), end_at: at('15:00'), place: { polygon: boxAt(30, 0, 10, 10) } })
    assert.equal((await members(w, id))[0]?.fill_stale, true, 'it takes ground that the container only has later')
    assert.equal((await w.as('coordinator').post(`/active-areas/fill/${id}/regenerate`)).status, 200)
    assert.deepEqual(await sizes(), [1000, 1000, 800, 500, 1900])
  })

  test('§2 with bays of 10 × 10 m on a container of 30 × 20 m there are six members of 100 m²', async () => {
    const w = await monday()
    const made = await w.as('coordinator').post('/active-areas/fill', {
      ...{
        site_id: w.site_id,
        container: { polygon: boxAt(0, 0, 30, 20) },
        start_at: at('08:00'),
        end_at: at('16:00'),
        template: { name: 'Bays' },
      },
      bay: { width_m: 10, length_m: 10 },
    })
    assert.equal(made.status, 201, made.text)
    const rows = await members(w, made.body.group.id)
    assert.equal(rows.length, 6)
    for (const one of rows) assert.ok(Math.abs(one.area_m2 - 100) < 0.1)
  })

  test('§2 a sliver 0.3 m wide is in `left_out`; a container that is taken whole is `nothing_to_fill`', async () => {
    const w = await monday()
    const deck = await zone(w)
    await area(w, { start_at: at('08:00'), end_at: at('16:00'), place: { polygon: boxAt(0, 0, 39.7, 25) } })
    const none = await fill(w, deck)
    assert.deepEqual([none.status, none.body.error.reason], [409, 'nothing_to_fill'])
    const some = await fill(w, deck, { start_at: at('07:30') })
    assert.equal(some.status, 201, some.text)
    assert.deepEqual(
      some.body.left_out.map((one: { from: string; to: string }) => [one.from, one.to]),
      [[at('08:00'), at('16:00')]],
    )
  })

  test('§2 a container that isn’t there for the whole time, a level that it doesn’t have, and more than 31 days are refused by name; so is a member', async () => {
    const w = await monday()
    const deck = await zone(w)
    assert.equal(field(await fill(w, deck, { start_at: '2026-03-15T08:00:00.000Z' })), 'container.feature_id')
    assert.equal(field(await fill(w, deck, { level_index: 3 })), 'level_index')
    assert.equal(field(await fill(w, deck, { end_at: '2026-04-17T08:00:00.000Z' })), 'end_at')
    assert.equal(field(await fill(w, deck, { container: {} })), 'container')
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const refused = await mate.post('/active-areas/fill', {
      site_id: w.site_id,
      container: { feature_id: deck },
      start_at: at('08:00'),
      end_at: at('16:00'),
      template: { name: 'x' },
    })
    assert.equal(refused.body.error.permission, 'map_entity_edit_any')
  })

  test('§2 another shape or time takes a member out of its fill, the same ones sent again don’t, and a member doesn’t become a schedule and isn’t copied', async () => {
    const w = await monday()
    const { body } = await fill(w, await zone(w))
    const [one] = await members(w, body.group.id)
    const path = `/active-areas/${one?.id}` as const
    const converted = await w
      .as('coordinator')
      .post(`${path}/convert-to-schedule`, { pattern: { start_date: DAY, end_date: '2026-03-18' } })
    assert.equal(converted.body.error.reason, 'fill_member')
    const copied = await w
      .as('coordinator')
      .post('/active-areas/copy-from-range', { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date: '2026-03-18' })
    assert.equal(copied.body.error.fields[0].path, 'from_date')
    await area(w)
    const other = await w
      .as('coordinator')
      .post('/active-areas/copy-from-range', { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date: '2026-03-18' })
    assert.deepEqual([other.body.created.length, other.body.fill_members], [1, 1])
    assert.equal((await w.as('coordinator').patch(path, { notes: 'Ask Ann' })).body.fill_group_id, body.group.id)
    const { permissions: _flags, ...read } = (await w.as('coordinator').get(path)).body
    const renamed = await w.as('coordinator').patch(path, { ...read, name: 'Ours, east' })
    assert.deepEqual([renamed.body.name, renamed.body.fill_group_id], ['Ours, east', body.group.id], renamed.text)
    assert.equal((await w.as('coordinator').patch(path, { end_at: at('15:00') })).body.fill_group_id, null)
  })

  test('§2 deleting a fill leaves its members on the map of yesterday', async () => {
    const w = await monday()
    await area(w)
    const { body } = await fill(w, await zone(w))
    const id = body.group.id
    house.clock(at('11:00'))
    assert.equal((await w.as('coordinator').del(`/active-areas/fill/${id}?scope=all`)).body.error.permission, 'map_entity_purge')
    assert.equal((await w.as('coordinator').del(`/active-areas/fill/${id}`)).status, 204)
    assert.deepEqual(
      [Math.round(await size(w, id, '09:00')), Math.round(await size(w, id, '10:30')), await size(w, id, '13:00')],
      [1000, 800, 0],
    )
    assert.equal((await w.as('coordinator').del(`/active-areas/fill/${id}`)).status, 404)
  })
})
