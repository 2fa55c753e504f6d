// What people hear of a record that is deleted, or moved out of their sight (`site-and-people.md` §12, Who hears what): over the real socket.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { bookOf } from '../../../../tests/books.ts'
import { pointAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Frame, is, useSockets } from '../../../../tests/sockets.ts'
import { dayPhotos, HERE, picture } from '../../../../tests/token-photos.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { allKinds, kindNamed } from '../../../kernel/records/door.ts'

const DAY = { start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }

describe('records that were deleted or moved (site-and-people.md §12)', () => {
  const house = useHouse()
  const { enter, silent } = useSockets(house)
  const photos = dayPhotos(house)
  let w: PermitWorld
  let birch: string
  let bea: Caller
  before(async () => {
    w = await permitWorld(house)
    birch = await w.contractor('Birch Steel')
    bea = await w.join('member', birch, 'Bea Birch')
  })
  beforeEach(() => house.clock(MONDAY))

  type Listening = Awaited<ReturnType<typeof enter>>
  const listen = (...who: Caller[]): Promise<Listening[]> => Promise.all(who.map(one => enter(one, w.site_id)))
  const made = async (reply: ReturnType<Caller['post']>): Promise<Frame> => {
    const { status, body, text } = await reply
    assert.equal(status, 201, text)
    return body
  }
  const gone = async (reply: ReturnType<Caller['del']>) => assert.equal((await reply).status, 204)
  const about = (id: string) => (frame: Frame) => frame.type === 'event' && frame.ids.includes(id)
  const past = (id: string, kind: string) => (frame: Frame) => about(id)(frame) && frame.kind === kind
  /** Checks that these people heard nothing of a topic, by waiting for something later that everyone hears. */
  const heardNothing = async (topic: string, ...people: Listening[]) => {
    const gang = await photos.gang(w)
    for (const { ear } of people) {
      await ear.next(about(gang))
      await silent(ear, frame => frame.topic === topic)
    }
  }

  test('§12 those who saw a blocker hear that it was deleted: both contractors and a coordinator, but nobody of another one', async () => {
    const yonder = await w.contractor('Yonder')
    const yan = await w.join('member', yonder)
    const gangs = { kinds: ['worker'] }
    await made(
      w.as('hse').post('/clash-rules', {
        ...{ site_id: w.site_id, name: 'Gangs', a: gangs, b: gangs },
        ...{ when: { within_m: 10 }, outcome: { severity: 'red' } },
      }),
    )
    for (const [x, contractor_id] of [
      [0, w.acme],
      [6, yonder],
    ] as const) {
      const [lon, lat] = pointAt(x, 0)
      const gang = { name: `Gang ${x}`, trade: 'Joiner', contractor_id, radius_m: 1, place: { point: { lon, lat } }, ...DAY }
      await made(w.as('coordinator').post('/workers/', { site_id: w.site_id, ...gang }))
    }
    const [episode] = (await w.as('hse').get(`/clashes/episodes?site_id=${w.site_id}`)).body
    const affected = episode.a.contractor_id === w.acme ? 'a' : 'b'
    const seeing = await listen(w.as('member'), yan, w.as('coordinator'))
    const [other] = (await listen(bea)) as [Listening]
    const { id } = await made(w.as('member').post('/clashes/declare-blocker', { site_id: w.site_id, episode_id: episode.id, affected }))
    await gone(w.as('member').del(`/sites/${w.site_id}/blockers/${id}`))
    for (const { ear } of seeing) {
      const frame = await ear.next(is('event', 'blocker.deleted'))
      assert.deepEqual([frame.entity_type, frame.ids, frame.more], ['blocker', [id], false])
    }
    await silent(other.ear, frame => frame.type === 'event' && frame.entity_type === 'blocker')
    await heardNothing('work', other)
    assert.deepEqual(other.ear.frames.filter(about(id)), [])
  })

  const alert = (contractor_ids: string[], more: object = {}) => ({
    ...{ site_id: w.site_id, title: `Cable ${Math.abs(contractor_ids.length)}`, severity: 'danger', category: 'utilities' },
    ...{ contractor_ids, ...more },
  })

  test('§12 an alert that is deleted is reported to those who saw it, and to nobody else', async () => {
    const [mine, band, other] = (await listen(w.as('member'), w.as('coordinator'), bea)) as [Listening, Listening, Listening]
    const { id } = await made(w.as('member').post('/alerts/', alert([w.acme])))
    await gone(w.as('member').del(`/alerts/${id}`))
    for (const { ear } of [mine, band]) assert.equal((await ear.next(past(id, 'alert.resolved'))).entity_type, 'alert')
    await heardNothing('alerts', other)
  })

  test('§12 an alert that was never active is reported to those who see it when it is scheduled and when it is deleted, and notifies nobody', async () => {
    const [mine, other] = (await listen(w.as('member'), bea)) as [Listening, Listening]
    const later = { title: 'Crane on Friday', start_at: '2026-03-20T08:00:00.000Z' }
    const { id } = await made(w.as('coordinator').post('/alerts/', alert([w.acme], later)))
    await mine.ear.next(past(id, 'alert.changed'))
    await gone(w.as('coordinator').del(`/alerts/${id}`))
    await mine.ear.next(past(id, 'alert.changed'))
    await heardNothing('alerts', other)
    const events = await house.rows(`select kind, payload -> 'withdrawn' as withdrawn from event where subject_id = $1 order by event_no`, [
      id,
    ])
    assert.deepEqual(
      events.map(({ kind, withdrawn }) => [kind, withdrawn]),
      [
        ['alert.changed', null],
        ['alert.changed', true],
      ],
    )
    await relayEvents(house.house)
    assert.deepEqual(await house.rows(`select id from notification where subject_id = $1`, [id]), [])
  })

  test('§12 those who no longer see an alert hear that their list has changed, without its id; those who see it now are notified of it, and nobody else hears anything', async () => {
    const cedar = await w.join('member', await w.contractor('Cedar'))
    const [mine, next, other] = (await listen(w.as('member'), bea, cedar)) as [Listening, Listening, Listening]
    const { id } = await made(w.as('coordinator').post('/alerts/', alert([w.acme], { title: 'Moved cable' })))
    await mine.ear.next(past(id, 'alert.raised'))
    assert.equal((await w.as('coordinator').patch(`/alerts/${id}`, { contractor_ids: [birch] })).status, 200)
    const frame = await mine.ear.next(is('changed'))
    assert.deepEqual([frame.topic, frame.count, 'ids' in frame], ['alerts', 1, false])
    assert.equal((await next.ear.next(past(id, 'alert.changed'))).ids[0], id)
    await heardNothing('alerts', mine, other)
    // What changes later is none of their business.
    assert.equal((await w.as('coordinator').patch(`/alerts/${id}`, { title: 'Dead cable' })).status, 200)
    await next.ear.next(past(id, 'alert.changed'))
    await heardNothing('alerts', mine, other)
  })

  test('§12 a photo that is deleted is reported to those who see photos; a client, who sees published ones only, hears neither of it nor of its deletion', async () => {
    const [band, client] = (await listen(w.as('coordinator'), w.as('client'))) as [Listening, Listening]
    const photo = await photos.added(w, await photos.gang(w, { place: { point: HERE } }), await picture(3))
    await band.ear.next(past(photo.id, 'token_photo.added'))
    await gone(w.as('coordinator').del(`/sites/${w.site_id}/token-photos/${photo.id}`))
    const frame = await band.ear.next(past(photo.id, 'token_photo.removed'))
    assert.deepEqual([frame.entity_type, frame.ids], ['token_photo', [photo.id]])
    const gang = await photos.gang(w)
    await client.ear.next(about(gang))
    assert.deepEqual(
      client.ear.frames.filter(one => one.entity_type === 'token_photo'),
      [],
    )
  })

  test('§12 a shared smart group that is deleted is reported to everyone; one that becomes private only as a change of the list', async () => {
    const [owner, other] = (await listen(w.as('coordinator'), bea)) as [Listening, Listening]
    const group = { site_id: w.site_id, name: 'Everything', subject: 'permit', predicate: { all: [] }, visibility: 'shared' }
    const shared = await made(w.as('coordinator').post('/smart-groups/', group))
    await other.ear.next(past(shared.id, 'smart_group.changed'))
    await gone(w.as('coordinator').del(`/smart-groups/${shared.id}`))
    for (const { ear } of [owner, other]) await ear.next(past(shared.id, 'smart_group.deleted'))
    const second = await made(w.as('coordinator').post('/smart-groups/', { ...group, name: 'Mine' }))
    await other.ear.next(past(second.id, 'smart_group.changed'))
    assert.equal((await w.as('coordinator').patch(`/smart-groups/${second.id}`, { visibility: 'private' })).status, 200)
    await owner.ear.next(past(second.id, 'smart_group.changed'))
    const { topic } = await other.ear.next(is('changed'))
    await gone(w.as('coordinator').del(`/smart-groups/${second.id}`))
    await heardNothing(topic, other)
  })

  test('§12 R4 a draft that is deleted is reported to its requestor on their other devices, and to nobody else', async () => {
    const [own, band, other] = (await listen(w.as('member'), w.as('coordinator'), bea)) as [Listening, Listening, Listening]
    const draft = await w.draft()
    await gone(w.as('member').del(`/permits/applications/${draft.id}`))
    const frame = await own.ear.next(past(draft.id, 'permit.deleted'))
    assert.deepEqual([frame.entity_type, frame.ids, frame.topic], ['permit', [draft.id], 'permits'])
    await heardNothing('permits', band, other)
  })

  test('§12 R10 when a permit is given to another contractor, people of the former one hear that their list has changed, and those of a third nothing', async () => {
    const dot = await w.join('member', await w.contractor('Dogwood'))
    const coordinator = w.as('coordinator')
    const draft = await w.draft({ contractor_id: w.acme, receiver_id: null }, coordinator)
    assert.equal((await w.step(draft, 'submit', coordinator)).status, 200)
    assert.equal((await w.step(draft, 'request-corrections', await w.join('coordinator'), { note: 'Whose work is this?' })).status, 200)
    const [former, next, third] = (await listen(w.as('member'), bea, dot)) as [Listening, Listening, Listening]
    const changed = await coordinator.patch(`/permits/applications/${draft.id}`, { contractor_id: birch })
    assert.equal(changed.status, 200, changed.text)
    const frame = await former.ear.next(is('changed'))
    assert.deepEqual([frame.topic, 'ids' in frame, 'kind' in frame], ['permits', false, false])
    assert.equal((await next.ear.next(about(draft.id))).kind, 'permit.edited')
    await heardNothing('permits', former, third)
  })

  test('§12 when a register is imported, and when the import is deleted, those who see one of its permits hear that their list has changed, and others nothing', async () => {
    const [{ ear: admin }, mine, other] = (await listen(w.as('admin'), w.as('member'), bea)) as [Listening, Listening, Listening]
    const acme = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&q=acme`)).body[0].name
    const value = bookOf([
      ['Permit No', 'Type(s)', 'Start', 'Finish', 'Contractor'],
      ['OLD-1', 'HW', '01/04/2026', '02/04/2026', acme],
      ['OLD-2', 'HW', '01/04/2026', '02/04/2026', acme],
    ])
    const parts = [
      { name: 'site_id', value: w.site_id },
      { name: 'file', value, filename: 'register.xlsx' },
    ]
    const { set_id } = (await w.as('admin').send('POST', '/permits/upload', parts)).body
    await admin.next(past(set_id, 'permit_set.imported'))
    const list = async (who: Caller) => (await who.get(`/permits?site_id=${w.site_id}&q=OLD-`)).body.length
    assert.deepEqual([await list(w.as('member')), await list(bea)], [2, 0])
    for (const kind of ['permit_set.imported', 'permit_set.deleted']) {
      const { topic, count } = await mine.ear.next(is('changed'))
      assert.deepEqual([topic, count], ['permits', 1], kind)
      await heardNothing('permits', mine, other)
      if (kind === 'permit_set.imported') await gone(w.as('admin').del(`/permits/sets/${set_id}`))
    }
    await admin.next(past(set_id, 'permit_set.deleted'))
    assert.equal(await list(w.as('member')), 0)
  })

  test('§12 a person who was disconnected when a record was deleted is notified of it when they come back, if they saw it', async () => {
    const [mine, other] = (await listen(w.as('member'), bea)) as [Listening, Listening]
    for (const { ear } of [mine, other]) {
      ear.close()
      await ear.closed
    }
    const { id } = await made(w.as('member').post('/alerts/', alert([w.acme], { title: 'Flooded trench' })))
    await gone(w.as('member').del(`/alerts/${id}`))
    const [back, behind] = await Promise.all([
      enter(w.as('member'), w.site_id, { cursor: mine.at.cursor }),
      enter(bea, w.site_id, { cursor: other.at.cursor }),
    ])
    await back.ear.next(past(id, 'alert.raised'))
    await back.ear.next(past(id, 'alert.resolved'))
    await heardNothing('alerts', behind)
  })

  test('§12 the columns that decide who sees a record are columns of its table, and records that come with others say which these are', async () => {
    for (const { name, table, sight, brings, open, seen_with } of allKinds()) {
      const there = await house.rows('select column_name from information_schema.columns where table_name = $1', [table])
      const columns = there.map(({ column_name }) => column_name)
      assert.deepEqual(
        sight.filter(column => !columns.includes(column)),
        [],
        name,
      )
      if (sight.length > 0) assert.ok(!open && seen_with === undefined, `${name}: nothing else decides who sees it`)
      if (brings !== undefined) assert.ok((kindNamed(brings)?.sight ?? []).length > 0, name)
    }
  })

  test('§12 the deletion is reported whichever change of another person it races with', async () => {
    const [mine, other] = (await listen(w.as('member'), bea)) as [Listening, Listening]
    for (let round = 0; round < 6; round++) {
      const { id } = await made(w.as('member').post('/alerts/', alert([w.acme], { title: `Race ${round}` })))
      const [, deleted] = await Promise.all([
        w.as('coordinator').patch(`/alerts/${id}`, { title: `Race ${round}, again` }),
        w.as('member').del(`/alerts/${id}`),
      ])
      assert.equal(deleted.status, 204)
      await mine.ear.next(past(id, 'alert.resolved'))
    }
    await heardNothing('alerts', other)
  })
})
