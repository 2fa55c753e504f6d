import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { outside, sql } from '../../../base/db.ts'
import { writingOn } from '../../../kernel/site/door.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`

describe('permits and the work that they cover', () => {
  const house = useHouse({}, { pool: 8 })
  const monday = async () => {
    house.clock(at('09:00'))
    return permitWorld(house)
  }
  const gang = async (w: PermitWorld, more: object = {}) => {
    const body = { site_id: w.site_id, name: 'Welders', trade: 'Welder', start_at: at('08:00'), end_at: at('17:00'), place: HERE, ...more }
    return w.as('coordinator').post('/workers/', body)
  }
  const covered = async (w: PermitWorld, id: string, time?: string) =>
    time === undefined
      ? (await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&id=${id}`)).body[0]
      : (await w.as('coordinator').get(`/workers/at-time?site_id=${w.site_id}&at=${time}`)).body.find(
          (one: { id: string }) => one.id === id,
        )
  const policy = (w: PermitWorld, coverage_policy_enabled: boolean) =>
    w.as('hse').put('/permits/config', { site_id: w.site_id, coverage_policy_enabled })
  const change = (w: PermitWorld, verb: 'link' | 'unlink', id: string, body: object) =>
    w.as('coordinator').post(`/permits/applications/${id}/${verb}`, { entity_type: 'worker', ...body })

  test('§0.8 policy on: a live worker without a permit is `no_permit`, with one it isn’t; an hour before its start it isn’t; policy off: never', async () => {
    const w = await monday()
    const worker = (await gang(w)).body
    assert.equal(worker.no_permit, false)
    await policy(w, true)
    assert.equal((await covered(w, worker.id)).no_permit, true)
    assert.equal((await covered(w, worker.id, at('08:00'))).no_permit, true)
    const early = await w.as('coordinator').get(`/workers/at-time?site_id=${w.site_id}&at=${at('07:00')}`)
    assert.equal(early.body.length, 0)
    const ahead = (await gang(w, { start_at: at('10:00') })).body
    assert.equal(ahead.no_permit, false)
    const without = async () =>
      (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&no_permit=true`)).body.map((one: { id: string }) => one.id)
    assert.deepEqual(await without(), [worker.id])
    assert.equal((await w.as('coordinator').patch(`/workers/${worker.id}`, { headcount: 3 })).status, 200)
    const permit = await w.at('issued')
    assert.equal((await change(w, 'link', permit.id, { entity_ids: [worker.id] })).status, 200)
    assert.deepEqual([(await covered(w, worker.id)).no_permit, await without()], [false, []])
    await change(w, 'unlink', permit.id, { entity_ids: [worker.id] })
    await policy(w, false)
    assert.equal((await covered(w, worker.id)).no_permit, false)
  })

  test('§0.8 `live_permit` is true only while a linked permit is live and its window contains the instant', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    const worker = (await gang(w, { start_at: at('07:00'), end_at: '2026-03-17T17:00:00.000Z', permit_id: permit.id })).body
    assert.deepEqual(
      worker.permits.map((one: { id: string }) => one.id),
      [permit.id],
    )
    const { start_at, end_at } = worker.permits[0]
    const live = async (time: string) => (await covered(w, worker.id, time)).live_permit
    assert.deepEqual([await live(start_at), await live(end_at)], [true, false])
    const draft = await w.at('requested')
    const other = (await gang(w, { permit_id: draft.id })).body
    assert.deepEqual([other.permits.length, other.live_permit], [1, false])
  })

  test('link: it is idempotent, says what is outside the window, and refuses what doesn’t exist and a permit that is over', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    const early = (await gang(w, { start_at: '2026-03-15T08:00:00.000Z', end_at: '2026-03-15T17:00:00.000Z' })).body
    const first = await change(w, 'link', permit.id, { entity_ids: [early.id] })
    assert.deepEqual([first.status, first.body.changed, first.body.entities[0].outside_permit_window], [200, [early.id], true], first.text)
    const again = await change(w, 'link', permit.id, { entity_ids: [early.id] })
    assert.deepEqual([again.body.changed, again.body.entities.length], [[], 1])
    const unknown = await change(w, 'link', permit.id, { entity_ids: ['01890000-0000-7000-8000-000000000000'] })
    assert.deepEqual([unknown.status, unknown.body.error.fields[0].path], [422, 'entity_ids[0]'])
    assert.equal((await change(w, 'link', permit.id, {})).status, 422)
    const wrong = await change(w, 'link', permit.id, { entity_type: 'plant', entity_ids: [early.id] })
    assert.equal(wrong.body.error.fields[0].path, 'entity_ids[0]')
    const over = await w.at('rejected')
    const refused = await change(w, 'link', over.id, { entity_ids: [early.id] })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_transition'])
    const closed = await w.at('closed')
    assert.equal((await change(w, 'unlink', closed.id, { entity_ids: [early.id] })).status, 409)
  })

  test('link: a schedule is linked inside the permit’s window; the others are in `outside_permit_window` and are not linked', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    const template = { name: 'Welders', trade: 'Welder', place: HERE }
    const window = await w.read(permit, w.as('coordinator'))
    const hour = (instant: string) => instant.slice(11, 16)
    const pattern = { start_date: DAY, end_date: '2026-03-18', start_time: hour(`${window.start_at}`), end_time: hour(`${window.end_at}`) }
    const made = await w.as('coordinator').post('/workers/create-schedule', { site_id: w.site_id, template, pattern, permit_id: permit.id })
    assert.equal(made.status, 201, made.text)
    const [first, second, third] = made.body.occurrences
    assert.deepEqual(made.body.outside_permit_window, [second.id, third.id])
    assert.deepEqual([made.body.occurrences[0].permits.length, made.body.occurrences[1].permits.length], [1, 0])
    assert.deepEqual(
      made.body.group.permits.map(({ id }: { id: string }) => id),
      [permit.id],
    )
    const grouped = (await w.as('coordinator').get(`/permits/applications/${permit.id}/entities/grouped`)).body
    assert.deepEqual(
      grouped.map((one: { entity_type: string; count: number; first_at: string; schedule_group_id: string }) => [
        one.entity_type,
        one.count,
        one.first_at,
        one.schedule_group_id,
      ]),
      [['worker', 1, first.start_at, made.body.group.id]],
    )
    const whole = await change(w, 'link', permit.id, { schedule_group_ids: [made.body.group.id] })
    assert.deepEqual([whole.body.changed, whole.body.outside_permit_window], [[], [second.id, third.id]])
    const gone = await change(w, 'unlink', permit.id, { schedule_group_ids: [made.body.group.id] })
    assert.deepEqual([gone.body.changed, gone.body.entities], [[first.id], []])
  })

  test('§0.5 an occurrence that goes loses its permit links, and the history of the link says why', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    const worker = (await gang(w, { start_at: at('10:00'), permit_id: permit.id })).body
    assert.equal((await w.as('coordinator').del(`/workers/${worker.id}`)).status, 204)
    assert.deepEqual((await w.as('coordinator').get(`/permits/applications/${permit.id}/entities`)).body, [])
    const csv = (await w.as('hse').get(`/audit/site/${w.site_id}?limit=50`)).text
    assert.match(csv, /Welders was deleted/)
  })

  test('§0.8 a permit that the caller doesn’t see is 404, as a filter and as `permit_id`; another contractor’s work is 403', async () => {
    const w = await monday()
    const draft = await w.at('draft')
    assert.equal((await gang(w, { permit_id: draft.id })).status, 404)
    assert.equal((await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&permit_id=${draft.id}`)).status, 404)
    const seen = await w.at('issued')
    assert.equal((await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&permit_id=${seen.id}&permit_id=${draft.id}`)).status, 404)
    assert.equal((await w.as('coordinator').get(`/permits/applications/${draft.id}/entities`)).status, 404)
    const permit = await w.at('issued')
    const worker = (await gang(w, { contractor_id: await w.contractor('Other Ltd') })).body
    const mate = await w.join('member', await w.contractor('Own Ltd'))
    const refused = await mate.post(`/permits/applications/${permit.id}/link`, { entity_type: 'worker', entity_ids: [worker.id] })
    assert.ok([403, 404].includes(refused.status), refused.text)
    assert.equal(
      (await w.as('viewer').post(`/permits/applications/${permit.id}/link`, { entity_type: 'worker', entity_ids: [worker.id] })).status,
      403,
    )
  })

  test('after the issue, the receiver is notified of a link', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    const worker = (await gang(w)).body
    await change(w, 'link', permit.id, { entity_ids: [worker.id] })
    const inbox = async () =>
      (await w.receiver.get(`/notifications/?site_id=${w.site_id}&kind=permit_links_changed`)).body.map(
        (one: { title: string }) => one.title,
      )
    assert.deepEqual(await inbox(), [`Permit ${permit.permit_number} covers more work`])
    await change(w, 'link', permit.id, { entity_ids: [worker.id] })
    assert.equal((await inbox()).length, 1, 'nothing was changed')
    const early = await w.at('approved')
    await change(w, 'link', early.id, { entity_ids: [worker.id] })
    assert.equal((await inbox()).length, 1, 'before the issue, nobody is notified')
  })

  test('§0.7 a copy keeps its permit only if the permit is not over and its window contains the copy', async () => {
    const w = await monday()
    const permit = await w.at('issued')
    await gang(w, { permit_id: permit.id })
    const copied = await w
      .as('coordinator')
      .post('/workers/copy-from-range', { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date: '2026-03-18' })
    assert.equal(copied.status, 201, copied.text)
    assert.deepEqual(
      copied.body.permits_dropped.map((one: { id: string }) => one.id),
      [permit.id],
    )
    assert.deepEqual((await covered(w, copied.body.created[0].id)).permits, [])
  })

  test('1091 what a permit covers can be read while someone changes the work, and a link that waits for the work doesn’t keep its permit from what changes the work', async () => {
    const w = await monday()
    const [permit, worker] = [await w.at('issued'), (await gang(w)).body]
    await change(w, 'link', permit.id, { entity_ids: [worker.id] })
    const list = `/permits/applications/${permit.id}/entities` as const
    const { linking } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test.change' }, w.site_id, async ctx => {
      await sql`select 1 from worker where site_id = ${w.site_id} and id = ${worker.id} for no key update`.execute(ctx.db)
      assert.equal((await outside(() => w.as('coordinator').get(list))).body.length, 1)
      const linking = outside(() => change(w, 'link', permit.id, { entity_ids: [worker.id] }))
      await someoneWaits(house)
      // A schedule that changes locks its work first and then its permits, to link the new days.
      await sql`set local lock_timeout = '700ms'`.execute(ctx.db)
      await sql`select 1 from permit where site_id = ${w.site_id} and id = ${permit.id} for share`.execute(ctx.db)
      return { linking }
    })
    assert.equal((await linking).status, 200)
  })

  test('1091 people who link the same work to different permits in any order, while some of it is deleted, don’t wait in a circle', async () => {
    const w = await monday()
    const permits = [await w.at('issued'), await w.at('approved'), await w.draft({}, w.as('coordinator'))]
    const work: string[] = []
    for (let n = 0; n < 6; n++) work.push((await gang(w, { name: `Gang ${n}`, start_at: at('12:00') })).body.id)
    const replies = await Promise.all([
      ...permits.flatMap(({ id }, n) => [
        change(w, 'link', id, { entity_ids: work.slice(n, n + 3) }),
        change(w, 'link', id, { entity_ids: work.toReversed() }),
        change(w, 'unlink', id, { entity_ids: work.slice(3 - n, 6 - n) }),
      ]),
      ...work.slice(0, 4).map((id, n) => w.as('coordinator').patch(`/workers/${id}`, { headcount: n + 2 })),
      w.as('hse').del('/workers/batch', { site_id: w.site_id, ids: work.slice(4).toReversed() }),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status).filter(status => ![200, 204, 422].includes(status)),
      [],
    )
    const left = await house.rows('select 1 from permit_entity where site_id = $1 and entity_id = any($2)', [w.site_id, work.slice(4)])
    assert.equal(left.length, 0, 'what was deleted has no links')
  })
})
