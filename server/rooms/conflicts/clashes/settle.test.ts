import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { dateOn } from '../../../../shared/time.ts'
import { pointAt } from '../../../../tests/geo.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, type Reply, useHouse } from '../../../../tests/world.ts'

const at = (time: string, day = 16) => `2026-03-${day}T${time}:00.000Z`
const spot = (x: number) => {
  const [lon, lat] = pointAt(x, 0)
  return { point: { lon, lat } }
}
/** Pairs of permits are this far apart. */
const APART_M = 100

describe('clashes to settle on a large site', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  type Found = any
  const get = async (w: PermitWorld, path: string, by = w.as('coordinator')) => {
    const reply = await by.get(`${path}${path.includes('?') ? '&' : '?'}site_id=${w.site_id}`)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const permit = (w: PermitWorld, x: number, code: string, from: string, to: string, more: object = {}) =>
    w.at('requested', { categories: [code], start_at: from, end_at: to, place: spot(x), ...more })
  const PAIRS = [
    ['HW', 'CSE', at('10:00', 18)],
    ['HW', 'EXC', at('08:00', 17)],
    ['HW', 'CSE', at('10:00', 17)],
    ['HW', 'EXC', at('10:00')],
    ['HW', 'CSE', at('10:00')],
  ] as const
  /** Makes five pairs of permits that clash, three of them red. */
  async function pairs(w: PermitWorld): Promise<Permit[]> {
    const made: Permit[] = []
    for (const [n, [one, other, from]] of PAIRS.entries()) {
      const to = from.replace(/T\d\d/, 'T18')
      made.push(await permit(w, n * APART_M, one, from, to), await permit(w, n * APART_M + 3, other, from, to))
    }
    return made
  }

  test('§4.7 what is to settle is read page by page: each page goes on where the last one ended, and together they are the whole list', async () => {
    const w = await permitWorld(house)
    await pairs(w)
    const whole = await get(w, '/clashes/unresolved')
    assert.deepEqual([whole.body.length, whole.headers['x-total-count'], whole.headers.link], [5, '5', undefined])
    assert.deepEqual(
      whole.body.map((one: Found) => [one.severity, one.next_at.slice(8, 13)]),
      [
        ['red', '16T10'],
        ['red', '17T10'],
        ['red', '18T10'],
        ['amber', '16T10'],
        ['amber', '17T08'],
      ],
    )
    const paged: Found[] = []
    for (let path: string | undefined = '/clashes/unresolved?limit=2'; path !== undefined; ) {
      const { body, headers }: Reply = await get(w, path)
      assert.ok(body.length <= 2)
      assert.equal(headers['x-total-count'], '5')
      paged.push(...body)
      const [, cursor] = /[?&]cursor=([^&>]+)/.exec(String(headers.link)) ?? []
      path = cursor === undefined ? undefined : `/clashes/unresolved?limit=2&cursor=${cursor}`
    }
    assert.deepEqual(paged, whole.body)
    const red = await get(w, '/clashes/unresolved?severity=red&limit=2')
    assert.deepEqual([red.body.length, red.headers['x-total-count']], [2, '3'])
    const wrong = await w.as('hse').get(`/clashes/unresolved?site_id=${w.site_id}&cursor=abc`)
    assert.deepEqual([wrong.status, wrong.body.error.fields[0].path], [422, 'cursor'])
  })

  test('§4.7 the sums equal the list, for those who see every permit and for those who don’t', async () => {
    const w = await permitWorld(house)
    const made = await pairs(w)
    const other = await w.contractor('Yonder')
    const yonder = await w.join('member', other, 'Yan Yonder')
    const theirs = await w.draft({ categories: ['CSE'], start_at: at('10:00'), end_at: at('18:00'), place: spot(6) }, yonder)
    await w.step(theirs, 'submit', yonder)
    await permit(w, 3, 'HW', at('11:00'), at('17:00'))
    assert.equal(made.length, 10)
    const [, , , , first] = (await get(w, '/clashes/unresolved')).body
    const resolving = { kind: 'resolving', owner_user_id: w.receiver.user_id, due_at: at('10:00') }
    for (const one of [first, (await get(w, '/clashes/unresolved')).body[0]])
      assert.equal((await w.as('hse').post('/clashes/stance', { site_id: w.site_id, episode_id: one.id, ...resolving })).status, 201)
    house.clock(at('10:30'))
    for (const [by, query] of [
      [w.as('coordinator'), ''],
      [w.as('viewer'), ''],
      [w.as('member'), ''],
      [yonder, ''],
      [w.as('coordinator'), `contractor_id=${other}`],
      [w.as('member'), `contractor_id=${other}`],
      [w.as('coordinator'), 'severity=amber'],
    ] as const) {
      const { body: list }: { body: Found[] } = await get(w, `/clashes/unresolved?${query}`, by)
      const { body: sums } = await get(w, `/clashes/unresolved/summary?${query}`, by)
      const counted = (rows: Found[]) => ({
        red: rows.filter(one => one.severity === 'red').length,
        amber: rows.filter(one => one.severity === 'amber').length,
      })
      const grouped = (name: string, keysOf: (one: Found) => string[]) =>
        [...new Set(list.flatMap(keysOf))].sort().map(key => ({ [name]: key, ...counted(list.filter(one => keysOf(one).includes(key))) }))
      const sorted = (rows: Found[], name: string) => rows.toSorted((x, y) => (x[name] < y[name] ? -1 : 1))
      const plain = (rows: Found[]) => rows.map(({ rule_name: _name, ...row }) => row)
      const { timezone } = (await w.as('admin').get(`/sites/${w.site_id}`)).body
      const now = at('10:30')
      assert.deepEqual(
        { ...sums, by_rule: sorted(plain(sums.by_rule), 'rule_id'), by_contractor: sorted(sums.by_contractor, 'contractor_id') },
        {
          ...counted(list),
          in_hand: list.filter(one => one.in_hand).length,
          overdue: list.filter(one => one.overdue).length,
          current: list.filter(one => one.next_at <= now).length,
          oldest_opened_at: list.map(one => one.opened_at).sort()[0] ?? null,
          by_rule: grouped('rule_id', one => [one.rule_id]),
          by_contractor: grouped('contractor_id', one => [one.a.contractor_id, one.b.contractor_id].filter(id => id !== null)),
          by_day: grouped('date', one => [dateOn(timezone, one.next_at < now ? now : one.next_at)]),
          unplaced_permits: [],
        },
      )
    }
    const { body: all } = await get(w, '/clashes/unresolved/summary')
    assert.deepEqual([all.overdue, all.in_hand, all.by_contractor.length], [2, 0, 2])
    const { body: mine } = await get(w, '/clashes/unresolved/summary', w.as('member'))
    assert.deepEqual(
      mine.by_contractor.map((one: Found) => one.contractor_id === other),
      [false],
      'the contractor of a hidden permit isn’t counted',
    )
  })

  test('§4.2 the summary lists the permits that nobody can check: without a place, a zone or building, and linked things', async () => {
    const w = await permitWorld(house)
    const nowhere = await permit(w, 0, 'HW', at('10:00'), at('12:00'), { place: null })
    const carried = await permit(w, 0, 'HW', at('10:00'), at('12:00'), { place: null })
    await permit(w, 0, 'HW', at('10:00'), at('12:00'))
    const gang = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, name: 'Welders', trade: 'Welder', radius_m: 1, place: spot(300), contractor_id: w.acme },
      ...{ start_at: at('10:00'), end_at: at('12:00') },
    })
    await w.as('coordinator').post(`/permits/applications/${carried.id}/link`, { entity_type: 'worker', entity_ids: [gang.body.id] })
    const numbers = async (by = w.as('coordinator')) =>
      (await get(w, '/clashes/unresolved/summary', by)).body.unplaced_permits.map((one: Found) => one.permit_number)
    assert.deepEqual(await numbers(), [nowhere.permit_number])
    assert.deepEqual(await numbers(await w.join('member', await w.contractor('Yonder'), 'Yan Yonder')), [])
    await w.step(nowhere, 'withdraw', w.as('member'))
    assert.deepEqual(await numbers(), [])
  })

  test('§4.2 a permit that nobody can check is listed with what is done under it, and only for those who see it', async () => {
    const w = await permitWorld(house)
    const yonder = await w.contractor('Yonder')
    await permit(w, 0, 'HW', at('10:00'), at('12:00'), { place: null, title: 'Weld handrails' })
    await permit(w, 0, 'HW', at('10:00'), at('12:00'), { place: null, title: '', description: 'Clean the pit' })
    const titles = async (by: Caller) =>
      (await get(w, '/clashes/unresolved/summary', by)).body.unplaced_permits.map((one: Found) => one.title).sort()
    assert.deepEqual(await titles(w.as('coordinator')), ['Clean the pit', 'Weld handrails'])
    const stranger = await get(w, '/clashes/unresolved/summary', await w.join('member', yonder, 'Yan Yonder'))
    assert.deepEqual([stranger.body.unplaced_permits, stranger.text.includes('handrails')], [[], false])
  })
})
