import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { reading } from '../../../base/ctx.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { raise, resolveFrom, weatherStops } from './door.ts'
import { sweepAlerts } from './jobs.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const NOW = '2026-03-16T09:00:00.000Z'
const at = (time: string, day = 16) => `2026-03-${day}T${time}:00.000Z`

describe('alerts that stop work', () => {
  const house = useHouse()
  const body = (w: World, more: object = {}) => ({
    site_id: w.site_id,
    title: 'Live cable found',
    severity: 'danger',
    category: 'utilities',
    ...more,
  })
  const post = (w: World, by: Caller, more: object = {}) => by.post('/alerts/', body(w, more))
  const stop = { severity: 'danger', category: 'weather', effect: 'stops', activities: ['all'], title: 'Gusts: all work stops' }
  const made = async (w: World, by: Caller, more: object = {}) => {
    const reply = await post(w, by, more)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (w: World, query = '', by: Caller = w.as('coordinator')) => {
    const reply = await by.get(`/alerts/?site_id=${w.site_id}${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.map((row: { title: string }) => row.title)
  }
  const faults = (reply: { body: { error?: { fields?: { path: string }[] } } }) => reply.body.error?.fields?.map(one => one.path)
  const go = async (time: string, day = 16) => {
    house.clock(at(time, day))
    await sweepAlerts(house.house)
  }

  test('§16 resolved at 11:00, reopened at 12:00, resolved at 13:00: the periods are to 11:00 and 12:00 to 13:00, and weather_stops gives the same', async () => {
    house.clock(NOW)
    const w = await house.world()
    const cora = w.as('coordinator')
    const { id } = await made(w, cora, stop)
    await go('11:00')
    assert.equal((await w.as('member').post(`/alerts/${id}/resolve`, { note: 'Calm' })).body.error.permission, 'alert_stop')
    assert.equal((await cora.post(`/alerts/${id}/resolve`, { note: 'Calm' })).status, 200)
    const again = await cora.post(`/alerts/${id}/resolve`, { note: 'Calm' })
    assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_transition'])
    await go('12:00')
    assert.equal((await cora.post(`/alerts/${id}/unresolve`, {})).status, 422)
    assert.equal((await w.as('member').post(`/alerts/${id}/unresolve`, { reason: 'x' })).status, 403)
    assert.equal((await cora.post(`/alerts/${id}/unresolve`, { reason: 'Gusts again' })).body.state, 'active')
    await go('13:00')
    const { periods } = (await cora.post(`/alerts/${id}/resolve`, { note: 'Calm' })).body
    const spans = [
      [NOW, at('11:00')],
      [at('12:00'), at('13:00')],
    ]
    const of = (rows: { from: string; to: string | null }[]) => rows.map(({ from, to }) => [from, to])
    assert.deepEqual(of(periods), spans)
    const ctx = reading(house.house, { actor: jobActor('test'), cause: 'test' })
    assert.deepEqual(of(await weatherStops(ctx, w.site_id, at('00:00'), at('23:00'))), spans)
    assert.deepEqual(of(await weatherStops(ctx, w.site_id, at('11:00'), at('12:00'))), [], 'the gap stays a gap')
    house.clock(at('14:00', 23))
    assert.deepEqual((await cora.post(`/alerts/${id}/unresolve`, { reason: 'Late' })).body.error.guard, 'recent')
  })

  test('permits-decisions §2 §16 the warning stopped_by_alert is in the review and the walk-down of a permit inside, and is printed; the steps still work, and elsewhere it isn’t there', async () => {
    house.clock(NOW)
    const w = await permitWorld(house)
    const place = { point: HERE }
    const permit = await w.at('requested', { place })
    const far = await w.at('requested', { place: { point: { lon: HERE.lon + 0.003, lat: HERE.lat } } })
    const { id } = await made(w, w.as('coordinator'), { ...stop, place, radius_m: 25 })
    type Warning = { code: string; detail: string; ids: string[] }
    const among = (warnings: Warning[]) => warnings.filter(one => one.code === 'stopped_by_alert')
    const [shown, ...more] = among((await w.read(permit, w.as('hse'))).advice.endorse.warnings)
    assert.deepEqual([shown?.ids, more], [[id], []])
    assert.match(shown?.detail ?? '', /“Gusts: all work stops” stops work at the place of this permit/)
    assert.deepEqual(among((await w.read(far, w.as('hse'))).advice.endorse.warnings), [])
    for (const [verb, by] of [
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const) {
      const taken = await w.step(permit, verb, by)
      assert.deepEqual([taken.status, among(taken.body.warnings).length], [200, 1], `${verb} ${taken.text}`)
    }
    const [{ issue_warnings }] = await house.rows('select issue_warnings from permit where id = $1', [permit.id])
    assert.equal(among(issue_warnings).length, 1)
  })

  test('§16 an issued permit inside shows stopped_by_alert, first in the wallet; countersign and close-out still work; after it is resolved it no longer does', async () => {
    house.clock(NOW)
    const w = await permitWorld(house)
    const place = { point: HERE }
    const far = { point: { lon: HERE.lon + 0.003, lat: HERE.lat } }
    const inside = await w.at('issued', { place, end_at: at('18:00') })
    const outside = await w.at('issued', { place: far, end_at: at('12:00') })
    const signed = await w.at('signed', { place })
    const review = await w.at('requested', { place })
    const wallet = async () => (await w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body
    const board = async (): Promise<[string, string | null][]> =>
      (await w.as('hse').get(`/permits?site_id=${w.site_id}`)).body.map((p: { id: string; stopped_by_alert: { id: string } | null }) => [
        p.id,
        p.stopped_by_alert?.id ?? null,
      ])
    const before = (await w.receiver.get('/permits/applications/wallet')).headers.etag
    assert.ok((await board()).every(([, by]) => by === null))
    const { id } = await made(w, w.as('coordinator'), { ...stop, place, radius_m: 25 })
    const shown = async (permit: { id: string }) => (await w.read(permit as never)).stopped_by_alert
    assert.deepEqual(await shown(inside), { id, title: stop.title, severity: 'danger', activities: ['all'], start_at: NOW })
    assert.equal(await shown(outside), null)
    assert.deepEqual([(await shown(review)).id, (await shown(signed)).id], [id, id], 'who reviews or issues sees it')
    assert.deepEqual(
      new Map(await board()),
      new Map([
        [inside.id, id],
        [outside.id, null],
        [signed.id, id],
        [review.id, id],
      ]),
    )
    assert.ok((await wallet()).slice(0, 2).every((p: { stopped_by_alert: unknown }) => p.stopped_by_alert !== null))
    assert.equal((await wallet()).at(-1).id, outside.id)
    assert.notEqual((await w.receiver.get('/permits/applications/wallet')).headers.etag, before)
    assert.equal((await w.step(signed, 'countersign', w.receiver)).status, 200)
    assert.equal((await w.step(signed, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })).status, 200)
    assert.equal((await w.as('coordinator').post(`/alerts/${id}/resolve`, { note: 'Looked at the place' })).status, 200)
    assert.equal(await shown(inside), null)
    assert.ok((await board()).every(([, by]) => by === null))
  })

  test('§16 a stop that starts later shows on the permit from its start, also on a card that is kept; other work and other contractors go on', async () => {
    house.clock(NOW)
    const w = await permitWorld(house)
    const permit = await w.at('issued', { place: { point: HERE } })
    const card = async () => (await w.as('hse').get(`/permits?site_id=${w.site_id}`)).body[0].stopped_by_alert?.title ?? null
    const cora = w.as('coordinator')
    await made(w, cora, { ...stop, start_at: at('10:00'), end_at: at('10:30') })
    assert.equal(await card(), null)
    house.clock(at('10:00'))
    assert.equal(await card(), stop.title, 'before the sweep')
    await go('10:40')
    assert.equal(await card(), stop.title, 'an end doesn’t lift it')
    const [{ id }] = (await cora.get(`/alerts/?site_id=${w.site_id}`)).body
    const put = (more: object) => cora.patch(`/alerts/${id}`, more)
    assert.equal((await put({ activities: ['excavation', 'lifting'] })).status, 200)
    assert.equal(await card(), null, 'hot work is neither')
    await put({ activities: ['hot_work'] })
    assert.equal(await card(), stop.title)
    const other = await w.contractor('Other Ltd')
    await put({ contractor_ids: [other] })
    assert.equal(await card(), null)
    await put({ contractor_ids: [], effect: 'caution' })
    assert.equal((await w.read(permit)).stopped_by_alert, null)
    const ctx = reading(house.house, { actor: jobActor('test'), cause: 'test' })
    const stops = await weatherStops(ctx, w.site_id, at('00:00'), at('23:00'))
    assert.ok(
      stops.every(({ to }) => to === at('10:40')) && stops[0]?.from === at('10:00'),
      'what it was before the change is not rewritten',
    )
  })

  test('§16 include=affected counts workers, headcount, plant and live permits inside now; the list has danger first, and its filters', async () => {
    house.clock(NOW)
    const w = await permitWorld(house)
    const cora = w.as('coordinator')
    const put = (path: string, more: object) =>
      cora.post(path, { site_id: w.site_id, place: { point: HERE }, start_at: NOW, end_at: at('17:00'), ...more })
    assert.equal((await put('/workers/', { name: 'Gang 1', trade: 'steel', headcount: 6 })).status, 201)
    assert.equal(
      (await put('/workers/', { name: 'Gang 2', trade: 'steel', headcount: 4, place: { point: { lon: -0.084, lat: HERE.lat } } })).status,
      201,
    )
    assert.equal((await put('/plant', { name: 'TC1', category: 'tower_crane' })).status, 201)
    await w.at('issued', { place: { point: HERE } })
    await w.at('requested', { place: { point: HERE } })
    const { id } = await made(w, cora, { place: { point: HERE } })
    assert.deepEqual((await cora.get(`/alerts/${id}?include=affected`)).body.affected, { workers: 1, headcount: 6, plant: 1, permits: 1 })
    const other = await w.join('member', await w.contractor('Yonder'), 'Yan Yonder')
    assert.equal(
      (await other.get(`/alerts/${id}?include=affected`)).body.affected.permits,
      0,
      '1098 a permit of others that they can’t see',
    )
    assert.equal((await w.as('member').get(`/alerts/${id}?include=affected`)).body.affected.permits, 1)
    assert.equal((await cora.get(`/alerts/${id}`)).body.affected, undefined)
    house.clock(at('09:30'))
    await made(w, cora, { title: 'Newer info', severity: 'info' })
    await made(w, cora, { title: 'Newer warning', severity: 'warning', category: 'traffic' })
    assert.deepEqual((await list(w)).slice(0, 1), ['Live cable found'])
    const whole = (await cora.get(`/alerts/?site_id=${w.site_id}&include=affected&severity=info`)).body[0].affected
    assert.deepEqual(whole, { workers: 2, headcount: 10, plant: 1, permits: 1 })
    assert.deepEqual(await list(w, '&bbox=-0.05,51.4,-0.04,51.45&severity=danger'), [])
    assert.deepEqual(await list(w, '&bbox=-0.09,51.50,-0.08,51.51&severity=danger'), ['Live cable found'])
    assert.deepEqual(await list(w, '&category=traffic&effect=none&q=WARN'), ['Newer warning'])
    const site = (await cora.get('/sites/?include=counts')).body.find((one: { id: string }) => one.id === w.site_id)
    assert.equal(site.counts.open_alerts, 3)
  })

  test('§16 an alert over a building and its levels stops the permits there; the map is drawn again, and open apps hear it under `alerts`', async () => {
    house.clock(NOW)
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const ring = [
      [-0.088, 51.5078],
      [-0.0874, 51.5078],
      [-0.0874, 51.5082],
      [-0.088, 51.5082],
      [-0.088, 51.5078],
    ]
    const outline = { type: 'Polygon', coordinates: [ring] }
    const levels = [0, 1, 2].map(index => ({ index, name: `L${index}` }))
    const block = (
      await hse.post('/reference-features/zones', {
        site_id: w.site_id,
        kind: 'building',
        code: 'A',
        name: 'Block A',
        outline,
        levels,
        effective_at: at('06:00'),
      })
    ).body
    const [first, second, whole] = [
      await w.at('issued', { place: { building_id: block.id, level_index: 1 } }),
      await w.at('issued', { place: { building_id: block.id, level_index: 2 } }),
      await w.at('issued', { place: { building_id: block.id } }),
    ]
    const nowhere = await w.at('issued')
    const layer = async () => (await hse.get(`/sites/${w.site_id}/snapshot-revision`)).body.layers.annotations
    const before = await layer()
    assert.deepEqual(faults(await post(w, hse, { ...stop, place: { building_id: block.id }, levels: [7] })), ['levels'])
    const { id, area } = await made(w, hse, { ...stop, place: { building_id: block.id }, levels: [1] })
    assert.deepEqual(area, outline)
    assert.notEqual(await layer(), before)
    const by = async (permit: { id: string }) => (await w.read(permit as never)).stopped_by_alert?.id ?? null
    assert.deepEqual([await by(first), await by(second), await by(whole), await by(nowhere)], [id, null, id, null])
    assert.deepEqual([await list(w, '&level_index=2'), await list(w, `&building_id=${block.id}&level_index=1`)], [[], [stop.title]])
    const [event] = await house.rows(`select kind, payload from event where site_id = $1 and kind = 'alert.raised'`, [w.site_id])
    assert.deepEqual([event.payload.alert_id, event.payload.effect, event.payload.source], [id, 'stops', 'manual'])
  })

  test('permits-decisions.md §4 an area stop raises one alert over its place, which ends with it; danger stays until a person lifts it', async () => {
    house.clock(NOW)
    const w = await house.world()
    const source = { kind: 'area_stop' as const, id: w.site_id }
    const work = { actor: jobActor('test'), cause: 'test' }
    const stopped = { title: 'Area stopped', category: 'other', effect: 'stops' as const, activities: ['all'], place: { point: HERE } }
    const ids = await writingOn(house.house, work, w.site_id, async ctx => [
      await raise(ctx, w.site_id, { ...stopped, severity: 'warning', source }),
      await raise(ctx, w.site_id, { ...stopped, severity: 'danger', source }),
    ])
    const before = (await w.as('viewer').get(`/alerts/${ids[0]}`)).body
    assert.deepEqual([before.state, before.source, before.created_by], ['active', source, null])
    await writingOn(house.house, work, w.site_id, ctx => resolveFrom(ctx, w.site_id, source, 'The area stop is over.'))
    const states = await Promise.all(ids.map(async id => (await w.as('viewer').get(`/alerts/${id}`)).body.state))
    assert.deepEqual(states, ['resolved', 'active'])
  })
})
