import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bookOf } from '../../../../tests/books.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Frame, is, useSockets } from '../../../../tests/sockets.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { ids } from '../../../base/ids.ts'
import { mintToken } from '../../../kernel/identity/door.ts'
import { begunFor } from '../../../kernel/live/actions/waits.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { raiseTask } from '../../../kernel/tasks/door.ts'
import { admit } from '../../site/memberships/door.ts'

describe('websocket (site-and-people.md §12)', () => {
  const house = useHouse({}, { pool: 8 })
  let w: PermitWorld
  const { dial, enter: enterAt, silent, url } = useSockets(house)
  before(async () => {
    w = await permitWorld(house)
  })
  const enter = (who: Caller, more: Record<string, unknown> = {}) => enterAt(who, w.site_id, more)

  test('10.12 a site id in upper case is the same site when subscribing, receiving and unsubscribing', async () => {
    const { ear, at } = await enter(w.as('coordinator'), { site_id: w.site_id.toUpperCase() })
    assert.equal(at.site_id, w.site_id)
    const permit = await w.at('requested')
    assert.deepEqual((await ear.next(is('event', 'permit.submitted'))).ids, [permit.id])
    ear.send({ type: 'unsubscribe', site_id: w.site_id.toUpperCase() })
    await w.at('requested')
    await silent(ear, frame => frame.type === 'event' && frame.ids[0] !== permit.id)
    ear.send({ type: 'unsubscribe', site_id: 'nonsense' })
    assert.deepEqual((await ear.next(is('error'))).code, 'validation_failed')
  })

  test('§12 a cursor that is no number of an event is refused, and never a fault of the service', async () => {
    const { ear } = await enter(w.as('viewer'), { topics: ['map'] })
    for (const cursor of [0.5, -1, 1e308]) {
      ear.send({ type: 'subscribe', site_id: w.site_id, cursor })
      const { code, of } = await ear.next(is('error'))
      assert.deepEqual([code, of], ['validation_failed', 'subscribe'], String(cursor))
    }
  })

  test('saving a draft sends no frame to anyone else; submitting sends one to the bands, but not to another contractor’s member', async () => {
    const birch = await w.contractor('Birch Steel')
    const other = await enter(await w.join('member', birch))
    const band = await enter(w.as('coordinator'))
    const own = await enter(w.as('member'))
    const draft = await w.draft({ title: 'Weld handrails' })
    await own.ear.next(frame => frame.kind === 'permit.created' && frame.ids[0] === draft.id)
    const { status, headers } = await w.as('member').post(`/permits/applications/${draft.id}/submit`, {})
    assert.equal(status, 200)
    const frame = await band.ear.next(is('event', 'permit.submitted'))
    assert.deepEqual([frame.topic, frame.entity_type, frame.ids, frame.site_id], ['permits', 'permit', [draft.id], w.site_id])
    assert.equal(frame.request_id, headers['x-request-id'], 'the app uses it to ignore its own change')
    assert.equal('payload' in frame, false)
    assert.equal(band.ear.frames.some(is('event', 'permit.created')), false)
    await silent(other.ear, one => one.type === 'event' && one.topic === 'permits')
  })

  test('§12 those who look on hear of a gang that is deleted', async () => {
    const { ear } = await enter(w.as('viewer'))
    const gang = { site_id: w.site_id, name: 'Fixers', trade: 'Fixer', place: { point: { lon: -0.05, lat: 51.5 } } }
    const ahead = { start_at: '2026-03-18T08:00:00.000Z', end_at: '2026-03-18T17:00:00.000Z' }
    const { id } = (await w.as('coordinator').post('/workers/', { ...gang, ...ahead })).body
    await ear.next(frame => frame.kind === 'map_entity.created' && frame.ids[0] === id)
    assert.equal((await w.as('coordinator').del(`/workers/${id}`)).status, 204)
    const { entity_type, ids, more, topic } = await ear.next(is('event', 'map_entity.removed'))
    assert.deepEqual([entity_type, ids, more, topic], ['worker', [id], false, 'map'])
  })

  test('§12 those who manage imports are notified of one that is deleted, and nobody else', async () => {
    const [{ ear }, { ear: other }] = [await enter(w.as('admin')), await enter(w.as('member'))]
    const book = bookOf([
      ['Permit No', 'Type(s)', 'Start', 'Finish'],
      ['WS-1', 'HW', '01/04/2026', '02/04/2026'],
    ])
    const parts = [
      { name: 'site_id', value: w.site_id },
      { name: 'file', value: book, filename: 'register.xlsx' },
    ]
    const { set_id } = (await w.as('admin').send('POST', '/permits/upload', parts)).body
    await ear.next(frame => frame.kind === 'permit_set.imported' && frame.ids[0] === set_id)
    assert.equal((await w.as('admin').del(`/permits/sets/${set_id}`)).status, 204)
    assert.deepEqual((await ear.next(is('event', 'permit_set.deleted'))).ids, [set_id])
    await silent(other, frame => frame.type === 'event' && frame.entity_type === 'permit_set')
  })

  test('creating a zone sends a `map` event with its id, layers, and the revision of snapshot-revision; a member of another site gets nothing', async () => {
    const there = await house.world({ name: 'Elsewhere' })
    const stranger = await dial()
    stranger.send({ type: 'auth', token: there.as('admin').token })
    await stranger.next(is('ready'))
    stranger.send({ type: 'subscribe', site_id: there.site_id })
    await stranger.next(is('subscribed'))
    stranger.send({ type: 'subscribe', site_id: w.site_id })
    assert.equal((await stranger.next(is('error'))).code, 'not_found')
    const { ear } = await enter(w.as('viewer'))
    const at = (x: number, y: number) => [-0.05 + x * 0.0002, 51.5 + y * 0.0002]
    const outline = { type: 'Polygon', coordinates: [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]] }
    const zone = await w.as('hse').post('/reference-features/zones', { site_id: w.site_id, name: 'Laydown', outline })
    assert.equal(zone.status, 201, zone.text)
    const frame = await ear.next(one => one.topic === 'map')
    const { body } = await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)
    assert.deepEqual([frame.ids, frame.layers, frame.revision], [[zone.body.id], ['reference'], body.revision])
    await silent(stranger, one => one.type === 'event')
  })

  test('after a disconnect and 20 changes, the cursor returns those 20 in order and none twice; a cursor that is too old gives `gap`', async () => {
    const first = await enter(w.as('hse'))
    const { cursor } = first.at
    first.ear.close()
    await first.ear.closed
    const ids: string[] = []
    for (let i = 0; i < 20; i++) ids.push((await w.at('requested')).id)
    const back = await enter(w.as('hse'), { cursor, topics: ['permits'] })
    assert.equal(
      back.at.cursor,
      cursor,
      'the missed events are still to come: if the connection breaks now, the next one begins here again',
    )
    const heard: Frame[] = []
    while (heard.length < 20) heard.push(await back.ear.next(is('event', 'permit.submitted')))
    assert.deepEqual(
      heard.map(frame => frame.ids[0]),
      ids,
    )
    assert.deepEqual(
      [...heard.map(frame => frame.cursor)].sort((a, b) => a - b),
      heard.map(frame => frame.cursor),
    )
    await silent(back.ear, is('event', 'permit.submitted'))
    const restored = await enter(w.as('hse'), { cursor: back.at.cursor + 1000 })
    const beyond = restored.ear.frames.find(is('gap')) ?? (await restored.ear.next(is('gap')))
    assert.deepEqual([beyond.from, beyond.to], [back.at.cursor + 1000, restored.at.cursor], 'a cursor from before a backup was restored')
    house.clock('2026-03-16T09:30:00.000Z')
    const late = await enter(w.as('hse'), { cursor: 1 })
    const gap = late.ear.frames.find(is('gap')) ?? (await late.ear.next(is('gap')))
    assert.deepEqual([gap.from, gap.to >= cursor], [1, true])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('reading a site returns the cursor to listen from, so that a step between the reading and the subscription arrives', async () => {
    const permit = await w.at('requested')
    const said = await w.as('hse').get(`/permits?site_id=${w.site_id}&limit=1`)
    const one = await w.as('hse').get(`/permits/applications/${permit.id}`)
    assert.equal(one.headers['x-site-cursor'], said.headers['x-site-cursor'])
    const [site_id, number] = String(said.headers['x-site-cursor']).split(' ')
    assert.equal(site_id, w.site_id)
    assert.equal((await w.as('coordinator').post(`/permits/applications/${permit.id}/endorse`, {})).status, 200)
    const { ear } = await enter(w.as('hse'), { cursor: Number(number), topics: ['permits'] })
    const heard = await ear.next(is('event'))
    assert.deepEqual([heard.kind, heard.ids, heard.cursor > Number(number)], ['permit.endorsed', [permit.id], true])
    assert.equal((await w.as('hse').get('/auth/me')).headers['x-site-cursor'], undefined, 'a response that isn’t about a site has none')
    assert.equal(
      (await w.as('member').get('/permits/types?site_id=01a2015d-a702-768f-9bee-1a16d5bfad50')).headers['x-site-cursor'],
      undefined,
    )
  })

  test('a person who connects while frames are being sent misses nothing and gets nothing twice', async () => {
    const steady = await enter(w.as('viewer'), { topics: ['permits'] })
    for (let round = 0; round < 10; round++) {
      const permit = await w.at('requested')
      const { headers } = await w.as('hse').get(`/permits?site_id=${w.site_id}&limit=1`)
      const cursor = Number(String(headers['x-site-cursor']).split(' ')[1])
      const step = w.as('coordinator').post(`/permits/applications/${permit.id}/endorse`, {})
      // Two more connect: one before the event, one while it is being sent.
      if (round % 2 === 1) await step
      const joining = [w.as('hse'), w.as('admin'), w.as('coordinator'), w.as('hse')].map(who => enter(who, { cursor, topics: ['permits'] }))
      assert.equal((await step).status, 200)
      const about = (frame: Frame) => frame.type === 'event' && frame.ids[0] === permit.id && frame.kind === 'permit.endorsed'
      for (const { ear } of await Promise.all(joining)) {
        await ear.next(about)
        await silent(ear, about)
        ear.close()
        await ear.closed
      }
    }
    steady.ear.close()
  })

  test('a step on one node reaches listeners on the other', async () => {
    const second = await house.beside()
    try {
      await second.edge.app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = second.edge.app.server.address() as { port: number } // the server listens on TCP
      const ear = await dial({}, `ws://127.0.0.1:${port}/api/ws`)
      ear.send({ type: 'auth', token: w.as('hse').token })
      await ear.next(is('ready'))
      ear.send({ type: 'subscribe', site_id: w.site_id })
      await ear.next(is('subscribed'))
      const permit = await w.at('requested')
      await ear.next(frame => frame.kind === 'permit.submitted' && frame.ids[0] === permit.id)
      ear.close()
      await ear.closed
    } finally {
      await second.close()
    }
  })

  test('when a membership ends, frames of that site stop', async () => {
    const leaver = await w.join('viewer')
    const { ear } = await enter(leaver)
    const [{ id }] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, leaver.user_id])
    assert.ok((await w.as('admin').del(`/memberships/${id}`)).status < 300)
    assert.deepEqual((await ear.next(is('me', 'membership'))).ended, true)
    await w.as('hse').post('/reference-features/zones', {
      site_id: w.site_id,
      name: 'Storage',
      outline: {
        type: 'Polygon',
        coordinates: [
          [
            [-0.04, 51.5],
            [-0.0398, 51.5],
            [-0.0398, 51.5002],
            [-0.04, 51.5002],
            [-0.04, 51.5],
          ],
        ],
      },
    })
    await silent(ear, one => one.topic === 'map')
  })

  test('site-and-people.md §1 sockets on a site that is deleted or erased are ended at once', async () => {
    for (const erased of [false, true]) {
      const site = await permitWorld(house)
      const { ear } = await enterAt(site.as('viewer'), site.site_id)
      if (erased) {
        const { code } = (await site.as('admin').get(`/sites/${site.site_id}`)).body
        assert.equal((await site.as('admin').post(`/sites/${site.site_id}/lock`, { locked: true, reason: 'Over' })).status, 200)
        assert.equal((await site.superadmin.del(`/sites/${site.site_id}/nuke`, { confirm: code, reason: 'Mistake' })).status, 204)
      } else assert.equal((await site.as('admin').del(`/sites/${site.site_id}`)).status, 204)
      assert.deepEqual((await ear.next(is('me', 'membership'))).ended, true)
    }
  })

  test('`me` sends how much is waiting for the person whenever that changes', async () => {
    const { ear } = await enter(w.as('coordinator'))
    const before = await ear.next(is('me', 'unread'))
    await w.at('requested')
    const after_it = await ear.next(is('me', 'unread'))
    assert.equal(after_it.tasks, before.tasks + 1)
  })

  test('§12 §5 `me` reports a task that was raised, taken or resolved to its addressees and to nobody else', async () => {
    const [mine, other, bystander] = [await enter(w.as('coordinator')), await enter(w.as('hse')), await enter(w.as('viewer'))]
    const permit = await w.at('requested')
    const [task] = (await w.as('hse').get(`/tasks/?site_id=${w.site_id}&subject_id=${permit.id}`)).body
    const about = (frame: Frame) => frame.type === 'me' && frame.kind === 'task' && frame.ids.includes(task.id)
    const frame = await mine.ear.next(about)
    assert.deepEqual([frame.site_id, frame.more], [w.site_id, false])
    await other.ear.next(about)
    assert.equal((await w.as('hse').post(`/tasks/${task.id}/acknowledge`, { taking: true })).status, 200)
    await mine.ear.next(about)
    assert.equal((await w.step(permit, 'endorse', w.as('hse'))).status, 200)
    await mine.ear.next(about)
    await silent(bystander.ear, one => one.type === 'me' && one.kind === 'task')
  })

  test('§12 `me` is always on: a person receives their notifications and the end of their membership from a site that they don’t follow, and nothing else of it', async () => {
    const there = await permitWorld(house)
    const hse = w.as('hse')
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, there.site_id, ctx =>
      admit(ctx, there.site_id, {
        ...{ user_id: hse.user_id, role: 'hse', contractor_id: null, requested_contractor_name: null, invite_id: null, why_pending: null },
        label: 'Hal',
      }),
    )
    const { ear } = await enter(hse)
    const elsewhere = (frame: Frame) => frame.site_id === there.site_id
    // The counts are sent once the connection listens on the other site.
    await ear.next(is('me', 'unread'))
    ear.send({ type: 'ping', t: 1 })
    await ear.next(is('pong'))
    await there.at('requested')
    const news = await ear.next(frame => elsewhere(frame) && frame.kind === 'notification')
    assert.equal(news.type, 'me')
    await silent(ear, frame => elsewhere(frame) && frame.type !== 'me')
    const [{ id }] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [there.site_id, hse.user_id])
    assert.equal((await there.as('admin').del(`/memberships/${id}`)).status, 204)
    assert.equal((await ear.next(is('me', 'membership'))).site_id, there.site_id)
  })

  test('§12 a person who becomes a member of another site while their app is open is notified at once, and then gets what concerns them alone there', async () => {
    const [there, other] = [await permitWorld(house), await permitWorld(house)]
    const hse = w.as('hse')
    const { ear } = await enter(hse)
    const bystander = await enter(w.as('viewer'))
    // The connection listens on the person's sites of the sign-in once the counts have come.
    await ear.next(is('me', 'unread'))
    const join = (site_id: string, why_pending: string | null) =>
      writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, site_id, ctx =>
        admit(ctx, site_id, {
          ...{ user_id: hse.user_id, role: 'hse', contractor_id: null, requested_contractor_name: null, invite_id: null, why_pending },
          label: 'Hal',
        }),
      )
    const joined = (site_id: string) => (frame: Frame) => is('me', 'membership')(frame) && frame.site_id === site_id
    const { membership } = await join(other.site_id, 'role')
    await join(there.site_id, null)
    assert.equal((await ear.next(joined(there.site_id))).ended, false)
    await there.at('requested')
    assert.equal((await ear.next(frame => frame.site_id === there.site_id && frame.kind === 'notification')).type, 'me')
    // Someone whose request is pending isn't a member yet.
    await silent(ear, joined(other.site_id))
    assert.equal((await other.as('admin').post(`/memberships/${membership.id}/approve`, {})).status, 200)
    assert.equal((await ear.next(joined(other.site_id))).ended, false)
    await other.at('requested')
    await ear.next(frame => frame.site_id === other.site_id && frame.kind === 'notification')
    await silent(ear, frame => frame.type === 'event' && frame.site_id !== w.site_id)
    await silent(bystander.ear, is('me', 'membership'))
  })

  test('§12 §5 `me` names a task that begins to count at its time', async () => {
    const { ear } = await enter(w.as('hse'))
    const subject = { kind: 'membership', id: ids.next(), label: 'Wanda' }
    const task = { kind: 'approve_membership', subject, user_ids: [w.as('hse').user_id], attention_at: '2026-03-16T09:20:00.000Z' }
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx => raiseTask(ctx, w.site_id, task))
    const [{ id }] = await house.rows('select id from task where subject_id = $1', [subject.id])
    const about = (frame: Frame) => frame.type === 'me' && frame.kind === 'task' && frame.ids.includes(id)
    await ear.next(about)
    const begun = async (to: string) => (await begunFor(house.house, w.site_id, '2026-03-16T09:10:00.000Z', to)).people
    assert.equal((await begun('2026-03-16T09:19:59.999Z')).size, 0)
    const frames = (await begun('2026-03-16T09:20:00.000Z')).get(w.as('hse').user_id)
    assert.deepEqual(frames, [{ type: 'me', kind: 'task', site_id: w.site_id, ids: [id], more: false }])
  })

  test('§12 §1 `me` names a notification that was made, and one that the person has read on another device', async () => {
    const [mine, other] = [await enter(w.as('hse')), await enter(w.as('viewer'))]
    const news = is('me', 'notification')
    const permit = await w.at('requested')
    const made = await mine.ear.next(news)
    const [first] = (await w.as('hse').get(`/notifications/?site_id=${w.site_id}&subject_id=${permit.id}`)).body
    assert.deepEqual([made.site_id, made.ids, made.more], [w.site_id, [first.id], false])
    await mine.ear.next(is('me', 'unread'))
    assert.equal((await w.as('hse').post(`/notifications/${first.id}/mark-read`, {})).status, 200)
    assert.deepEqual((await mine.ear.next(news)).ids, [first.id])
    await mine.ear.next(is('me', 'unread'))
    await w.at('requested')
    await mine.ear.next(news)
    assert.ok((await w.as('hse').post('/notifications/mark-all-read', { site_id: w.site_id })).body.marked > 0)
    const all = await mine.ear.next(news)
    assert.deepEqual([all.site_id, all.ids, all.more], [w.site_id, [], true])
    await silent(other.ear, news)
  })

  test('a foreign Origin is refused before the upgrade; a missing or wrong token, one in the URL and a malformed frame close the connection, each with its code', async () => {
    await assert.rejects(dial({ origin: 'https://evil.example' }), /403/)
    const own = await dial({ origin: new URL(house.house.settings.public_url).origin })
    own.send({ type: 'subscribe', site_id: w.site_id })
    assert.equal(await own.closed, 1002)
    const wrong = await dial()
    wrong.send({ type: 'auth', token: 'no.such.token' })
    assert.equal(await wrong.closed, 4401)
    const rubbish = await dial()
    rubbish.send('not json')
    assert.equal(await rubbish.closed, 1002)
    const long = await dial()
    long.send({ type: 'auth', token: 'x'.repeat(20_000) })
    assert.equal(await long.closed, 1009)
    const quick = await dial({ authorization: `Bearer ${w.as('hse').token}` })
    await quick.next(is('ready'))
    for (let i = 0; i < 30; i++) quick.send({ type: 'ping', t: i })
    assert.equal(await quick.closed, 4429)
  })

  test('a connection without an auth frame within five seconds closes with 4401, even with ?token= in the URL; one whose token ends gets a warning, then 4401', async () => {
    const mute = await dial({}, `${url()}?token=${w.as('hse').token}`)
    const soon = await mintToken(
      house.house,
      { subject: 'ends-soon', name: 'Ed Soon', email: null, email_verified: false },
      { seconds: 30 },
    )
    const ending = await dial()
    ending.send({ type: 'auth', token: soon })
    await ending.next(is('ready'))
    assert.ok((await ending.next(is('reauth'))).expires_in_seconds <= 30)
    house.clock('2026-03-16T09:00:31.000Z')
    assert.equal(await ending.closed, 4401)
    house.clock('2026-03-16T09:00:00.000Z')
    assert.equal(await mute.closed, 4401)
  })

  test('GET /ws/stats shows all connections to a superadmin, those of its site to the administer band, and nothing to others', async () => {
    const { ear } = await enter(w.as('hse'))
    const stats = async () => (await w.superadmin.get('/ws/stats')).body
    const until = Date.now() + 8000
    let seen = await stats()
    while (Date.now() < until && !((seen.processes[0]?.subscriptions ?? 0) > 0)) seen = await stats()
    assert.equal(seen.processes.length, 1)
    assert.ok(seen.processes[0].connections > 0 && seen.sites.some((one: { site_id: string }) => one.site_id === w.site_id))
    assert.ok((await w.as('admin').get(`/ws/stats?site_id=${w.site_id}`)).body.subscribers > 0)
    assert.equal((await w.as('hse').get(`/ws/stats?site_id=${w.site_id}`)).status, 403)
    assert.equal((await w.as('admin').get('/ws/stats')).status, 403)
    ear.close()
  })
})
