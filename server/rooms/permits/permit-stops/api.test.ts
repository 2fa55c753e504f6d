import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { sweepPermits } from '../permits/actions/sweeps.ts'

const NOW = '2026-03-16T09:00:00.000Z'
const HERE = { lon: -0.0877, lat: 51.5079 }
const AWAY = { lon: -0.0857, lat: 51.5079 }
const square = ([west, south, east, north]: [number, number, number, number]) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})
const AREA = square([-0.0881, 51.5077, -0.0873, 51.5082])

type Shown = Record<string, never> & { id: string }
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()

describe('area stops', () => {
  const house = useHouse()
  const world = async () => {
    house.clock(NOW)
    return permitWorld(house)
  }
  const stop = (w: PermitWorld, more: object = {}, by: Caller = w.as('coordinator')) =>
    by.post('/permits/stops', { site_id: w.site_id, place: { polygon: AREA }, reason: 'Smell of gas', ...more })
  const stopped = async (w: PermitWorld, more: object = {}) => {
    const reply = await stop(w, more)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (w: PermitWorld, query = '', by: Caller = w.as('coordinator')) =>
    (await by.get(`/permits/stops?site_id=${w.site_id}${query}`)).body
  const revalidate = (permit: { id: string }, by: Caller, body: object = {}) =>
    by.post(`/permits/applications/${permit.id}/revalidate`, body)
  const lift = (id: string, by: Caller, body: object = { note: 'Leak repaired' }) => by.post(`/permits/stops/${id}/lift`, body)
  const building = async (w: PermitWorld) =>
    (
      await w.as('hse').post('/reference-features/zones', {
        ...{ site_id: w.site_id, kind: 'building', code: 'A', name: 'Block A', outline: AREA, effective_at: '2026-03-16T06:00:00.000Z' },
        levels: [0, 1, 2].map(index => ({ index, name: `L${index}` })),
      })
    ).body
  const notified = async (w: PermitWorld, { user_id }: Caller) => {
    await relayEvents(house.house)
    return house.rows('select title from notification where site_id = $1 and user_id = $2', [w.site_id, user_id])
  }
  const reasonsOn = async (w: PermitWorld, permit: Permit) => (await w.read(permit)).stopped.map((one: { reason: string }) => one.reason)

  test('§4.7 a stop marks every live permit inside, by its own place, its building or linked work there now; others stay, and one without a known place is listed', async () => {
    const w = await world()
    const block = await building(w)
    const point = await w.at('issued', { place: { point: HERE } })
    const coarse = await w.at('issued', { place: { building_id: block.id } })
    const linked = await w.at('issued', { place: { point: AWAY } })
    const worker = {
      site_id: w.site_id,
      name: 'Welders',
      trade: 'Welder',
      start_at: '2026-03-16T06:00:00.000Z',
      end_at: '2026-03-16T17:00:00.000Z',
      place: { point: HERE },
    }
    const { body: crew } = await w.as('coordinator').post('/workers/', worker)
    const link = await w.as('coordinator').post(`/permits/applications/${linked.id}/link`, { entity_type: 'worker', entity_ids: [crew.id] })
    assert.equal(link.status, 200, link.text)
    const away = await w.at('issued', { place: { point: AWAY } })
    const nowhere = await w.at('issued', { location: 'By the gate' })
    const review = await w.at('approved', { place: { point: HERE } })
    const back = await w.at('issued', { place: { point: HERE } })
    await w.step(back, 'hand-back', w.receiver)

    const preview = await w.as('coordinator').post('/permits/stops/preview', { site_id: w.site_id, place: { polygon: AREA } })
    assert.deepEqual(
      [preview.status, idsOf(preview.body.permits), idsOf(preview.body.unchecked)],
      [200, idsOf([point, coarse, linked]), [nowhere.id]],
      preview.text,
    )
    assert.deepEqual(await list(w), [])

    const reply = await stop(w)
    assert.equal(reply.status, 201, reply.text)
    const made = reply.body
    assert.equal(reply.headers.location, `/api/permits/stops?site_id=${w.site_id}&id=${made.id}`)
    assert.deepEqual(idsOf(made.permits), idsOf([point, coarse, linked]))
    assert.deepEqual(
      [idsOf(made.unchecked), made.waiting, made.state, made.reason, made.permissions.can_lift],
      [[nowhere.id], 3, 'active', 'Smell of gas', true],
    )
    for (const one of [point, coarse, linked]) {
      const { status, stopped } = await w.read(one)
      assert.deepEqual([status, stopped.length, stopped[0]?.stop_id, stopped[0]?.lifted], ['issued', 1, made.id, false])
    }
    for (const one of [away, nowhere, review, back]) assert.deepEqual((await w.read(one)).stopped, [])

    const { body: alert } = await w.as('viewer').get(`/alerts/${made.alert_id}`)
    assert.deepEqual(
      [alert.state, alert.effect, alert.severity, alert.title, alert.source],
      ['active', 'stops', 'danger', 'Work stopped: Smell of gas', { kind: 'area_stop', id: made.id }],
    )
    assert.equal((await w.as('coordinator').get(`/alerts/?site_id=${w.site_id}`)).body.length, 1, 'one alert')
    const events = await house.rows(
      `select subject_id, payload ->> 'stop_id' as stop, payload ->> 'reason' as reason from event where site_id = $1 and kind = 'permit.stopped'`,
      [w.site_id],
    )
    assert.deepEqual(events.map(one => one.subject_id).sort(), idsOf([point, coarse, linked]))
    assert.ok(events.every(one => one.stop === made.id && one.reason === 'Smell of gas'))
  })

  test('§4.7 a stop on a level leaves the permits on other levels alone; a permit without a level is on every level', async () => {
    const w = await world()
    const block = await building(w)
    const on = (level_index?: number) =>
      w.at('issued', { place: { building_id: block.id, ...(level_index === undefined ? {} : { level_index }) } })
    const [first, second, every] = [await on(1), await on(2), await on()]
    const made = await stopped(w, { place: { building_id: block.id }, levels: [1] })
    assert.deepEqual(idsOf(made.permits), idsOf([first, every]))
    assert.deepEqual((await w.read(second)).stopped, [])
    const refused = await stop(w, { levels: [1] })
    assert.deepEqual([refused.status, refused.body.error.fields[0].path], [422, 'levels'])
  })

  test('§4.7 the requestor, the receiver and the issuer of each permit are notified of the stop and of the revalidation', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    await stopped(w)
    const titles = async (by: Caller) => (await notified(w, by)).map(one => one.title)
    const says = `Stop work under permit ${permit.permit_number}`
    for (const by of [w.as('member'), w.receiver, w.issuer]) assert.ok((await titles(by)).includes(says), says)
    assert.ok(!(await titles(w.as('viewer'))).includes(says))
    assert.equal((await revalidate(permit, w.issuer)).status, 200)
    for (const by of [w.as('member'), w.receiver]) assert.ok((await titles(by)).includes(`Permit ${permit.permit_number} was revalidated`))
  })

  test('§4.7 an appointed issuer or someone who can approve revalidates with a signature of its own kind; others can’t, and a permit can’t be revalidated twice', async () => {
    const w = await world()
    const permits = [await w.at('issued', { place: { point: HERE } }), await w.at('issued', { place: { point: HERE } })]
    const [first, second] = permits as [Permit, Permit] // two were made
    const { id } = await stopped(w)
    const shown = await w.read(first, w.issuer)
    assert.deepEqual([shown.permissions.can_revalidate, shown.status], [true, 'issued'])
    const { statement, warnings } = shown.advice.revalidate
    for (const by of [w.receiver, w.as('member'), w.as('coordinator')]) {
      const refused = await revalidate(first, by)
      assert.deepEqual([refused.status, refused.body.error.permission], [403, 'permit_approve_stage2'], refused.text)
      assert.equal((await w.read(first, by)).permissions.can_revalidate, false)
    }
    const done = await revalidate(first, w.issuer, { note: 'Meter reads zero', content_hash: shown.content_hash, stop_ids: [id] })
    assert.equal(done.status, 200, done.text)
    const signature = done.body.signatures.at(-1)
    assert.deepEqual(
      [signature.kind, signature.statement, signature.note, signature.content_hash],
      ['revalidate', statement, 'Meter reads zero', shown.content_hash],
    )
    assert.deepEqual([done.body.stopped, done.body.stopped_by_alert, done.body.warnings], [[], null, warnings])
    assert.deepEqual(
      warnings.map((one: { code: string }) => one.code),
      ['stopped_by_alert'],
      'the stop is still active',
    )
    const again = await revalidate(first, w.issuer)
    assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_transition'])
    assert.equal((await revalidate(second, w.as('hse'))).status, 200)
    const [made] = await list(w)
    assert.deepEqual(
      [made.waiting, made.permits.map((one: Shown) => one.revalidated_by_name).sort()],
      [0, ['Hal Safety', 'Ivy Issuer'].sort()],
    )
  })

  test('§4.7 what the signer hasn’t read isn’t signed: a changed permit, or a stop that came later', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    const { id } = await stopped(w)
    const stale = await revalidate(permit, w.issuer, { content_hash: '0'.repeat(64) })
    assert.deepEqual([stale.status, stale.body.error.reason], [409, 'stale_preview'])
    const other = await stopped(w, { place: { point: HERE }, reason: 'Crane off' })
    const later = await revalidate(permit, w.issuer, { stop_ids: [id] })
    assert.deepEqual([later.status, later.body.error.reason, later.body.error.stop_ids], [409, 'stale_preview', [id, other.id]])
    assert.deepEqual(await reasonsOn(w, permit), ['Smell of gas', 'Crane off'])
    const both = await revalidate(permit, w.issuer, { stop_ids: [id, other.id] })
    assert.deepEqual([both.status, both.body.stopped], [200, []], 'one signature for both')
    assert.equal(both.body.signatures.filter((one: { kind: string }) => one.kind === 'revalidate').length, 1)
  })

  test('§4.7 lifting needs a note and resolves the alert; permits stay stopped until they are revalidated, and the stop stays in the list until then', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    const { id, alert_id } = await stopped(w)
    assert.equal((await lift(id, w.as('member'))).body.error.permission, 'alert_stop')
    assert.equal((await lift(id, w.as('coordinator'), {})).status, 422)
    const lifted = await lift(id, w.as('coordinator'))
    assert.deepEqual(
      [lifted.status, lifted.body.state, lifted.body.lift_note, lifted.body.waiting],
      [200, 'lifted', 'Leak repaired', 1],
      lifted.text,
    )
    assert.equal((await w.as('viewer').get(`/alerts/${alert_id}`)).body.state, 'resolved')
    assert.equal((await lift(id, w.as('coordinator'))).body.error.code, 'invalid_transition')
    const { stopped: still, stopped_by_alert } = await w.read(permit)
    assert.deepEqual([still[0].lifted, stopped_by_alert], [true, null])
    assert.deepEqual([idsOf(await list(w)), await list(w, '&state=active')], [[id], []])
    const done = await revalidate(permit, w.issuer)
    assert.deepEqual([done.status, done.body.warnings], [200, []])
    assert.deepEqual([await list(w), idsOf(await list(w, '&state=lifted'))], [[], [id]])
  })

  test('§4.7 resolving the alert lifts the stop, because they are one thing', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    const { id, alert_id } = await stopped(w)
    assert.equal((await w.as('coordinator').post(`/alerts/${alert_id}/resolve`, { note: 'Gas is off' })).status, 200)
    const [made] = await list(w, `&id=${id}`)
    assert.deepEqual([made.state, made.lift_note, made.waiting], ['lifted', 'Gas is off', 1])
    assert.deepEqual((await w.read(permit)).stopped.length, 1)
  })

  test('§4.7 a permit that goes live inside an active stop is stopped at once, as its advice and its answer warn', async () => {
    const w = await world()
    const permit = await w.at('signed', { place: { point: HERE } })
    const { id } = await stopped(w)
    const { warnings } = (await w.read(permit, w.receiver)).advice.countersign
    assert.ok(warnings.some((one: { code: string }) => one.code === 'stopped_by_alert'))
    const live = await w.step(permit, 'countersign', w.receiver)
    assert.deepEqual([live.status, live.body.status, live.body.stopped[0]?.stop_id], [200, 'issued', id], live.text)
    assert.deepEqual(live.body.warnings, warnings)
    const [made] = await list(w)
    assert.deepEqual([made.permits[0].id, made.permits[0].cause, made.waiting], [permit.id, 'went_live', 1])
    assert.equal((await revalidate(permit, w.issuer)).status, 200)
    await lift(id, w.as('coordinator'))
    const after = await w.at('issued', { place: { point: HERE } })
    assert.deepEqual(after.stopped, [], 'a lifted stop stops nothing')
  })

  test('§4.7 a stopped permit can be handed back, closed out and expire; then it needs no revalidation and keeps what it had', async () => {
    const w = await world()
    const [back, closed, over] = [
      await w.at('issued', { place: { point: HERE } }),
      await w.at('issued', { place: { point: HERE } }),
      await w.at('issued', { place: { point: HERE }, end_at: '2026-03-16T10:30:00.000Z' }),
    ]
    await stopped(w)
    assert.equal((await w.step(back, 'hand-back', w.receiver)).status, 200)
    const done = await w.step(closed, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })
    assert.deepEqual([done.status, done.body.status, done.body.stopped], [200, 'closed', []])
    house.clock('2026-03-16T10:31:00.000Z')
    await sweepPermits(house.house)
    assert.deepEqual([(await w.read(over)).status, (await w.read(over)).stopped], ['expired', []])
    for (const permit of [back, closed, over]) assert.equal((await revalidate(permit, w.issuer)).body.error.code, 'invalid_transition')
    const [made] = await list(w)
    assert.deepEqual([made.waiting, made.permits.length], [0, 3])
    house.clock(NOW)
  })

  test('§4.7 the mark is on the board, first in the wallet, in the document, in audit.csv and on the page that verifies paper', async () => {
    const w = await world()
    const calm = await w.at('issued', { place: { point: AWAY } })
    const permit = await w.at('issued', { place: { point: HERE } })
    const wallet = async (by: Caller) => (await by.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body
    const before = await wallet(w.receiver)
    const { qr_payload } = before.find((one: Shown) => one.id === permit.id)
    const verdict = async () => (await house.nobody.post('/permits/verification', { statement: qr_payload })).body.verdict
    house.clock('2026-03-16T10:30:00.000Z')
    assert.equal(await verdict(), 'valid')
    const { id } = await stopped(w)
    assert.equal(await verdict(), 'stopped')
    const card = (await w.as('hse').get(`/permits?site_id=${w.site_id}`)).body.find((one: Shown) => one.id === permit.id)
    assert.deepEqual([card.stopped[0].stop_id, card.permissions.can_revalidate, card.permissions.revalidate.allowed], [id, true, true])
    const carried = await wallet(w.receiver)
    assert.deepEqual([carried[0].id, carried[0].stopped.length, carried.some((one: Shown) => one.id === calm.id)], [permit.id, 1, true])
    const [asked] = await wallet(w.issuer)
    assert.deepEqual([asked?.id, asked?.awaiting_my_action], [permit.id, true], 'the issuer carries what they can revalidate')
    const paper = await w.as('hse').get(`/permits/applications/${permit.id}/document`)
    assert.equal(paper.status, 200)
    assert.equal((await revalidate(permit, w.issuer, { note: 'Meter reads zero' })).status, 200)
    assert.equal(await verdict(), 'valid')
    const csv = (await w.as('hse').get(`/permits/applications/${permit.id}/audit.csv`)).text.split('\r\n')
    const rows = csv.filter(line => /,(stopped|revalidated),/.test(line))
    assert.deepEqual(
      [rows.length, rows[0]?.includes('Smell of gas'), rows[1]?.includes('Meter reads zero')],
      [2, true, true],
      csv.join('\n'),
    )
    assert.match(rows[1] ?? '', /,[0-9a-f]{64},/)
    assert.ok((await wallet(w.issuer)).every((one: Shown) => one.id !== permit.id))
    house.clock(NOW)
  })

  test('§4.7 the same area can’t be stopped twice, nor by two people at once; another area can overlap it', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    const replies = await Promise.all([
      stop(w),
      stop(w, { reason: 'Gas!' }, w.as('hse')),
      stop(w, { reason: 'Leak' }, w.as('site_manager')),
    ])
    assert.deepEqual(replies.map(one => one.status).sort(), [201, 409, 409])
    const made = replies.find(one => one.status === 201)?.body
    for (const { body } of replies.filter(one => one.status === 409))
      assert.deepEqual([body.error.reason, body.error.existing_id], ['key_taken', made.id])
    assert.equal((await w.read(permit)).stopped.length, 1)
    await stopped(w, { place: { point: HERE }, reason: 'Crane off' })
    assert.equal((await w.read(permit)).stopped.length, 2)
  })

  test('§4.7 no permit that goes live while an area is being stopped escapes the stop', async () => {
    const w = await world()
    for (let i = 0; i < 4; i++) {
      const permit = await w.at('signed', { place: { point: HERE } })
      const radius_m = 20 + i
      const [signed, made] = await Promise.all([
        w.step(permit, 'countersign', w.receiver),
        stop(w, { place: { point: HERE }, radius_m, reason: `Gas ${i}` }),
      ])
      assert.deepEqual([signed.status, made.status], [200, 201], signed.text + made.text)
      assert.ok((await reasonsOn(w, permit)).includes(`Gas ${i}`), `round ${i}`)
    }
  })

  test('§4.7 two people who revalidate at once make one signature', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    await stopped(w)
    const replies = await Promise.all([revalidate(permit, w.issuer), revalidate(permit, w.as('hse')), revalidate(permit, w.as('admin'))])
    assert.deepEqual(replies.map(one => one.status).sort(), [200, 409, 409])
    assert.equal((await w.read(permit)).signatures.filter((one: { kind: string }) => one.kind === 'revalidate').length, 1)
  })

  test('§4.7 what can’t be a stop is refused with its faults, and nobody finds what they can’t see', async () => {
    const w = await world()
    const permit = await w.at('issued', { place: { point: HERE } })
    const faults = async (more: object) => {
      const { status, body } = await stop(w, more)
      return [status, body.error.fields.map((one: { path: string }) => one.path)]
    }
    assert.deepEqual(await faults({ place: {} }), [422, ['place']])
    assert.match((await stop(w, { place: {} })).text, /Choose where work stops: a point or an area on the map, a building or a zone\./)
    assert.deepEqual(await faults({ reason: ' ' }), [422, ['reason']])
    assert.deepEqual(await faults({ radius_m: 30 }), [422, ['radius_m']])
    assert.deepEqual(await faults({ place: { zone_id: permit.id } }), [422, ['place.zone_id']])
    assert.equal((await stop(w, {}, w.as('member'))).body.error.permission, 'alert_stop')
    const { id } = await stopped(w)
    const other = await world()
    assert.equal((await lift(id, other.as('admin'))).status, 404)
    const borg = await w.join('member', null, 'Bo Borg')
    const own = await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Borg Ltd' })
    const stranger = await w.join('member', own.body.id, 'Stan Stranger')
    assert.equal((await revalidate(permit, stranger)).status, 404)
    const seen = async (by: Caller) => (await list(w, '', by))[0]
    assert.deepEqual(
      [(await seen(stranger)).permits, (await seen(stranger)).waiting, (await seen(stranger)).permissions.can_lift],
      [[], 0, false],
    )
    assert.equal((await seen(w.receiver)).permits.length, 1)
    assert.ok(borg)
  })
})
