import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { pointAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'

describe('notifications of clashes', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  test('messages §0.5 red_clash_ahead: both contractors and the coordinators are notified of a red clash within 48 hours, of no later one and of no amber one', async () => {
    const w = await permitWorld(house)
    const yonder = await w.contractor('Yonder')
    const yan = await w.join('member', yonder, 'Yan Yonder')
    const third = await w.join('member', await w.contractor('Third'), 'Tess Third')
    const post = async (by: Caller, path: string, body: object) => {
      const made = await by.post(path, { site_id: w.site_id, ...body })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const rule = (name: string, kind: string, severity: string) =>
      post(w.as('hse'), '/clash-rules', {
        ...{ name, a: { kinds: ['worker'] }, b: { kinds: [kind] }, levels: { mode: 'any' }, when: { within_m: 10 }, outcome: { severity } },
      })
    await rule('Gangs near machines', 'plant', 'red')
    await rule('Gangs near gangs', 'worker', 'amber')
    const place = (x: number) => {
      const [lon, lat] = pointAt(x, 0)
      return { place: { point: { lon, lat } } }
    }
    const day = (number: number) => ({ start_at: `2026-03-${number}T09:00:00.000Z`, end_at: `2026-03-${number}T12:00:00.000Z` })
    const gang = (x: number, when: object, contractor_id: string) =>
      post(w.as('coordinator'), '/workers/', { name: 'Fixers', trade: 'Fixer', radius_m: 1, ...place(x), ...when, contractor_id })
    const digger = (x: number, when: object, contractor_id: string) =>
      post(w.as('coordinator'), '/plant/', {
        ...{ name: 'Digger', category: 'excavator', working_radius_m: 4, ...place(x), ...when, contractor_id },
      })
    const told = async (who: Caller) => {
      await relayEvents(house.house)
      return (await who.get(`/notifications/?site_id=${w.site_id}&kind=red_clash_ahead`)).body.map(
        (one: { title: string; link: string }) => one.title,
      )
    }
    const [{ id: ours }] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}&q=acme`)).body
    // Far ahead, and amber.
    await gang(0, day(25), ours)
    await digger(3, day(25), yonder)
    await gang(100, day(17), ours)
    await gang(103, day(17), yonder)
    for (const who of [w.as('member'), yan, third, w.as('coordinator'), w.as('hse')]) assert.deepEqual(await told(who), [])
    await gang(200, day(17), ours)
    await digger(203, day(17), yonder)
    const title = 'Red clash: Gangs near machines'
    for (const who of [w.as('member'), yan]) assert.deepEqual(await told(who), [title])
    for (const who of [third, w.as('hse')]) assert.deepEqual(await told(who), [])
    const [row] = (await yan.get(`/notifications/?site_id=${w.site_id}&kind=red_clash_ahead`)).body
    const [episode] = (
      await yan.get(`/clashes/episodes?site_id=${w.site_id}&severity=red&from=2026-03-17T00:00:00.000Z&to=2026-03-18T00:00:00.000Z`)
    ).body
    assert.equal(row.link, `/sites/${w.site_id}/clashes?episode=${episode.id}`)
    await gang(300, day(19), ours)
    await digger(303, day(19), yonder)
    assert.equal((await told(yan)).length, 1)
    house.clock('2026-03-17T09:00:00.000Z')
    await gang(400, day(19), ours)
    await digger(403, day(19), yonder)
    assert.deepEqual(await told(yan), [title, title], '48 hours ahead')
    const cleo = await w.join('coordinator', null, 'Cleo Coordinator')
    await gang(500, day(18), ours)
    await digger(503, day(18), yonder)
    assert.deepEqual(await told(cleo), [title])
  })

  test('§4.4 red_clash_ahead: a red clash that was over and is back within 72 hours notifies the same people again', async () => {
    const w = await permitWorld(house)
    const coordinator = w.as('coordinator')
    const made = async (by: Caller, path: string, body: object) => {
      const reply = await by.post(path, { site_id: w.site_id, ...body })
      assert.equal(reply.status, 201, reply.text)
      return reply.body
    }
    await made(w.as('hse'), '/clash-rules', {
      ...{ name: 'Gangs near machines', a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, levels: { mode: 'any' } },
      ...{ when: { within_m: 10 }, outcome: { severity: 'red' } },
    })
    const at = (x: number) => {
      const [lon, lat] = pointAt(x, 0)
      return { place: { point: { lon, lat } } }
    }
    const when = { start_at: '2026-03-17T09:00:00.000Z', end_at: '2026-03-17T12:00:00.000Z' }
    await made(coordinator, '/workers/', { name: 'Fixers', trade: 'Fixer', radius_m: 1, ...at(0), ...when, contractor_id: w.acme })
    const digger = await made(coordinator, '/plant/', {
      ...{ name: 'Digger', category: 'excavator', working_radius_m: 4, ...at(3), ...when, contractor_id: w.acme },
    })
    const titles = async (who: Caller) => {
      await relayEvents(house.house)
      const all = (await who.get(`/notifications/?site_id=${w.site_id}&kind=red_clash_ahead`)).body
      return all.map((one: { title: string }) => one.title).sort()
    }
    const first = 'Red clash: Gangs near machines'
    for (const who of [w.as('member'), coordinator]) assert.deepEqual(await titles(who), [first])
    for (const x of [80, 3]) {
      const moved = await coordinator.patch(`/plant/${digger.id}`, at(x))
      assert.equal(moved.status, 200, moved.text)
      await relayEvents(house.house)
    }
    for (const who of [w.as('member'), coordinator])
      assert.deepEqual(await titles(who), ['A red clash is back: Gangs near machines', first])
  })

  test('RP-4 after an accepted episode a copy of the profile is activated: the same episode with its decision; a profile without the rule ends it profile_switched', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const get = async (path: string) => (await hse.get(`${path}${path.includes('?') ? '&' : '?'}site_id=${w.site_id}`)).body
    const post = async (path: string, body: object) => {
      const made = await hse.post(path, { site_id: w.site_id, ...body })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const rule = await post('/clash-rules', {
      ...{ name: 'Gangs', a: { kinds: ['worker'] }, b: { kinds: ['worker'] }, levels: { mode: 'any' } },
      ...{ when: { within_m: 10 }, outcome: { severity: 'amber' } },
    })
    // An edited rule has another version than its copy.
    const edited = await hse.patch(`/clash-rules/${rule.id}`, { name: 'Gangs near gangs' })
    assert.equal(edited.status, 200, edited.text)
    for (const x of [0, 4]) {
      const [lon, lat] = pointAt(x, 0)
      const when = { start_at: '2026-03-17T09:00:00.000Z', end_at: '2026-03-17T12:00:00.000Z' }
      await post('/workers/', { name: `Gang ${x}`, trade: 'Fixer', radius_m: 1, place: { point: { lon, lat } }, ...when })
    }
    const [episode, ...others] = await get('/clashes/unresolved')
    assert.deepEqual(others, [])
    await post('/clashes/stance', { episode_id: episode.id, kind: 'accepted', reason: 'A wall stands between' })
    const [standard] = await get('/rule-profiles')
    const copy = await hse.post(`/rule-profiles/${standard.id}/clone`, { name: 'Copy' })
    assert.equal(copy.status, 201, copy.text)
    const activate = async (id: string) => assert.equal((await hse.post(`/rule-profiles/${id}/activate`, {})).status, 200)
    await activate(copy.body.id)
    assert.deepEqual(await get('/clashes/unresolved'), [])
    const [same, ...more] = await get('/clashes/episodes')
    assert.deepEqual([same.id, same.status, same.stance?.kind, more], [episode.id, 'open', 'accepted', []])
    await activate((await post('/rule-profiles', { name: 'Nothing' })).id)
    await get('/clashes/unresolved')
    const [ended] = await get('/clashes/episodes?status=ended')
    assert.deepEqual([ended?.id, ended?.end_reason], [episode.id, 'profile_switched'])
  })
})
