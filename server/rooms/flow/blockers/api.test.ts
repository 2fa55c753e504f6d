import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { pointAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'

const at = (time: string, day = 16) => `2026-03-${day}T${time}:00.000Z`

describe('blockers', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  type Found = any
  type Stopped = PermitWorld & { blocker: Found; yan: Caller; path: string }

  const made = async (reply: Promise<{ status: number; body: Found; text: string }>): Promise<Found> => {
    const { status, body, text } = await reply
    assert.equal(status, 201, text)
    return body
  }
  /** A site on which a member says that Acme’s gang is stopped by Yonder’s since 08:00. */
  const stopped = async (by: 'member' | 'coordinator' = 'member'): Promise<Stopped> => {
    const w = await permitWorld(house)
    const yonder = await w.contractor('Yonder')
    const yan = await w.join('member', yonder, 'Yan Yonder')
    const gangs = { kinds: ['worker'] }
    const rule = { name: 'Gangs near gangs', a: gangs, b: gangs, when: { within_m: 10 }, outcome: { severity: 'red' } }
    await made(w.as('hse').post('/clash-rules', { site_id: w.site_id, ...rule }))
    for (const [x, contractor_id] of [
      [0, w.acme],
      [6, yonder],
    ] as const) {
      const [lon, lat] = pointAt(x, 0)
      const where = { radius_m: 1, place: { point: { lon, lat } }, start_at: at('08:00'), end_at: at('18:00') }
      await made(w.as('coordinator').post('/workers/', { site_id: w.site_id, name: `Gang ${x}`, trade: 'Joiner', contractor_id, ...where }))
    }
    const [episode] = (await w.as('hse').get(`/clashes/episodes?site_id=${w.site_id}`)).body
    const affected = episode.a.contractor_id === w.acme ? 'a' : 'b'
    const blocker = await made(w.as(by).post('/clashes/declare-blocker', { site_id: w.site_id, episode_id: episode.id, affected }))
    return { ...w, blocker, yan, path: `/sites/${w.site_id}/blockers/${blocker.id}` }
  }
  const resolve = (w: Stopped, more: object = {}, by = w.as('member')) =>
    by.post(`/sites/${w.site_id}/blockers/${w.blocker.id}/resolve`, { how: 'They moved', ...more })
  const remove = (w: Stopped, by: Caller) => by.del(`/sites/${w.site_id}/blockers/${w.blocker.id}`)

  test('§1.2 resolve ends what is still stopped at the time when its cause was cleared, and again it is 409', async () => {
    const w = await stopped()
    house.clock(at('11:00'))
    const { status, body, text } = await resolve(w, { cleared_at: at('10:30') })
    assert.equal(status, 200, text)
    assert.deepEqual(
      [body.status, body.running, body.cleared_at, body.cleared_how, body.prevented],
      ['resolved', 'over', at('10:30'), 'They moved', false],
    )
    assert.deepEqual([body.affected[0].to_at, body.affected[0].restart_reason], [at('10:30'), null])
    const again = await resolve(w)
    assert.deepEqual([again.status, again.body.error.code, again.body.error.status], [409, 'invalid_transition', 'resolved'])
  })

  test('§0.2 a record that was pointed at and has been deleted since keeps the label that it had', async () => {
    const w = await stopped()
    const [{ id }] = (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&q=Gang 6`)).body
    const pointer = (blocker: Found) => blocker.pointers.find((one: Found) => one.id === id)
    assert.deepEqual([pointer(w.blocker).label, pointer(w.blocker).hidden], ['Gang 6', false])
    house.clock(at('19:00'))
    assert.equal((await w.as('hse').del(`/workers/${id}`)).status, 204)
    const { body, text } = await resolve(w)
    assert.deepEqual([pointer(body)?.label, pointer(body)?.hidden], ['Gang 6', false], text)
  })

  test('messages.md §0.5 events of a blocker name the permits that cover the work that was pointed at', async () => {
    const w = await stopped()
    const events = () => house.rows('select kind, payload from event where subject_id = $1 order by event_no', [w.blocker.id])
    assert.deepEqual(
      (await events()).map(({ kind, payload }) => [kind, payload.permit_ids]),
      [['blocker.declared', []]],
    )
    const [{ id }] = (await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&q=Gang 0`)).body
    const permit = await w.draft({ start_at: at('08:00'), end_at: at('18:00') })
    const linked = await w.as('member').post(`/permits/applications/${permit.id}/link`, { entity_type: 'worker', entity_ids: [id] })
    assert.equal(linked.status, 200, linked.text)
    assert.equal((await resolve(w)).status, 200)
    assert.deepEqual((await events()).at(-1)?.payload.permit_ids, [permit.id])
  })

  test('§1.2 work goes on up to 24 h after its cause was cleared, with a reason', async () => {
    const w = await stopped()
    house.clock(at('11:00'))
    const [{ id: affected_id }] = w.blocker.affected
    const restart = (to_at: string, more: object = {}) => ({
      cleared_at: at('10:30'),
      restart: [{ affected_id, to_at, reason: 'The gang was in Block B', ...more }],
    })
    const field = async (more: object) => (await resolve(w, more)).body.error.fields[0].path
    assert.equal(await field(restart(at('10:31', 17))), 'restart[0].to_at')
    assert.equal(await field(restart(at('10:29'))), 'restart[0].to_at')
    assert.equal(await field(restart(at('12:00'), { reason: '' })), 'restart[0].reason')
    assert.equal(await field(restart(at('12:00'), { affected_id: w.blocker.id })), 'restart[0].affected_id')
    const theirs = await resolve(w, restart(at('12:00')), w.yan)
    assert.deepEqual([theirs.status, theirs.body.error.permission], [403, 'blocker_manage'])
    const { body } = await resolve(w, restart(at('12:00')))
    assert.deepEqual([body.affected[0].to_at, body.affected[0].restart_reason], [at('12:00'), 'The gang was in Block B'])
  })

  test('§1.2 a cause is never cleared in the future, or before the stop began', async () => {
    const w = await stopped()
    const field = async (more: object) => (await resolve(w, more)).body.error.fields[0].path
    assert.equal(await field({ cleared_at: at('09:01') }), 'cleared_at')
    assert.equal(await field({ cleared_at: at('07:59') }), 'cleared_at')
    assert.equal(await field({ how: '' }), 'how')
  })

  test('§1.2 the affected, the responsible and the declaring contractor and coordinators resolve; others don’t see it, or can’t', async () => {
    const w = await stopped()
    const third = await w.join('member', await w.contractor('Third'), 'Tess Third')
    assert.equal((await resolve(w, {}, third)).status, 404)
    assert.equal((await resolve(w, {}, w.as('viewer'))).body.error.permission, 'blocker_declare')
    assert.equal((await resolve(w, {}, w.yan)).status, 200)
    for (const by of ['contractor_hse', 'coordinator'] as const) {
      const next = await stopped()
      assert.equal((await resolve(next, {}, next.as(by))).status, 200, by)
    }
  })

  test('§1.5 the person who declared it deletes it within 60 minutes, then an H&S person does; after that it doesn’t exist', async () => {
    const w = await stopped()
    const refused = await remove(w, w.as('contractor_hse'))
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'blocker_archive'])
    house.clock(at('10:01'))
    assert.equal((await remove(w, w.as('member'))).status, 403)
    assert.equal((await remove(w, w.as('coordinator'))).status, 403)
    assert.equal((await remove(w, w.as('hse'))).status, 204)
    assert.equal((await remove(w, w.as('hse'))).status, 404)
    house.clock(MONDAY)
    const quick = await stopped()
    house.clock(at('10:00'))
    assert.equal((await remove(quick, quick.as('member'))).status, 204)
  })

  test('§1.5 once someone else has acted on it, the person who declared it can’t delete it', async () => {
    const w = await stopped()
    assert.equal((await resolve(w, {}, w.yan)).status, 200)
    assert.equal((await remove(w, w.as('member'))).status, 403)
  })

  test('messages §0.5 the contractor that can clear it is notified, and the affected one when work goes on', async () => {
    const w = await stopped()
    const inbox = async (by: Caller): Promise<string[]> => {
      await relayEvents(house.house)
      return (await by.get(`/notifications/?site_id=${w.site_id}`)).body.map((one: Found) => one.title)
    }
    assert.ok((await inbox(w.yan)).includes(`Blocker for you to clear: ${w.blocker.number}`))
    assert.ok(!(await inbox(w.as('contractor_hse'))).some(title => title.includes(w.blocker.number)))
    assert.equal((await resolve(w, {}, w.yan)).status, 200)
    assert.ok((await inbox(w.as('contractor_hse'))).includes(`Work goes on again: ${w.blocker.number}`))
  })
})
