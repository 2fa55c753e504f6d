import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`

describe('active areas', () => {
  const house = useHouse()
  const monday = () => {
    house.clock(at('09:00'))
    return house.world()
  }
  const post = (w: World, more: object = {}) =>
    w.as('coordinator').post('/active-areas/', {
      ...{ site_id: w.site_id, name: 'Bay 3', start_at: at('08:00'), end_at: at('17:00'), place: { polygon: boxAt(0, 0, 20) } },
      ...more,
    })
  const then = async (w: World, time: string): Promise<{ id: string; name: string; area_m2: number }[]> =>
    (await w.as('viewer').get(`/active-areas/at-time?site_id=${w.site_id}&at=${time}`)).body
  const patch = (w: World, id: string, body: object) => w.as('coordinator').patch(`/active-areas/${id}`, body)
  const field = ({ body }: Reply) => body.error.fields[0].path

  test('§2 an area has its kind, whether it is exclusive by its kind, and its size on the ground', async () => {
    const w = await monday()
    const made = await post(w)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.area_kind, made.body.exclusive, Math.round(made.body.area_m2)], ['work', false, 400])
    assert.deepEqual(made.body.geometry, made.body.place.polygon)
    assert.equal((await post(w, { area_kind: 'hot_work' })).body.exclusive, true)
    assert.equal((await post(w, { area_kind: 'exclusion', exclusive: false })).body.exclusive, false)
    assert.equal((await post(w, { end_at: null })).body.end_at, null)
    const shown = await w.as('viewer').get(`/active-areas/${made.body.id}`)
    assert.equal(shown.body.name, 'Bay 3')
    const list = await w.as('viewer').get(`/active-areas/?site_id=${w.site_id}&area_kind=hot_work`)
    assert.equal(list.body.length, 1)
  })

  test('§2 an end before the start, a top that isn’t above the base, a point and a crossed polygon are refused, each by name', async () => {
    const w = await monday()
    assert.equal(field(await post(w, { end_at: at('07:00') })), 'end_at')
    assert.equal(field(await post(w, { base_m: 5, top_m: 5 })), 'top_m')
    assert.equal(field(await post(w, { place: { point: { lon: -0.0877, lat: 51.5079 } } })), 'place')
    const crossed = {
      type: 'Polygon',
      coordinates: [
        [
          [-0.09, 51.5],
          [-0.089, 51.501],
          [-0.089, 51.5],
          [-0.09, 51.501],
          [-0.09, 51.5],
        ],
      ],
    }
    assert.equal(field(await post(w, { place: { polygon: crossed } })), 'place.polygon')
  })

  test('§2 changing the polygon of a running area at T: the map before T has the old ring, from T on the new one, and versions lists two', async () => {
    const w = await monday()
    const { id } = (await post(w)).body
    house.clock(at('11:00'))
    const changed = await patch(w, id, { place: { polygon: boxAt(0, 0, 10) } })
    assert.equal(changed.status, 200, changed.text)
    const sizes = async (time: string) => (await then(w, time)).map(one => Math.round(one.area_m2))
    assert.deepEqual(
      [await sizes(at('10:59')), await sizes(at('11:00')), await sizes(at('07:59')), await sizes(at('17:00'))],
      [[400], [100], [], []],
    )
    const versions = (await w.as('viewer').get(`/active-areas/${id}/versions`)).body
    assert.deepEqual(
      versions.map((one: { number: number; valid_from: string; valid_to: string; changed: string[] }) => [
        one.number,
        one.valid_from,
        one.valid_to,
        one.changed,
      ]),
      [
        [2, at('11:00'), at('17:00'), ['place', 'geometry']],
        [1, at('08:00'), at('11:00'), []],
      ],
    )
  })

  test('§2 filters apply to how areas were then; a change before the start, or after the end, leaves no second shape on the map', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const { id } = (await post(w, { contractor_id: a })).body
    house.clock(at('11:00'))
    await patch(w, id, { contractor_id: null, name: 'Bay 3, ours' })
    const of = async (time: string) =>
      (await w.as('viewer').get(`/active-areas/at-time?site_id=${w.site_id}&at=${time}&contractor_id=${a}`)).body.length
    assert.deepEqual([await of(at('10:00')), await of(at('12:00'))], [1, 0])
    const ahead = (await post(w, { start_at: at('14:00') })).body
    await patch(w, ahead.id, { name: 'Later' })
    assert.deepEqual((await then(w, at('15:00'))).map(one => one.name).sort(), ['Bay 3, ours', 'Later'])
    house.clock(`2026-03-17T09:00:00.000Z`)
    await patch(w, id, { name: 'Corrected' })
    assert.deepEqual(
      (await then(w, at('10:00'))).map(one => one.name),
      ['Bay 3'],
    )
    assert.deepEqual(
      (await then(w, at('12:00'))).map(one => one.name),
      ['Corrected'],
    )
    assert.equal((await w.as('viewer').get(`/active-areas/${id}/versions`)).body.length, 3)
  })

  test('§2 ending an area now leaves it on the map of the morning; a changed start doesn’t remove it from the hours before the change', async () => {
    const w = await monday()
    const { id } = (await post(w)).body
    house.clock(at('10:00'))
    await patch(w, id, { start_at: at('09:30') })
    assert.equal((await then(w, at('08:30'))).length, 1, 'as it was until 10:00')
    house.clock(at('12:00'))
    assert.equal((await w.as('coordinator').del(`/active-areas/${id}`)).status, 204)
    assert.deepEqual([(await then(w, at('11:00'))).length, (await then(w, at('13:00'))).length], [1, 0])
  })

  test('§2 a new area is never refused for an overlap, and says what it overlaps', async () => {
    const w = await monday()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const first = (await post(w, { contractor_id: a, area_kind: 'exclusion' })).body
    assert.deepEqual(first.overlap_warnings, [])
    const second = await post(w, { contractor_id: b, place: { polygon: boxAt(10, 0, 20) } })
    assert.deepEqual(
      [second.status, second.body.overlap_warnings.map((one: { id: string; verdict: string }) => [one.id, one.verdict])],
      [201, [[first.id, 'warn']]],
    )
    const later = await post(w, { contractor_id: b, start_at: at('17:00'), end_at: at('18:00') })
    assert.deepEqual(later.body.overlap_warnings, [])
  })

  test('§2 members draw work and laydown areas of their own contractor; exclusion, lifting and closed routes are for coordinators', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const draw = (area_kind: string) =>
      mate.post('/active-areas/', { site_id: w.site_id, name: 'Ours', area_kind, end_at: at('17:00'), place: { polygon: boxAt(0, 0, 5) } })
    const mine = await draw('laydown')
    assert.deepEqual([mine.status, mine.body.contractor_id], [201, a])
    for (const kind of ['exclusion', 'lifting', 'route_closed']) {
      const refused = await draw(kind)
      assert.deepEqual([refused.status, refused.body.error.permission], [403, 'map_entity_edit_any'], kind)
    }
    assert.equal((await mate.patch(`/active-areas/${mine.body.id}`, { area_kind: 'exclusion' })).status, 403)
    const theirs = (await post(w)).body
    assert.equal((await mate.del(`/active-areas/${theirs.id}`)).status, 403)
  })

  test('§2 a contractor can’t draw, copy, change, finish or delete exclusion zones, lifting zones and closed routes by a schedule either, and the flags say so', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const pattern = { start_date: DAY, end_date: '2026-03-20', start_time: '10:00', end_time: '12:00' }
    const template = (area_kind: string) => ({
      name: `Zone ${area_kind}`,
      area_kind,
      contractor_id: a,
      place: { polygon: boxAt(0, 0, 12) },
    })
    const schedule = (by: typeof mate, area_kind: string) =>
      by.post('/active-areas/schedule', { site_id: w.site_id, template: template(area_kind), pattern })
    const refused = (reply: Reply, what: string) =>
      assert.deepEqual([reply.status, reply.body.error?.permission], [403, 'map_entity_edit_any'], `${what}: ${reply.text}`)
    for (const kind of ['exclusion', 'lifting', 'route_closed']) refused(await schedule(mate, kind), kind)
    const work = await schedule(mate, 'work')
    assert.equal(work.status, 201, work.text)
    refused(await mate.patch(`/active-areas/schedule-group/${work.body.group.id}`, { area_kind: 'exclusion' }), 'another kind')

    // Theirs by the contractor, but drawn by a coordinator.
    const zone = await schedule(w.as('coordinator'), 'exclusion')
    const path = `/active-areas/schedule-group/${zone.body.group.id}` as const
    refused(await mate.patch(path, { name: 'Smaller' }), 'change')
    refused(await mate.put(`${path}/reconcile`, { pattern: { ...pattern, end_time: '11:00' } }), 'reconcile')
    refused(await mate.post(`${path}/finish-early`, { at: '2026-03-18T11:00:00.000Z' }), 'finish')
    refused(await mate.del(path), 'delete')
    assert.equal((await mate.get(path)).body.permissions.can_change, false)
    const shown = (await mate.get(`/active-areas/${zone.body.occurrences[1].id}`)).body
    assert.deepEqual([shown.permissions.can_change, shown.permissions.can_delete], [false, false])
    const range = { site_id: w.site_id, from_date: '2026-03-17', to_date: '2026-03-17', target_date: '2026-03-24' }
    refused(await mate.post('/active-areas/copy-from-range', range), 'copy')
    assert.equal((await w.as('viewer').get(path)).body.counts.future, 5)
    assert.equal((await w.as('coordinator').del(path)).status, 204)
    assert.equal((await mate.del(`/active-areas/schedule-group/${work.body.group.id}`)).status, 204)
  })

  test('§2 deleting an area that has ended needs `scope=all` and map_entity_purge; one that is there ends now', async () => {
    const w = await monday()
    const past = (await post(w, { start_at: at('06:00'), end_at: at('08:00') })).body
    assert.equal((await w.as('coordinator').del(`/active-areas/${past.id}?scope=all`)).body.error.permission, 'map_entity_purge')
    const refused = await w.as('hse').del(`/active-areas/${past.id}`)
    assert.deepEqual([refused.status, refused.body.error?.reason], [409, 'is_a_record'], refused.text)
    assert.equal((await then(w, at('07:00'))).length, 1)
    assert.equal((await w.as('hse').del(`/active-areas/${past.id}?scope=all`)).status, 204)
    assert.equal((await then(w, at('07:00'))).length, 0)
    const running = (await post(w)).body
    assert.equal((await w.as('coordinator').del(`/active-areas/${running.id}`)).status, 204)
    assert.equal((await then(w, at('08:30'))).length, 1)
  })

  test('§0.5 an area repeats: it is scheduled, changed, given other times, copied, finished early and deleted', async () => {
    const w = await monday()
    const template = { name: 'Lift zone', area_kind: 'lifting', place: { polygon: boxAt(0, 0, 12) } }
    const pattern = { start_date: DAY, end_date: '2026-03-20', start_time: '08:00', end_time: '10:00' }
    const made = await w.as('coordinator').post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
    assert.equal(made.status, 201, made.text)
    const id = made.body.group.id
    assert.deepEqual([made.body.occurrences.length, made.body.outside_permit_window], [5, []])
    assert.equal((await w.as('coordinator').patch(`/active-areas/schedule-group/${id}`, { name: 'Lift zone 2' })).body.name, 'Lift zone 2')
    const retimed = await w
      .as('coordinator')
      .put(`/active-areas/schedule-group/${id}/reconcile`, { pattern: { ...pattern, end_time: '11:00' } })
    assert.equal(retimed.body.changed.length, 4, retimed.text)
    const ahead = await w.as('viewer').get(`/active-areas/schedule-group/${id}/future-occurrences`)
    assert.deepEqual([ahead.body.length, ahead.body[0].end_at], [4, '2026-03-17T11:00:00.000Z'])
    const range = { site_id: w.site_id, from_date: '2026-03-17', to_date: '2026-03-17', target_date: '2026-03-24' }
    assert.equal((await w.as('coordinator').post('/active-areas/copy-from-range', range)).body.created.length, 1)
    assert.equal((await w.as('viewer').get(`/active-areas/schedule-group/${id}`)).body.counts.future, 4)
    const done = await w.as('coordinator').post(`/active-areas/schedule-group/${id}/finish-early`, {})
    assert.deepEqual([done.body.ended.length, done.body.removed.length], [1, 4])
    assert.equal((await w.as('coordinator').del(`/active-areas/schedule-group/${id}`)).status, 204)
    const single = (await post(w, { start_at: at('13:00'), end_at: at('14:00') })).body
    const converted = await w
      .as('coordinator')
      .post(`/active-areas/${single.id}/convert-to-schedule`, { pattern: { start_date: DAY, end_date: '2026-03-18' } })
    assert.deepEqual(
      [converted.status, converted.body.occurrences.length, converted.body.occurrences[0].id],
      [201, 3, single.id],
      converted.text,
    )
  })
})
