import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse, type World } from '../../../../tests/world.ts'

const AMBER = { severity: 'amber' }
const NEAR = { a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when: { within_m: 5 }, outcome: AMBER }

describe('clash rules', () => {
  const house = useHouse()
  const matrix = async (w: World) => {
    const [found] = (await w.as('viewer').get(`/clash-rules?site_id=${w.site_id}&system=true&q=too close`)).body
    return (await w.as('viewer').get(`/clash-rules/${found.id}`)).body
  }
  const patch = (w: World, id: string, body: object) => w.as('hse').patch(`/clash-rules/${id}`, body)
  const post = (w: World, body: object) => w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Near plant', ...NEAR, ...body })
  const pair = (rule: { resolved: { x: string; y: string }[] }, x: string, y: string) =>
    rule.resolved.find(one => (one.x === x && one.y === y) || (one.x === y && one.y === x))
  const faults = (reply: { status: number; body: { error: { fields: { path: string; code?: string }[] } } }) => {
    assert.equal(reply.status, 422)
    return reply.body.error.fields.map(({ path, code }) => `${path} ${code ?? ''}`.trim())
  }

  test('CR-1 on a fresh site permit_proximity has 101 cells, *|* is off, and HW|CSE equals CSE|HW, red', async () => {
    const w = await house.world()
    const rule = await matrix(w)
    const { cells } = rule.outcome
    assert.equal(new Set(Object.keys(cells).map(key => key)).size, 101)
    assert.equal(cells['*|*'], 'off')
    assert.deepEqual([cells['HW|CSE'], cells['CSE|HW'].outcome], [cells['CSE|HW'], 'red'])
    assert.deepEqual([rule.is_customised, rule.enabled, rule.reach_m, rule.version], [false, true, 50, 1])
    assert.deepEqual(pair(rule, 'HW', 'CSE'), {
      x: 'CSE',
      y: 'HW',
      outcome: 'red',
      distance_m: 10,
      levels: { mode: 'within', max_gap: 1 },
      key: 'CSE|HW',
    })
  })

  test('CR-2 a new type conflicts with nothing; after a PATCH of one cell it does, and the other 100 cells are as before', async () => {
    const w = await house.world()
    const made = await w.as('hse').post('/permits/types', { site_id: w.site_id, code: 'ABC', name: 'Abseiling' })
    assert.equal(made.status, 201, made.text)
    const before = await matrix(w)
    assert.deepEqual(
      [pair(before, 'ABC', 'HW')].map(one => (one as { outcome?: string } | undefined)?.outcome),
      ['off'],
    )
    const changed = await patch(w, before.id, { outcome: { cells: { 'ABC|HW': 'amber' } } })
    assert.equal(changed.status, 200, changed.text)
    const { 'ABC|HW': one, 'HW|ABC': two, ...others } = changed.body.outcome.cells
    assert.deepEqual([one, two, others], ['amber', 'amber', before.outcome.cells])
    assert.deepEqual([changed.body.is_customised, changed.body.version], [true, 2])
    const back = await patch(w, before.id, { outcome: { cells: { 'HW|ABC': null } } })
    assert.deepEqual([back.body.outcome.cells, back.body.is_customised], [before.outcome.cells, false])
    assert.deepEqual(faults(await patch(w, before.id, { outcome: { cells: { '*|*': null } } })), ['outcome.cells.*|* missing_value'])
  })

  test('CR-4 a body whose two sides of a pair differ is stored with the stricter one and a warning; a code of another case is stored with its near miss', async () => {
    const w = await house.world()
    const permits = { a: { kinds: ['permit'] }, b: { kinds: ['permit'] }, when: true }
    const cells = { '*|*': 'off', 'HW|CSE': 'red', 'CSE|HW': 'amber', 'hw|CSE': 'amber' }
    const made = await post(w, { ...permits, outcome: { matrix: 'permit_type', default_distance_m: 10, cells } })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.outcome.cells['HW|CSE'], made.body.outcome.cells['CSE|HW']], ['red', 'red'])
    const unknown = made.body.warnings.find((one: { code: string }) => one.code === 'code_not_on_site')
    assert.match(unknown.message, /HW/)
    assert.match(unknown.path, /hw\|CSE/)
    const differ = made.body.warnings.find((one: { code: string }) => one.code === 'cells_differ')
    assert.match(`${differ.path} ${differ.message}`, /CSE\|HW.*HW\|CSE/)
  })

  test('CR-5 PATCH twice and revert to 1: version 4 equals version 1, the history has each change, and the diff 3→4 is the inverse of 1→3', async () => {
    const w = await house.world()
    const { id } = (await post(w, {})).body
    await patch(w, id, { when: { within_m: 8 }, change_note: 'Near miss on Monday' })
    await patch(w, id, { levels: { mode: 'any' } })
    const same = await patch(w, id, { levels: { mode: 'any' } })
    assert.equal(same.body.version, 3, 'an equal save makes no version')
    const revert = (version: number) => w.as('hse').post(`/clash-rules/${id}/revert/${version}`, {})
    const reverted = await revert(1)
    assert.deepEqual(
      [reverted.status, reverted.body.version, reverted.body.when, reverted.body.levels],
      [200, 4, { within_m: 5 }, { mode: 'same' }],
    )
    const history = (await w.as('viewer').get(`/clash-rules/${id}/history`)).body
    assert.deepEqual(
      history.map((one: { version: number; change_note: string | null; reverted_from: number | null }) => [
        one.version,
        one.change_note,
        one.reverted_from,
      ]),
      [
        [4, null, 1],
        [3, null, null],
        [2, 'Near miss on Monday', null],
        [1, null, null],
      ],
    )
    assert.deepEqual(
      history.map((one: { summary: string }) => one.summary),
      [
        'Condition: They are within 8 m of each other → They are within 5 m of each other; Levels: on any levels → on the same level',
        'Levels: on the same level → on any levels',
        'Condition: They are within 5 m of each other → They are within 8 m of each other',
        'First version',
      ],
    )
    type Difference = { path: string; before: unknown; after: unknown }
    const diff = async (query: string): Promise<Difference[]> => (await w.as('viewer').get(`/clash-rules/${id}/diff?${query}`)).body
    const inverse = (await diff('from=1&to=3')).map(({ path, before, after }) => [path, after, before])
    assert.deepEqual(
      (await diff('')).map(({ path, before, after }) => [path, before, after]),
      inverse,
    )
    const again = await revert(4)
    assert.deepEqual([again.status, again.body.version], [200, 4])
    assert.equal((await revert(9)).status, 404)
    const version = (n: number | string) => w.as('viewer').get(`/clash-rules/${id}/versions/${n}`)
    const third = (await version(3)).body
    assert.deepEqual([third.levels, third.when, third.valid_to !== null], [{ mode: 'any' }, { within_m: 8 }, true])
    assert.equal((await version('x')).status, 404)
  })

  test('CR-6 a condition with a branch that doesn’t limit the distance is refused as unbounded_reach at that branch', async () => {
    const w = await house.world()
    const open = { any: [{ within_m: 5 }, { permit_type_in_a: ['HW'] }] }
    assert.deepEqual(faults(await post(w, { a: { kinds: ['permit'] }, b: { kinds: ['permit'] }, when: open })), [
      'when.any[1] unbounded_reach',
    ])
    assert.deepEqual(faults(await post(w, { when: { within_m: 501 } })), ['when unbounded_reach'])
  })

  test('§1 every fault of a body is named, and nothing is stored', async () => {
    const w = await house.world()
    const count = async () => (await w.as('viewer').get(`/clash-rules?site_id=${w.site_id}`)).body.length
    const before = await count()
    assert.deepEqual(faults(await post(w, { when: { field: 'pair.colour', op: 'eq', value: 1 } })), ['when.field unknown_field'])
    const cells = { '*|*': 'off', 'HW|CSE': 'purple', HW: 'red' }
    const two = await post(w, { levels: { mode: 'within' }, outcome: { matrix: 'permit_type', default_distance_m: 10, cells } })
    assert.deepEqual(faults(two), ['levels', 'outcome.cells.HW|CSE'])
    const wrong = await post(w, { outcome: { matrix: 'permit_type', default_distance_m: 10, cells: { '*|*': 'off', HW: 'red' } } })
    assert.deepEqual(faults(wrong).toSorted(), ['outcome.cells.HW wrong_type', 'outcome.matrix wrong_type'])
    assert.deepEqual(faults(await post(w, { outcome: { severity: 'green' } })), ['outcome'])
    assert.equal(await count(), before)
  })

  test('§1 a standard rule can’t be deleted; one of the site can, and its versions stay readable; a name is there once in a profile', async () => {
    const w = await house.world()
    const { id } = await matrix(w)
    const refused = await w.as('hse').del(`/clash-rules/${id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'shipped'])
    const own = (await post(w, {})).body
    assert.deepEqual([(await post(w, { name: 'NEAR plant' })).status, own.permissions.delete.allowed], [409, true])
    assert.equal((await w.as('hse').del(`/clash-rules/${own.id}`)).status, 204)
    assert.equal((await w.as('viewer').get(`/clash-rules/${own.id}`)).status, 404)
    assert.equal((await patch(w, own.id, { enabled: false })).status, 404)
    assert.equal((await w.as('viewer').get(`/clash-rules/${own.id}/versions/1`)).status, 200)
    assert.equal((await post(w, {})).status, 201)
  })

  test('site-and-people.md §18 a coordinator without clash_rule_manage can’t change the condition of a group that a clash rule uses, but its name', async () => {
    const w = await house.world()
    const group = { site_id: w.site_id, name: 'Cranes', subject: 'entity', predicate: { field: 'kind', op: 'eq', value: 'plant' } }
    const { id } = (await w.as('coordinator').post('/smart-groups/', { ...group, visibility: 'shared' })).body
    const rule = await post(w, { when: { all: [{ within_m: 5 }, { field: 'b.group_ids', op: 'contains', value: id }] } })
    assert.equal(rule.status, 201, rule.text)
    const condition = { predicate: { field: 'kind', op: 'eq', value: 'worker' } }
    const refused = await w.as('coordinator').patch(`/smart-groups/${id}`, condition)
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.text, /Near plant/)
    assert.equal((await w.as('coordinator').patch(`/smart-groups/${id}`, { name: 'All cranes' })).status, 200)
    assert.equal((await w.as('hse').patch(`/smart-groups/${id}`, condition)).status, 200)
  })

  test('site-and-people.md §18 a clash rule can’t ask about a group of permits: the 422 says which group', async () => {
    const w = await house.world()
    const group = { site_id: w.site_id, name: 'Hot work', subject: 'permit', visibility: 'shared' }
    const predicate = { field: 'permit_number', op: 'is_set' }
    const { id } = (await w.as('coordinator').post('/smart-groups/', { ...group, predicate })).body
    const refused = await post(w, { when: { all: [{ within_m: 5 }, { field: 'b.group_ids', op: 'contains', value: id }] } })
    assert.equal(refused.status, 422, refused.text)
    assert.deepEqual(
      refused.body.error.fields.map(({ path, message }: { path: string; message: string }) => [path, message]),
      [['when.all[1].value', '“Hot work” is a group of permits, not of things on site. Choose another group.']],
    )
  })
})
