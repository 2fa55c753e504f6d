import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { pointAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { followClocks } from './jobs.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
const spot = (x: number) => {
  const [lon, lat] = pointAt(x, 0)
  return { place: { point: { lon, lat } } }
}

describe('decisions about clashes', () => {
  const house = useHouse({}, { pool: 8 })
  beforeEach(() => house.clock(MONDAY))
  const accepted = { kind: 'accepted', reason: 'One after the other', controls: 'Fire watch' }

  /** Makes a red clash 6.3 m from a permit of Yonder, which the member of Acme doesn't see. */
  async function hidden() {
    const w = await permitWorld(house)
    const yonder = await w.contractor('Yonder')
    const yan = await w.join('member', yonder, 'Yan Yonder')
    await w.at('requested', { categories: ['HW'], start_at: at('12:00'), end_at: at('14:00'), ...spot(0) })
    const draft = await w.draft({ categories: ['CSE'], start_at: at('12:00'), end_at: at('15:00'), ...spot(6.3) }, yan)
    await w.step(draft, 'submit', yan)
    const query = `site_id=${w.site_id}`
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
    const get = async (path: string, by: Caller): Promise<any> => {
      const reply = await by.get(path)
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const open = (by = w.as('coordinator')) => get(`/clashes/unresolved?${query}`, by)
    const episode = async (by = w.as('coordinator')) => (await get(`/clashes/episodes?${query}`, by))[0]
    const { id: episode_id } = await episode()
    const decide = (by: Caller, more: object) => by.post('/clashes/stance', { site_id: w.site_id, episode_id, ...more })
    const withdraw = (by: Caller) => by.del(`/clashes/stance?${query}&episode_id=${episode_id}`)
    const resolving = { kind: 'resolving', owner_user_id: w.receiver.user_id, due_at: at('11:00') }
    return { w, yonder, yan, query, get, open, episode, episode_id, decide, withdraw, resolving }
  }

  test('CL-8 the distance that was decided on is rounded for those who don’t see a side, and its history doesn’t say whose permit it is', async () => {
    const { w, yonder, get, episode, decide, resolving } = await hidden()
    const made = await decide(w.as('member'), resolving)
    assert.deepEqual([made.status, made.body.accepted_distance_m], [201, 10], made.text)
    assert.equal((await episode(w.as('member'))).stance.accepted_distance_m, 10)
    assert.equal((await episode()).stance.accepted_distance_m, 6.3)
    const history = (by: Caller) => get(`/audit/entity/clash_stance/${made.body.id}`, by)
    assert.equal(JSON.stringify(await history(w.as('member'))).includes(yonder), false)
    assert.equal(JSON.stringify(await history(w.as('member'))).includes('6.3'), false)
    assert.equal(JSON.stringify(await history(w.as('coordinator'))).includes(yonder), true)
  })

  test('§4.7 what a coordinator has settled is not opened again by a member who says who resolves it, and the flag says so', async () => {
    const { w, open, episode, decide, resolving } = await hidden()
    assert.equal((await decide(w.as('member'), resolving)).status, 201)
    assert.equal((await decide(w.as('hse'), accepted)).status, 201)
    const refused = await decide(w.as('member'), resolving)
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'clash_stance_any'])
    assert.equal((await episode(w.as('member'))).permissions.can_resolve, false)
    assert.deepEqual(await open(), [])
    assert.equal((await episode()).permissions.can_resolve, true)
    assert.equal((await decide(w.as('coordinator'), resolving)).status, 201)
    assert.equal((await open()).length, 1)
  })

  test('conventions §2 people who can’t decide about clashes, and everyone on a locked site, are shown that they can’t', async () => {
    const { w, episode } = await hidden()
    const flags = async (by: Caller) => (({ can_settle, can_resolve }) => [can_settle, can_resolve])((await episode(by)).permissions)
    assert.deepEqual(
      [await flags(w.as('viewer')), await flags(w.as('member')), await flags(w.as('hse'))],
      [
        [false, false],
        [false, true],
        [true, true],
      ],
    )
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })).status, 200)
    assert.deepEqual(await flags(w.as('hse')), [false, false])
  })

  test('§4.7 of ten people who settle one clash as they have seen it one succeeds, and a withdrawal makes a version of its own', async () => {
    const { w, episode, decide, withdraw } = await hidden()
    const { version } = await episode()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => decide(w.as(i % 2 === 0 ? 'hse' : 'admin'), { ...accepted, episode_version: version })),
    )
    assert.deepEqual(replies.map(reply => reply.status).sort(), [201, ...Array(9).fill(412)])
    assert.equal((await episode()).version, version + 1)
    assert.equal((await withdraw(w.as('hse'))).status, 204)
    assert.equal((await episode()).version, version + 2)
    assert.equal((await decide(w.as('hse'), { ...accepted, episode_version: version + 1 })).status, 412)
    assert.equal((await decide(w.as('hse'), { ...accepted, episode_version: version + 2 })).status, 201)
  })

  test('conventions §1 an episode about which something was decided or withdrawn has changed since', async () => {
    const { w, query, get, decide, withdraw } = await hidden()
    const since = async () => (await get(`/clashes/episodes?${query}&updated_since=${house.house.clock.now()}`, w.as('hse'))).length
    house.clock(at('09:10'))
    assert.equal(await since(), 0)
    assert.equal((await decide(w.as('hse'), accepted)).status, 201)
    assert.equal(await since(), 1)
    house.clock(at('09:20'))
    assert.equal(await since(), 0)
    assert.equal((await withdraw(w.as('hse'))).status, 204)
    assert.equal(await since(), 1)
  })

  test('messages §0.5 a decision that is withdrawn is published, so that nobody works by it', async () => {
    const { w, episode_id, decide, withdraw } = await hidden()
    assert.equal((await decide(w.as('hse'), accepted)).status, 201)
    assert.equal((await withdraw(w.as('coordinator'))).status, 204)
    const sent = await house.rows(
      `select kind, payload from event where site_id = '${w.site_id}' and subject_id = '${episode_id}' and kind like 'clash.stance%' order by event_no`,
    )
    assert.deepEqual(
      sent.map(({ kind, payload }: { kind: string; payload: Record<string, unknown> }) => [kind, payload.stance, payload.lapse_reason]),
      [
        ['clash.stance_set', 'accepted', undefined],
        ['clash.stance_lapsed', 'accepted', 'withdrawn'],
      ],
    )
  })

  test('§4.5 the one who resolves a clash has to be someone who sees it', async () => {
    const { w, yonder, yan, decide, resolving } = await hidden()
    const third = await w.contractor('Third')
    const tess = await w.join('member', third, 'Tess Third')
    const { owner_user_id: _owner, ...nobody } = resolving
    for (const [owner, status] of [
      [{ owner_user_id: w.as('client').user_id }, 422],
      [{ owner_user_id: tess.user_id }, 422],
      [{ owner_user_id: yan.user_id }, 201],
      [{ owner_user_id: w.as('coordinator').user_id }, 201],
      [{ owner_contractor_id: third }, 422],
      [{ owner_contractor_id: yonder }, 201],
    ] as const) {
      const reply = await decide(w.as('member'), { ...nobody, ...owner })
      assert.equal(reply.status, status, reply.text)
      if (status === 422)
        assert.deepEqual(
          Object.keys(owner),
          reply.body.error.fields.map((fault: { path: string }) => fault.path),
        )
    }
    assert.equal((await w.as('admin').post(`/contractors/${third}/oversight`, { subordinate_id: yonder })).status, 201)
    assert.equal((await decide(w.as('member'), { ...nobody, owner_user_id: tess.user_id })).status, 201)
    assert.equal((await decide(w.as('member'), { ...nobody, owner_contractor_id: third })).status, 201)
  })

  test('site-and-people.md §0.5 a person who leaves leaves the clashes that they resolve to others: administrators see it at once, and coordinators are asked when it is overdue', async () => {
    const { w, episode_id, decide, resolving } = await hidden()
    const tasks = (kind: string) =>
      house.rows(
        `select subject_label as says, bands, user_ids, status from task where site_id = '${w.site_id}' and kind = '${kind}' order by raised_at`,
      )
    assert.equal((await decide(w.as('coordinator'), { ...resolving, owner_user_id: w.as('member').user_id })).status, 201)
    const [{ membership_id }] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.as('member').user_id}`)).body
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.deepEqual(await tasks('reassign_duties'), [{ says: 'resolver of 1 clash', bands: ['administer'], user_ids: [], status: 'open' }])
    house.clock(at('11:30'))
    await followClocks(house.house)
    const [overdue] = await tasks('overdue_resolving')
    assert.deepEqual([overdue.bands, overdue.user_ids], [['coordinate'], []])
    assert.equal((await decide(w.as('hse'), accepted)).status, 201, episode_id)
    await runSchedules(house.house, 'handovers')
    assert.equal((await tasks('reassign_duties'))[0].status, 'resolved')
  })

  test('§4.5 a decision that would lapse at once, because the clash goes on after what it covers, is refused', async () => {
    const { w, decide } = await hidden()
    const until = async (covers_until: string) => (await decide(w.as('hse'), { ...accepted, covers_until })).body
    assert.equal((await until(at('13:59'))).error.fields[0].path, 'covers_until')
    assert.equal((await until(at('14:00'))).covers_until, at('14:00'))
    assert.equal((await until(at('18:00'))).covers_until, at('18:00'))
  })

  test('§4.5 what is settled has neither someone who resolves it nor a time by which it is resolved', async () => {
    const { w, yonder, decide, resolving } = await hidden()
    const { owner_user_id, due_at } = resolving
    const refused = await decide(w.as('hse'), { ...accepted, owner_user_id, owner_contractor_id: yonder, due_at })
    assert.deepEqual(
      [refused.status, refused.body.error.fields.map((fault: { path: string }) => fault.path)],
      [422, ['owner_user_id', 'owner_contractor_id', 'due_at']],
    )
  })

  test('§4.7 of several decisions every clash that doesn’t exist is named, and a refusal says which decision it is about', async () => {
    const { w, episode_id } = await hidden()
    const bulk = (by: Caller, items: object[]) => by.post('/clashes/stance/bulk', { site_id: w.site_id, items })
    const nowhere = [0, 1].map(n => ({ ...accepted, episode_id: `01890000-0000-7000-8000-00000000000${n}` }))
    const absent = await bulk(w.as('hse'), [{ ...accepted, episode_id }, ...nowhere])
    assert.deepEqual(
      absent.body.error.fields.map((fault: { path: string }) => fault.path),
      ['items[1].episode_id', 'items[2].episode_id'],
    )
    const refused = await bulk(w.as('coordinator'), [{ ...accepted, episode_id }])
    assert.deepEqual([refused.status, refused.body.error.path], [403, 'items[0]'])
    const stale = await bulk(w.as('hse'), [{ ...accepted, episode_id, episode_version: 99 }])
    assert.deepEqual([stale.status, stale.body.error.path], [412, 'items[0]'])
  })
})
