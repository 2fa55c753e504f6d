import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { boxAt, MIDDLE, pointAt } from '../../../../tests/geo.ts'
import { CHECKLIST, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { outside, sql } from '../../../base/db.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { compute, takeSite } from './actions/compute.ts'
import { setStances } from './actions/stance.ts'
import { followClocks, rebuild } from './jobs.ts'

const at = (time: string, day = 16) => `2026-03-${day}T${time}:00.000Z`
const spot = (x: number, y = 0) => {
  const [lon, lat] = pointAt(x, y)
  return { point: { lon, lat } }
}

describe('clashes', () => {
  const house = useHouse({}, { pool: 8 })
  beforeEach(() => house.clock(MONDAY))
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  type Found = any
  const get = async (w: World, path: string, by = w.as('coordinator')): Promise<Found> => {
    const reply = await by.get(`${path}${path.includes('?') ? '&' : '?'}site_id=${w.site_id}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const clashes = (w: World, query = '', by = w.as('coordinator')) => get(w, `/clashes?${query}`, by)
  const unresolved = (w: World, by = w.as('coordinator')) => get(w, '/clashes/unresolved', by)
  const episodes = (w: World, query = '') => get(w, `/clashes/episodes?${query}`)
  const made = async (reply: Promise<{ status: number; body: Found; text: string }>): Promise<Found> => {
    const { status, body, text } = await reply
    assert.equal(status, 201, text)
    return body
  }
  const rule = (w: World, more: object) =>
    made(
      w.as('hse').post('/clash-rules', {
        ...{ site_id: w.site_id, name: 'Gangs near areas', a: { kinds: ['worker'] }, b: { kinds: ['active_area'] } },
        ...{ when: { within_m: 10 }, outcome: { severity: 'red' }, ...more },
      }),
    )
  const gang = (w: World, x: number, from: string, to: string, more: object = {}) =>
    made(
      w.as('coordinator').post('/workers/', {
        ...{
          site_id: w.site_id,
          name: 'Steel fixers',
          trade: 'Steel fixer',
          radius_m: 1,
          place: spot(x),
          start_at: from,
          end_at: to,
          ...more,
        },
      }),
    )
  const permit = (w: PermitWorld, x: number, code: string, from: string, to: string, more: object = {}) =>
    w.at('requested', { categories: [code], start_at: from, end_at: to, place: spot(x), ...more })
  const times = (found: Found) => found.map((one: Found) => [one.severity, one.from_at.slice(11, 16), one.to_at?.slice(11, 16) ?? null])

  test('CL-1 HW and CSE 6 m apart clash red for their common hour; 12 m apart, or one after the other, they don’t', async () => {
    const w = await permitWorld(house)
    await permit(w, 0, 'HW', at('10:00'), at('12:00'))
    await permit(w, 6, 'CSE', at('11:00'), at('15:00'))
    const found = await clashes(w)
    assert.deepEqual(times(found), [['red', '11:00', '12:00']])
    assert.deepEqual([found[0].a.kind, found[0].status, found[0].distance_m, found[0].reasons[0].within_m], ['permit', 'upcoming', 6, 10])
    const far = await permitWorld(house)
    await permit(far, 0, 'HW', at('10:00'), at('12:00'))
    await permit(far, 12, 'CSE', at('11:00'), at('15:00'))
    assert.deepEqual(await clashes(far), [])
    const later = await permitWorld(house)
    await permit(later, 0, 'HW', at('10:00'), at('12:00'))
    await permit(later, 6, 'CSE', at('12:00'), at('16:00'))
    assert.deepEqual(await clashes(later), [])
  })

  const storeys = (n: number) => Array.from({ length: n }, (_, index) => ({ index }))
  const building = async (w: PermitWorld): Promise<string> => {
    const corner = (x: number, y: number) => pointAt(x, y)
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { location: MIDDLE })).status, 200)
    const outline = {
      type: 'Polygon',
      coordinates: [[corner(-50, -50), corner(50, -50), corner(50, 50), corner(-50, 50), corner(-50, -50)]],
    }
    const body = { site_id: w.site_id, kind: 'building', name: 'Tower', outline, levels: storeys(5) }
    return (await made(w.as('hse').post('/reference-features/zones', body))).id
  }
  /** Fails if what is stored differs from what a rebuild gives. */
  const rebuilt = async (w: World) => {
    await clashes(w)
    assert.equal(await rebuild(house.house, w.site_id), 0, 'stored clashes differ from a rebuild')
  }

  test('CL-2 levels 2 and 3 clash for HW and CSE, 2 and 4 don’t, and an unknown level does', async () => {
    const w = await permitWorld(house)
    const building_id = await building(w)
    const on = (level_index: number | null) => ({ place: { ...spot(0), building_id, ...(level_index === null ? {} : { level_index }) } })
    await permit(w, 0, 'HW', at('10:00'), at('12:00'), on(2))
    const other = await permit(w, 6, 'CSE', at('10:00'), at('12:00'), on(4))
    assert.deepEqual(await clashes(w), [])
    await w.step(other, 'withdraw', w.as('member'))
    await permit(w, 6, 'CSE', at('10:00'), at('12:00'), on(3))
    assert.deepEqual(
      (await clashes(w)).map((one: Found) => [one.severity, one.level_gap]),
      [['red', 1]],
    )
    await permit(w, 6, 'CSE', at('14:00'), at('15:00'), on(null))
    await permit(w, 6, 'HW', at('14:00'), at('15:00'), on(4))
    assert.deepEqual(
      (await clashes(w, `from=${at('13:00')}`)).map((one: Found) => one.severity),
      ['red'],
    )
    await rebuilt(w)
  })

  test('CL-3 a permit and its parent never clash, and two children of one parent do', async () => {
    const w = await permitWorld(house)
    const [matrix] = await get(w, '/clash-rules?system=true&q=too close')
    const cells = { 'GEN|HW': 'amber', 'CSE|GEN': 'amber' }
    assert.equal((await w.as('hse').patch(`/clash-rules/${matrix.id}`, { outcome: { cells } })).status, 200)
    await permit(w, 30, 'GEN', at('10:00'), at('12:00'))
    await permit(w, 32, 'HW', at('10:00'), at('12:00'))
    assert.equal((await clashes(w)).length, 1, 'without a parent')
    const parent = await permit(w, 0, 'GEN', at('10:00'), at('12:00'))
    await permit(w, 2, 'HW', at('10:00'), at('12:00'), { parent_id: parent.id })
    assert.equal((await clashes(w)).length, 1)
    await permit(w, 4, 'CSE', at('10:00'), at('12:00'), { parent_id: parent.id })
    const found = (await clashes(w)).filter((one: Found) => one.severity === 'red')
    assert.deepEqual(new Set(found.flatMap((one: Found) => [one.a.types[0], one.b.types[0]])), new Set(['HW', 'CSE']))
    assert.equal(found.length, 1)
  })

  const tenDays = async (w: PermitWorld) => {
    await rule(w, { name: 'Gangs near permits', b: { kinds: ['permit'] }, outcome: { severity: 'amber' } })
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 28))
    const { group, occurrences } = await made(
      w.as('coordinator').post('/workers/create-schedule', {
        site_id: w.site_id,
        template: { name: 'Steel fixers', trade: 'Steel fixer', radius_m: 1, place: spot(8) },
        pattern: {
          start_date: '2026-03-17',
          end_date: '2026-03-26',
          start_time: '08:00',
          end_time: '16:00',
          weekdays: [1, 2, 3, 4, 5, 6, 7],
        },
      }),
    )
    return { group, occurrences }
  }

  test('CL-4 ten days next to one permit are ten clashes and one episode; accepting it empties the list, and 3 m nearer lists it again', async () => {
    const w = await permitWorld(house)
    const { occurrences } = await tenDays(w)
    assert.equal((await clashes(w, `to=${at('00:00', 30)}`)).length, 10)
    const [one, ...more] = await unresolved(w)
    assert.deepEqual([one?.clash_count, one?.severity, one?.least_distance_m, more], [10, 'amber', 7, []])
    const stance = { site_id: w.site_id, episode_id: one.id, kind: 'accepted' }
    const empty = await w.as('coordinator').post('/clashes/stance', stance)
    assert.deepEqual([empty.status, empty.body.error.fields[0].path], [422, 'reason'])
    const stale = await w.as('coordinator').post('/clashes/stance', { ...stance, reason: 'A wall', episode_version: one.version + 1 })
    assert.equal(stale.status, 412)
    const set = await made(
      w.as('coordinator').post('/clashes/stance', { ...stance, reason: 'A wall stands between', episode_version: one.version }),
    )
    assert.deepEqual([set.accepted_distance_m, set.covers_until], [7, at('16:00', 26)])
    assert.deepEqual(await unresolved(w), [])
    assert.deepEqual((await clashes(w, 'stance=accepted')).length > 0, true)
    const move = (x: number) =>
      Promise.all(
        occurrences.map((row: Found) =>
          w
            .as('coordinator')
            .patch(`/workers/${row.id}`, { place: spot(x) })
            .then(reply => assert.equal(reply.status, 200, reply.text)),
        ),
      )
    await move(7.5)
    assert.deepEqual(await unresolved(w), [], 'half a metre nearer')
    await move(4.5)
    const [again] = await unresolved(w)
    assert.deepEqual([again?.id, again?.stance], [one.id, null])
    const [lapsed] = await house.rows('select lapse_reason from clash_stance where site_id = $1', [w.site_id])
    assert.equal(lapsed.lapse_reason, 'nearer')
    await rebuilt(w)
  })

  test('CL-5 an issued permit that expires unclosed still clashes with tomorrow’s permit, and after close-out the episode ended closed_out', async () => {
    const w = await permitWorld(house)
    const first = await w.at('issued', { categories: ['HW'], place: spot(0) })
    await permit(w, 6, 'CSE', at('10:00', 17), at('12:00', 17))
    assert.deepEqual(await clashes(w), [])
    house.clock(at('18:30'))
    await runSchedules(house.house, 'permit_sweep')
    assert.deepEqual(times(await clashes(w)), [['red', '10:00', '12:00']])
    const closed = await w.step(first, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })
    assert.equal(closed.status, 200, closed.text)
    assert.deepEqual(await clashes(w), [])
    const [one] = await episodes(w, 'include=events')
    assert.deepEqual(
      [one.status, one.end_reason, one.events.map((event: Found) => event.kind)],
      ['ended', 'closed_out', ['opened', 'ended']],
    )
  })

  test('CL-7 yesterday’s clash is still answered by at-time after one side is deleted today; §4.7 beyond the horizon is 422', async () => {
    const w = await permitWorld(house)
    await rule(w, { name: 'Gangs near permits', b: { kinds: ['permit'] } })
    const two = await permit(w, 0, 'GEN', at('09:00'), at('18:00', 17))
    await gang(w, 5, at('10:00'), at('12:00'))
    assert.equal((await clashes(w)).length, 1)
    house.clock(at('11:00', 17))
    await followClocks(house.house)
    const [over] = await episodes(w)
    assert.deepEqual([over.status, over.end_reason, over.ended_at, over.elapsed_minutes], ['ended', 'elapsed', at('12:00'), 120])
    await w.step(two, 'withdraw', w.as('member'))
    const then = await get(w, `/clashes/at-time?at=${at('11:00')}`)
    assert.deepEqual(times(then), [['red', '10:00', '12:00']])
    assert.equal((await w.as('hse').get(`/clashes/at-time?site_id=${w.site_id}&at=2026-12-01T00:00:00.000Z`)).status, 422)
  })

  test('site-and-people.md §6 people of the main contractor see clashes of what has no contractor, and so does a member without a contractor', async () => {
    const w = await permitWorld(house)
    const [main, third] = [await w.contractor('Main Ltd'), await w.contractor('Third Ltd')]
    const people = [await w.join('member', main), await w.join('member', null), await w.join('member', third), w.as('client')]
    await made(
      w.as('hse').post('/clash-rules', {
        ...{ site_id: w.site_id, name: 'Gangs apart', a: { kinds: ['worker'] }, b: { kinds: ['worker'] } },
        ...{ when: { within_m: 10 }, outcome: { severity: 'red' } },
      }),
    )
    await gang(w, 0, at('10:00'), at('12:00'))
    await gang(w, 4, at('10:00'), at('12:00'), { name: 'Painters' })
    const seen = () =>
      Promise.all(
        people.map(async by => {
          const [list, open, all] = await Promise.all(
            ['/clashes', '/clashes/unresolved', '/clashes/episodes'].map(path => by.get(`${path}?site_id=${w.site_id}`)),
          )
          return [list, open, all].map(reply => (reply?.status === 200 ? reply.body.length : reply?.status))
        }),
      )
    const [none, all, not] = [
      [0, 0, 0],
      [1, 1, 1],
      [403, 403, 403],
    ]
    assert.deepEqual(await seen(), [none, none, none, not])
    assert.equal((await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: main })).status, 200)
    assert.deepEqual(await seen(), [all, all, none, not])
  })

  test('CL-8 a member sees the counterpart of a permit that they can’t see as type codes and rounded distance only', async () => {
    const w = await permitWorld(house)
    const other = await w.contractor('Yonder')
    const yonder = await w.join('member', other, 'Yan Yonder')
    const permitOfMine = await w.at('requested', { categories: ['HW'], start_at: at('10:00'), end_at: at('12:00'), place: spot(0) })
    const building = await made(
      w.as('admin').post('/reference-features/zones', {
        ...{ site_id: w.site_id, kind: 'building', name: 'Tank house', outline: boxAt(4, -5, 10) },
        levels: [{ index: 0, name: 'Ground' }],
      }),
    )
    const place = { ...spot(6), building_id: building.id, level_index: 0 }
    const hidden = await w.draft({ categories: ['CSE'], start_at: at('11:00'), end_at: at('15:00'), place, title: 'Secret tank' }, yonder)
    await w.step(hidden, 'submit', yonder)
    const mine = await clashes(w, '', w.as('member'))
    assert.equal(mine.length, 1)
    const [counterpart] = [mine[0].a, mine[0].b].filter((side: Found) => side.hidden)
    assert.deepEqual(
      [counterpart.types, counterpart.id, counterpart.label, mine[0].distance_m, mine[0].nearest, mine[0].level_gap],
      [['CSE'], null, null, 10, null, null],
    )
    const nowhere = { building_id: null, level_index: null, zone_id: null }
    const [shown] = await get(w, '/clashes/episodes', w.as('member'))
    assert.deepEqual([mine[0].place, shown.place], [nowhere, nowhere])
    const everything = JSON.stringify([
      mine,
      await unresolved(w, w.as('member')),
      await get(w, '/clashes/unresolved/summary', w.as('member')),
      await get(w, `/clashes/at-time?at=${at('11:30')}`, w.as('member')),
      await get(w, '/clashes/episodes?include=events&include=clashes', w.as('member')),
    ])
    const { permit_number } = await w.read(hidden)
    for (const secret of [hidden.id, permit_number, other, building.id, 'Secret tank', 'Yonder'])
      assert.ok(!everything.includes(secret), secret)
    // What is done there is shown to those who see the permit, and to nobody else.
    const titles = (found: Found) => [found.a, found.b].map((side: Found) => side.title).sort()
    const own_title = (await w.read(permitOfMine)).title
    assert.deepEqual([mine[0], shown].map(titles), [
      [own_title, null],
      [own_title, null],
    ])
    const [seen] = await clashes(w)
    assert.deepEqual([seen, (await episodes(w))[0], (await unresolved(w))[0]].map(titles), Array(3).fill(['Secret tank', own_title].sort()))
    // Nor does it help to try each value of a filter.
    const own = (await w.read(permitOfMine)).contractor_id
    for (const [query, ours, theirs] of [
      [`contractor_id=${other}`, 0, 1],
      [`building_id=${building.id}`, 0, 1],
      ['level_index=0', 0, 1],
      [`contractor_id=${own}`, 1, 1],
    ] as const)
      for (const who of ['member', 'coordinator'] as const) {
        const wanted = who === 'member' ? ours : theirs
        const page = await w.as(who).get(`/clashes?site_id=${w.site_id}&limit=1&${query}`)
        assert.deepEqual([page.body.length, page.headers['x-next-cursor']], [wanted, undefined], `${who} ${query}`)
        assert.equal((await clashes(w, query, w.as(who))).length, wanted)
        assert.equal((await get(w, `/clashes/at-time?at=${at('11:30')}&${query}`, w.as(who))).length, wanted)
        if (!query.startsWith('contractor_id')) continue
        assert.equal((await get(w, `/clashes/episodes?${query}`, w.as(who))).length, wanted)
        assert.equal((await get(w, `/clashes/unresolved?${query}`, w.as(who))).length, wanted)
        assert.equal((await get(w, `/clashes/unresolved/summary?${query}`, w.as(who))).red, wanted)
      }
    const third = await w.join('member', await w.contractor('Third'), 'Tess Third')
    assert.deepEqual(await clashes(w, '', third), [])
  })

  test('CC-2 with a lead of 48 h an episode that starts in 40 h gets its task at once, and DELETE withdraws it; CC-4 stops come before slows before none', async () => {
    const w = await permitWorld(house)
    const amber = { outcome: { severity: 'amber' }, b: { kinds: ['permit'] } }
    const { id } = await rule(w, { name: 'Gangs near permits', ...amber })
    const slow = await rule(w, { name: 'Gangs near permits, too', ...amber })
    await rule(w, { name: 'Gangs near permits, as well', ...amber })
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 20))
    await gang(w, 5, at('01:00', 18), at('05:00', 18))
    const put = (clash_rule_id: string, more: object) =>
      w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id, effect: 'stops', ...more })
    const tasks = async () =>
      (await get(w, '/tasks/')).filter((task: Found) => task.kind === 'resolve_clash' && task.status === 'open').length
    assert.equal((await unresolved(w)).length, 3)
    assert.equal(await tasks(), 0)
    assert.equal((await put(id, { task_lead_hours: 48 })).status, 201)
    assert.equal(await tasks(), 1)
    assert.equal((await put(slow.id, { effect: 'slows', task_lead_hours: null })).status, 201)
    assert.deepEqual(
      (await unresolved(w)).map((one: Found) => one.consequence.effect),
      ['stops', 'slows', 'none'],
    )
    assert.equal((await w.as('hse').del(`/clash-consequences/${id}`)).status, 204)
    assert.equal(await tasks(), 0)
  })

  test('§4.1 the reason of a clash is the sentence of the rule in the version that found it, or the cell of the matrix', async () => {
    const w = await permitWorld(house)
    const near = await rule(w, { name: 'Gangs near permits', b: { kinds: ['permit'] }, when: { within_m: 8 } })
    await permit(w, 0, 'HW', at('10:00'), at('12:00'))
    await permit(w, 5, 'CSE', at('10:00'), at('12:00'))
    await gang(w, -5, at('10:00'), at('12:00'))
    const reasons = async () => (await clashes(w)).map((one: Found) => [one.rule_name, one.reasons[0].cell, one.reasons[0].sentence]).sort()
    const sentence = (m: number) => `Red: a gang and a permit, on the same level, at the same time if they are within ${m} m of each other.`
    const cell = ['Permits too close together', 'HW|CSE', null]
    assert.deepEqual(await reasons(), [['Gangs near permits', null, sentence(8)], cell])
    assert.equal((await w.as('hse').patch(`/clash-rules/${near.id}`, { when: { within_m: 6 } })).status, 200)
    assert.deepEqual(await reasons(), [['Gangs near permits', null, sentence(6)], cell])
  })

  test('§3 of the two sides the one that came second into the plan is the later one, in clashes, in episodes, and for those who don’t see it', async () => {
    const w = await permitWorld(house)
    const yonder = await w.join('member', await w.contractor('Yonder'), 'Yan Yonder')
    const first = await permit(w, 0, 'CSE', at('10:00'), at('12:00'))
    const times = { start_at: at('10:00'), end_at: at('12:00') }
    const place = { point: { lon: pointAt(5, 0)[0], lat: pointAt(5, 0)[1] } }
    const second = await w.draft({ categories: ['HW'], place, ...times }, yonder)
    assert.equal((await w.step(second, 'submit', yonder)).status, 200)
    const sides = ({ a, b }: Found) => [a, b].map(side => [side.id, side.planned_later])
    const expected = new Set([`${first.id} false`, `${second.id} true`])
    for (const path of ['/clashes', '/clashes/unresolved', '/clashes/episodes'])
      assert.deepEqual(new Set((await get(w, path)).flatMap(sides).map((one: Found) => one.join(' '))), expected, path)
    const [theirs] = await get(w, '/clashes/unresolved', yonder)
    assert.deepEqual(new Set(sides(theirs).map(one => one.join(' '))), new Set([' false', `${second.id} true`]))
  })

  test('§0.3 the task to settle a clash is due when the clash starts, also after a side was moved to an earlier time', async () => {
    const w = await permitWorld(house)
    await rule(w, { name: 'Gangs near permits', outcome: { severity: 'red' }, b: { kinds: ['permit'] } })
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 17))
    const { id } = await gang(w, 5, at('06:00', 17), at('18:00', 17))
    const due = async () => {
      await clashes(w)
      return (await get(w, '/tasks/'))
        .filter((task: Found) => task.kind === 'resolve_clash')
        .map((task: Found) => [task.status, task.due_at])
    }
    assert.deepEqual(await due(), [['open', at('06:00', 17)]])
    assert.equal((await w.as('coordinator').patch(`/workers/${id}`, { start_at: at('12:00') })).status, 200)
    assert.deepEqual(await due(), [['open', at('12:00')]])
  })

  test('messages.md §0.1, 6 tasks, what is waiting and their counts include the task of a clash that was made a moment ago', async () => {
    const reads: [string, (body: Found) => number][] = [
      ['/tasks/?kind=resolve_clash', body => body.length],
      ['/tasks/waiting', body => body.filter((one: Found) => one.kind === 'resolve_clash').length],
      ['/tasks/unread-count', body => body.by_kind.resolve_clash ?? 0],
    ]
    for (const [path, count] of reads) {
      const w = await permitWorld(house)
      await rule(w, { name: 'Gangs near permits', outcome: { severity: 'red' }, b: { kinds: ['permit'] } })
      await permit(w, 0, 'GEN', at('09:00'), at('18:00', 17))
      assert.equal(count(await get(w, path)), 0, path)
      await gang(w, 5, at('06:00', 17), at('18:00', 17))
      assert.equal(count(await get(w, path)), 1, path)
    }
  })

  test('§3 a clash that is being found while the consequence of its rule is set gets its task, too', async () => {
    const w = await permitWorld(house)
    const { id } = await rule(w, { name: 'Gangs near permits', outcome: { severity: 'amber' }, b: { kinds: ['permit'] } })
    await clashes(w)
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 20))
    await gang(w, 5, at('01:00', 18), at('05:00', 18))
    const [found, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const finding = writingOn(house.house, { actor: jobActor('clashes'), cause: 'test.find' }, w.site_id, async ctx => {
      await compute(ctx, w.site_id, await takeSite(ctx, w.site_id), 'all')
      found.resolve()
      await told.promise
    })
    await Promise.race([found.promise, finding])
    const body = { site_id: w.site_id, clash_rule_id: id, effect: 'slows', task_lead_hours: 48 }
    const set = w.as('hse').put('/clash-consequences/', body)
    const waits = async () => {
      while ((await house.rows(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length === 0) await setTimeout(20)
    }
    await Promise.race([set, waits()])
    told.resolve()
    await finding
    assert.equal((await set).status, 201)
    const tasks = (await get(w, '/tasks/')).filter((task: Found) => task.kind === 'resolve_clash' && task.status === 'open')
    assert.equal(tasks.length, 1)
  })

  test('1091 a clash that is settled while the consequence of its rule is set keeps no task', async () => {
    const w = await permitWorld(house)
    const { id } = await rule(w, { name: 'Gangs near permits', outcome: { severity: 'amber' }, b: { kinds: ['permit'] } })
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 20))
    await gang(w, 5, at('01:00', 18), at('05:00', 18))
    const [{ episode_id }] = await clashes(w)
    const [settled, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const settling = writingOn(house.house, { actor: jobActor('clashes'), cause: 'test.settle' }, w.site_id, async ctx => {
      await setStances(ctx, w.site_id, [{ episode_id, kind: 'accepted', reason: 'Both know', controls: 'A banksman' }], () => '')
      settled.resolve()
      await told.promise
    })
    await Promise.race([settled.promise, settling])
    const body = { site_id: w.site_id, clash_rule_id: id, effect: 'slows', task_lead_hours: 48 }
    const set = w.as('hse').put('/clash-consequences/', body)
    await Promise.race([set, someoneWaits(house)])
    told.resolve()
    await settling
    assert.equal((await set).status, 201)
    assert.deepEqual(await get(w, '/tasks/?kind=resolve_clash'), [])
  })

  test('1097 while the clock asks people about a clash that someone is deciding about, no other clash waits for that', async () => {
    const w = await permitWorld(house)
    await rule(w, { name: 'Gangs near permits', b: { kinds: ['permit'] } })
    await permit(w, 0, 'GEN', at('09:00'), at('18:00', 18))
    await gang(w, 5, at('11:30', 17), at('13:00', 17))
    const [ahead] = await episodes(w)
    await gang(w, 5, at('10:00'), at('12:00'), { name: 'Others' })
    const over = (await episodes(w)).find((one: Found) => one.id !== ahead.id)
    house.clock(at('12:30'))
    const lock = (ctx: Ctx, id: string) =>
      sql`select 1 from clash_episode where site_id = ${w.site_id} and id = ${id} for no key update`.execute(ctx.db)
    const { following } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test.decide' }, w.site_id, async ctx => {
      await lock(ctx, ahead.id)
      const following = outside(() => followClocks(house.house))
      await someoneWaits(house)
      await sql`set local lock_timeout = '700ms'`.execute(ctx.db)
      await lock(ctx, over.id)
      return { following }
    })
    await following
    const now = new Map((await episodes(w)).map((one: Found) => [one.id, one.status]))
    assert.deepEqual([now.get(over.id), now.get(ahead.id)], ['ended', 'open'])
    assert.equal((await get(w, '/tasks/?kind=resolve_clash')).length, 1)
    assert.equal(await rebuild(house.house, w.site_id), 0)
  })

  test('CR-2 a new type clashes with nothing; after a PATCH of one cell it clashes with HW 5 m away', async () => {
    const w = await permitWorld(house)
    await made(w.as('hse').post('/permits/types', { site_id: w.site_id, code: 'ABC', name: 'Abseiling' }))
    await permit(w, 0, 'HW', at('10:00'), at('12:00'))
    await permit(w, 5, 'ABC', at('10:00'), at('12:00'))
    assert.deepEqual(await clashes(w), [])
    const [matrix] = await get(w, '/clash-rules?system=true&q=too close')
    assert.equal((await w.as('hse').patch(`/clash-rules/${matrix.id}`, { outcome: { cells: { 'ABC|HW': 'amber' } } })).status, 200)
    assert.deepEqual(times(await clashes(w)), [['amber', '10:00', '12:00']])
    assert.equal((await w.as('hse').patch(`/clash-rules/${matrix.id}`, { enabled: false })).status, 200)
    assert.deepEqual(await clashes(w), [])
    assert.equal((await episodes(w))[0].end_reason, 'rule_off')
  })

  test('§4.5 resolving is in hand until it is due, then its owner has a task; members decide only that; a red clash needs controls and clash_accept_red', async () => {
    const w = await permitWorld(house)
    await permit(w, 0, 'HW', at('12:00'), at('14:00'))
    await permit(w, 6, 'CSE', at('12:00'), at('14:00'))
    const [one] = await unresolved(w)
    const decide = (by = w.as('hse'), more: object = {}) => by.post('/clashes/stance', { site_id: w.site_id, episode_id: one.id, ...more })
    const settled = { kind: 'accepted', reason: 'We watch it' }
    assert.equal((await decide(w.as('coordinator'), settled)).body.error.permission, 'clash_accept_red')
    assert.equal((await decide(w.as('hse'), settled)).body.error.fields[0].path, 'controls')
    assert.equal((await decide(w.as('member'), settled)).status, 403)
    const resolving = { kind: 'resolving', owner_user_id: w.receiver.user_id, due_at: at('11:00') }
    assert.equal((await decide(w.as('member'), { ...resolving, due_at: at('13:00') })).body.error.fields[0].path, 'due_at')
    assert.equal((await decide(w.as('member'), resolving)).status, 201)
    assert.deepEqual(
      (await unresolved(w)).map((row: Found) => [row.in_hand, row.overdue]),
      [[true, false]],
    )
    const resolvedBy = async (user_id: string) => (await episodes(w, `stance=resolving&owner_user_id=${user_id}`)).length
    assert.deepEqual([await resolvedBy(w.receiver.user_id), await resolvedBy(w.as('member').user_id)], [1, 0], 'those of one person')
    const summary = await get(w, '/clashes/unresolved/summary')
    assert.deepEqual([summary.red, summary.amber, summary.in_hand, summary.by_day], [1, 0, 1, [{ date: '2026-03-16', red: 1, amber: 0 }]])
    house.clock(at('11:30'))
    await followClocks(house.house)
    const mine = (await get(w, '/tasks/', w.receiver)).filter((task: Found) => task.kind === 'overdue_resolving')
    assert.equal(mine.length, 1)
    const bulk = await w.as('hse').post('/clashes/stance/bulk', {
      site_id: w.site_id,
      items: [{ episode_id: one.id, ...settled, controls: 'Fire watch, forced ventilation' }],
    })
    assert.equal(bulk.status, 200, bulk.text)
    assert.deepEqual(
      [await unresolved(w), (await get(w, '/tasks/', w.receiver)).filter((task: Found) => task.kind === 'overdue_resolving')],
      [[], []],
    )
    const path = `/clashes/stance?site_id=${w.site_id}&episode_id=${one.id}`
    assert.equal((await w.as('member').del(path)).status, 403)
    assert.equal((await w.as('coordinator').del(path)).status, 204)
    assert.equal((await w.as('coordinator').del(path)).status, 404)
    assert.equal((await unresolved(w)).length, 1)
  })

  test('§4.7 strange sides, a wrong order and more than 92 days are refused', async () => {
    const w = await permitWorld(house)
    const status = async (query: string) => (await w.as('hse').get(`/clashes?site_id=${w.site_id}&${query}`)).status
    assert.equal(await status('side=crane:01890000-0000-7000-8000-000000000000'), 422)
    assert.equal(await status('side=worker:01890000-0000-7000-8000-000000000000'), 404)
    assert.equal(await status(`from=${at('12:00')}&to=${at('11:00')}`), 422)
    assert.equal(await status(`from=${at('12:00')}&to=2026-07-01T00:00:00.000Z`), 422)
    assert.equal((await w.as('client').get(`/clashes?site_id=${w.site_id}`)).status, 403)
  })
})
