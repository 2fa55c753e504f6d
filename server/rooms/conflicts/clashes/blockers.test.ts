import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { MIDDLE, pointAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { followClocks } from './jobs.ts'

const at = (time: string, day = 16) => `2026-03-${String(day).padStart(2, '0')}T${time}:00.000Z`
const spot = (x: number, y = 0) => {
  const [lon, lat] = pointAt(x, y)
  return { point: { lon, lat } }
}

describe('blockers that are declared from clashes', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  type Found = any
  type Site = PermitWorld & { yonder: string; yan: Caller; rule: string }

  const made = async (reply: Promise<{ status: number; body: Found; text: string }>): Promise<Found> => {
    const { status, body, text } = await reply
    assert.equal(status, 201, text)
    return body
  }
  /** A site with another contractor, and a rule that gangs can't be near each other. */
  const site = async (): Promise<Site> => {
    const w = await permitWorld(house)
    const yonder = await w.contractor('Yonder')
    const gangs = { kinds: ['worker'] }
    const rule = { name: 'Gangs near gangs', a: gangs, b: gangs, when: { within_m: 10 }, outcome: { severity: 'red' } }
    const { id } = await made(w.as('hse').post('/clash-rules', { site_id: w.site_id, ...rule }))
    return { ...w, yonder, yan: await w.join('member', yonder, 'Yan Yonder'), rule: id }
  }
  const gang = (w: Site, x: number, contractor_id: string | null, from: string, to: string) =>
    made(
      w.as('coordinator').post('/workers/', {
        ...{ site_id: w.site_id, name: `Gang ${x}`, trade: 'Steel fixer', radius_m: 1, place: spot(x), start_at: from, end_at: to },
        ...(contractor_id === null ? {} : { contractor_id }),
      }),
    )
  const episodes = async (w: Site, query = '', by = w.as('coordinator')): Promise<Found[]> => {
    const reply = await by.get(`/clashes/episodes?site_id=${w.site_id}&${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  /** Two gangs that are in each other’s way, Acme’s and Yonder’s, and which side is whose; it is 11:00 then. */
  const clash = async (w: Site, x = 0, { from = at('10:00'), theirs = w.yonder }: { from?: string; theirs?: string | null } = {}) => {
    house.clock(MONDAY)
    await gang(w, x, w.acme, from, at('14:00'))
    await gang(w, x + 6, theirs, from, at('14:00'))
    await episodes(w)
    house.clock(at('11:00'))
    const found = (await episodes(w)).find(one => [one.a.label, one.b.label].includes(`Gang ${x}`))
    const [mine, other] = found.a.contractor_id === w.acme ? (['a', 'b'] as const) : (['b', 'a'] as const)
    return { id: found.id as string, mine, other }
  }
  const declare = (w: Site, episode_id: string, affected: string, more: object = {}, by = w.as('coordinator')) =>
    by.post('/clashes/declare-blocker', { site_id: w.site_id, episode_id, affected, ...more })
  const blockers = async (w: Site): Promise<Found[]> =>
    house.rows('select * from blocker where site_id = $1 and deleted_at is null order by id', [w.site_id])

  test('CL-9 declared twice it is one blocker; an episode that is wholly ahead is 409', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    const first = await declare(w, id, mine)
    assert.equal(first.status, 201, first.text)
    assert.match(first.body.number, /^BLK-\d{6}$/)
    assert.equal(first.headers.location, `/api/clashes/episodes?site_id=${w.site_id}&id=${id}`)
    const again = await declare(w, id, mine, {}, w.as('member'))
    assert.deepEqual([again.status, again.body.id], [200, first.body.id])
    assert.equal((await blockers(w)).length, 1)
    const ahead = await clash(w, 200, { from: at('12:00') })
    const early = await declare(w, ahead.id, ahead.mine)
    assert.deepEqual([early.status, early.body.error.code, early.body.error.guard], [409, 'invalid_transition', 'clash_has_begun'])
    const [shown] = await episodes(w, `id=${ahead.id}`)
    assert.deepEqual([shown.permissions.declare_blocker.because[0].code, shown.stoppable], ['clash_has_begun', []])
  })

  test('CL-9 two people who declare at once make one blocker', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    const people = [w.as('coordinator'), w.as('member'), w.as('hse'), w.as('contractor_hse')]
    const replies = await Promise.all(people.map(by => declare(w, id, mine, {}, by)))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 200, 200, 201])
    assert.equal(new Set(replies.map(reply => reply.body.id)).size, 1)
    assert.equal((await blockers(w)).length, 1)
  })

  test('CC-3 without a category it takes that of the consequence, with its effect and share; one that is given wins', async () => {
    const w = await site()
    const consequence = { clash_rule_id: w.rule, effect: 'slows', loss_share_percent: 30, blocker_category: 'plant_equipment' }
    assert.equal((await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, ...consequence })).status, 201)
    const { id, mine } = await clash(w)
    const { category, affected } = (await declare(w, id, mine)).body
    assert.deepEqual([category, affected[0].effect, affected[0].loss_share_percent], ['plant_equipment', 'slows', 30])
    const second = await clash(w, 200)
    assert.equal((await declare(w, second.id, second.mine, { category: 'safety_stop' })).body.category, 'safety_stop')
  })

  test('§4.7 a clash that was expected to hurt nobody stops work all the same once someone says so', async () => {
    const w = await site()
    await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id: w.rule, effect: 'none', loss_share_percent: 0 })
    const { id, mine } = await clash(w)
    const { affected, running } = (await declare(w, id, mine)).body
    assert.deepEqual([affected[0].effect, affected[0].loss_share_percent, running], ['stops', 100, 'stopping'])
  })

  test('§4.7 the other side’s contractor can clear it, it starts with the clash that is there now, and red stops work', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    const { body } = await declare(w, id, mine, { description: 'They lift over our slab' })
    assert.deepEqual(body.responsible, { kind: 'contractor', contractor_id: w.yonder, hidden: false })
    assert.deepEqual([body.started_at, body.late_minutes, body.running, body.status], [at('10:00'), 60, 'stopping', 'open'])
    assert.deepEqual([body.source.kind, body.source.id, body.source.label], ['clash_episode', id, 'Gangs near gangs'])
    assert.deepEqual([body.category, body.title, body.description], ['access_space', 'Access and space, Ground', 'They lift over our slab'])
    const [entry] = body.affected
    assert.deepEqual(
      [entry.contractor_id, entry.effect, entry.loss_share_percent, entry.from_at, entry.to_at, entry.tokens[0].kind, entry.origin],
      [w.acme, 'stops', 100, at('10:00'), null, 'worker', 'declared'],
    )
    const second = await clash(w, 200)
    const third = await w.contractor('Third')
    const given = await declare(w, second.id, second.mine, { started_at: at('09:30'), responsible_contractor_id: third })
    assert.deepEqual([given.body.started_at, given.body.responsible.contractor_id], [at('09:30'), third])
  })

  test('§4.7 in the gap between two clashes, and after the episode has ended, it starts with the last one', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    house.clock(at('15:00'))
    await followClocks(house.house)
    const [over] = await episodes(w)
    assert.deepEqual([over.status, over.end_reason], ['ended', 'elapsed'])
    const { status, body } = await declare(w, id, mine)
    assert.deepEqual([status, body.started_at, body.late_minutes], [201, at('10:00'), 300])
  })

  test('§0.2 a member declares for their own contractor only, a coordinator for both sides; others can’t', async () => {
    const w = await site()
    const { id, mine, other } = await clash(w)
    const member = w.as('member')
    const theirs = await declare(w, id, other, {}, member)
    assert.deepEqual([theirs.status, theirs.body.error.permission], [403, 'clash_declare_blocker_any'])
    assert.equal((await declare(w, id, mine, {}, w.as('viewer'))).body.error.permission, 'clash_declare_blocker')
    const stranger = await w.join('member', await w.contractor('Third'), 'Tess Third')
    assert.deepEqual([(await declare(w, id, mine, {}, stranger)).status, (await episodes(w, '', stranger)).length], [422, 0])
    assert.deepEqual((await episodes(w, '', member))[0].stoppable, [mine])
    assert.deepEqual((await episodes(w))[0].stoppable, ['a', 'b'])
    assert.equal((await declare(w, id, mine, {}, member)).status, 201)
  })

  test('CL-8 what is declared against a permit that the caller can’t see says nothing of it; those who see it see who can clear it', async () => {
    const w = await site()
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: MIDDLE })).status, 200)
    const corner = (x: number, y: number) => pointAt(x, y)
    const outline = { type: 'Polygon', coordinates: [[corner(3, -9), corner(50, -9), corner(50, 9), corner(3, 9), corner(3, -9)]] }
    const tower = { site_id: w.site_id, kind: 'building', name: 'Tower', outline, levels: [{ index: 0 }, { index: 1 }] }
    const { id: building_id } = await made(w.as('hse').post('/reference-features/zones', tower))
    const mine = await w.at('requested', { categories: ['HW'], start_at: at('10:00'), end_at: at('12:00'), place: spot(0) })
    const hidden = await w.draft(
      {
        categories: ['CSE'],
        start_at: at('10:00'),
        end_at: at('12:00'),
        place: { ...spot(6), building_id, level_index: 1 },
        title: 'Secret tank',
      },
      w.yan,
    )
    await w.step(hidden, 'submit', w.yan)
    house.clock(at('10:30'))
    const member = w.as('member')
    const [one] = await episodes(w, '', member)
    const reply = await declare(w, one.id, one.a.id === mine.id ? 'a' : 'b', {}, member)
    assert.equal(reply.status, 201, reply.text)
    assert.deepEqual(reply.body.responsible, { kind: 'contractor', contractor_id: null, hidden: true })
    assert.deepEqual([reply.body.title, reply.body.place], ['Access and space', { building_id: null, level_index: null, zone_id: null }])
    const history = await member.get(`/audit/?site_id=${w.site_id}&entity_id=${reply.body.id}`)
    const everything = JSON.stringify([reply.body, await episodes(w, 'include=events', member), history.body])
    const { permit_number } = await w.read(hidden)
    for (const secret of [hidden.id, permit_number, w.yonder, 'Secret tank', 'Yonder', building_id, 'Tower'])
      assert.ok(!everything.includes(secret), secret)
    const again = await declare(w, one.id, one.a.id === mine.id ? 'a' : 'b')
    assert.deepEqual([again.body.responsible.contractor_id, again.body.title], [w.yonder, 'Access and space, Tower, Level 1'])
  })

  test('CL-8 a contractor whose record the caller can’t see joins without being named to them', async () => {
    const w = await site()
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: MIDDLE })).status, 200)
    const third = await w.contractor('Third')
    const window = { start_at: at('10:00'), end_at: at('12:00') }
    const mine = await w.at('requested', { categories: ['HW'], ...window, place: spot(0) })
    const hidden = await w.draft({ categories: ['CSE'], ...window, place: spot(6) }, w.yan)
    await w.step(hidden, 'submit', w.yan)
    house.clock(at('10:30'))
    const [one] = await episodes(w)
    const side = one.a.id === mine.id ? (['a', 'b'] as const) : (['b', 'a'] as const)
    const first = await declare(w, one.id, side[0], { responsible_contractor_id: third })
    assert.equal(first.status, 201, first.text)
    const joined = await declare(w, one.id, side[1], {}, w.yan)
    assert.deepEqual(joined.body.id, first.body.id)
    const member = w.as('member')
    const again = await declare(w, one.id, side[0], {}, member)
    assert.deepEqual(
      again.body.affected.map((entry: { contractor_id: string }) => entry.contractor_id),
      [w.acme],
    )
    const history = await member.get(`/audit/?site_id=${w.site_id}&entity_id=${first.body.id}`)
    const everything = JSON.stringify([again.body, await episodes(w, '', member), history.body])
    assert.ok(!everything.includes(w.yonder), everything)
    assert.equal((await declare(w, one.id, side[0])).body.affected.length, 2)
  })

  test('flow §1.6 another contractor joins an open blocker of the clash, but not the one that can clear it', async () => {
    const w = await site()
    const { id, mine, other } = await clash(w)
    const first = (await declare(w, id, mine)).body
    const against = await declare(w, id, other, {}, w.yan)
    assert.deepEqual([against.status, against.body.responsible.contractor_id], [201, w.acme])
    assert.notEqual(against.body.id, first.id)
    const second = await clash(w, 200)
    const third = await w.contractor('Third')
    const open = (await declare(w, second.id, second.mine, { responsible_contractor_id: third })).body
    const joined = await declare(w, second.id, second.other, { started_at: at('10:45') }, w.yan)
    assert.deepEqual([joined.status, joined.body.id, joined.body.version > open.version], [200, open.id, true])
    assert.deepEqual(
      joined.body.affected.map((entry: Found) => [entry.contractor_id, entry.origin, entry.from_at]),
      [
        [w.acme, 'declared', at('10:00')],
        [w.yonder, 'claimed', at('10:45')],
      ],
    )
  })

  test('§4.7 a resolved blocker is still that of its side; after it was deleted, a new one is declared', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    const first = (await declare(w, id, mine)).body
    const path = `/sites/${w.site_id}/blockers/${first.id}`
    assert.equal((await w.as('coordinator').post(`${path}/resolve`, { how: 'They moved' })).status, 200)
    assert.deepEqual([(await declare(w, id, mine)).status, (await declare(w, id, mine)).body.status], [200, 'resolved'])
    assert.equal((await w.as('hse').del(`/sites/${w.site_id}/blockers/${first.id}`)).status, 204)
    const next = await declare(w, id, mine)
    assert.deepEqual([next.status, next.body.id === first.id], [201, false])
    assert.deepEqual((await episodes(w))[0].blocker_ids, [next.body.id])
  })

  test('§4.7 has_blocker and the blockers of an episode are those that the caller sees', async () => {
    const w = await site()
    const { id, mine, other } = await clash(w)
    const plain = await clash(w, 200)
    const third = await w.contractor('Third')
    const { body } = await declare(w, id, mine, { responsible_contractor_id: third })
    const ids = async (query: string, by?: Caller) => (await episodes(w, query, by)).map(one => one.id)
    assert.deepEqual(await ids('has_blocker=true'), [id])
    assert.deepEqual(await ids('has_blocker=false'), [plain.id])
    assert.deepEqual(await ids('has_blocker=true', w.as('member')), [id])
    const [shown] = await episodes(w, `id=${id}`, w.as('member'))
    assert.deepEqual(shown.blocker_ids, [body.id])
    const [brief] = shown.blockers
    assert.deepEqual(
      [brief.number, brief.status, brief.contractor_ids, brief.started_at, brief.permissions.can_resolve, brief.permissions.can_delete],
      [body.number, 'open', [w.acme], at('10:00'), true, false],
    )
    // Yonder sees the clash, but this blocker is between two others.
    assert.deepEqual(await ids('has_blocker=true', w.yan), [])
    assert.deepEqual((await episodes(w, `id=${id}`, w.yan))[0].blocker_ids, [])
    await declare(w, id, other)
    assert.deepEqual(await ids('has_blocker=true', w.yan), [id])
  })

  test('§4.7 what is malformed, too old, of another site or nobody’s work is refused, and nothing is stored', async () => {
    const w = await site()
    const { id, mine } = await clash(w)
    const member = w.as('member')
    const field = async (more: object, by = w.as('coordinator')) => {
      const { status, body } = await declare(w, id, mine, more, by)
      return [status, body.error.fields?.[0]?.path]
    }
    assert.deepEqual(await field({ category: 'boredom' }), [422, 'category'])
    assert.deepEqual(await field({ affected: 'both' }), [422, 'affected'])
    assert.deepEqual(await field({ category: 'other' }), [422, 'description'])
    assert.deepEqual(await field({ description: 'x'.repeat(4001) }), [422, 'description'])
    assert.deepEqual(await field({ work_line: 'W1' }), [422, 'work_line'])
    assert.deepEqual(await field({ responsible_contractor_id: '01890000-0000-7000-8000-000000000000' }), [422, 'responsible_contractor_id'])
    assert.deepEqual(await field({ started_at: at('08:00', 8) }, member), [422, 'started_at'])
    assert.deepEqual(await field({ started_at: '2026-02-12T08:00:00.000Z' }), [422, 'started_at'])
    assert.deepEqual(await field({ started_at: '2026-04-16T08:00:00.000Z' }), [422, 'started_at'])
    assert.deepEqual(await field({ episode_id: '01890000-0000-7000-8000-000000000000' }), [422, 'episode_id'])
    const nobodys = await clash(w, 200, { theirs: null })
    const { status, body } = await declare(w, nobodys.id, nobodys.other)
    assert.deepEqual([status, body.error.guard], [409, 'has_contractor'])
    assert.deepEqual(await blockers(w), [])
    const unknown = await declare(w, nobodys.id, nobodys.mine)
    assert.deepEqual([unknown.status, unknown.body.responsible], [201, null])
    assert.equal((await declare(w, id, mine, { started_at: at('08:00', 8) })).status, 201)
  })
})
