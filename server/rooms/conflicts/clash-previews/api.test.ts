import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt, pointAt } from '../../../../tests/geo.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('previews of clash rules', () => {
  const house = useHouse()
  const NEAR = { a: { kinds: ['worker'] }, b: { kinds: ['worker'] }, when: { within_m: 10 }, outcome: { severity: 'red' } }
  const preview = async (w: World, body: object) => {
    const reply = await w.as('hse').post('/clash-rules/dsl/preview', { site_id: w.site_id, ...body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const gang = async (w: World, name: string, x: number, day: number) => {
    const [lon, lat] = pointAt(x, 0)
    const times = { start_at: `2026-03-${day}T10:00:00.000Z`, end_at: `2026-03-${day}T12:00:00.000Z` }
    const body = { site_id: w.site_id, name, trade: 'Fixer', radius_m: 1, place: { point: { lon, lat } }, ...times }
    assert.equal((await w.as('coordinator').post('/workers/', body)).status, 201)
  }
  const rows = async () => {
    const tables = await house.rows(
      `select relname from pg_stat_user_tables where schemaname = 'public' and relname <> 'live_process' order by relname`,
    )
    const counts: Record<string, unknown> = {}
    for (const { relname } of tables) counts[relname] = (await house.rows(`select count(*)::integer as n from "${relname}"`))[0].n
    return counts
  }

  test('CR-8 a preview of an invalid body answers 200 with every fault’s path, and no row anywhere has changed', async () => {
    const w = await house.world()
    await preview(w, { definition: NEAR })
    const before = await rows()
    const bad = await preview(w, {
      definition: {
        ...NEAR,
        a: { kinds: ['crane'] },
        when: { all: [{ within_m: 5 }, { field: 'pair.nonsense', op: 'eq', value: 1 }] },
        time_buffer_minutes: -1,
        colour: 'red',
      },
    })
    assert.deepEqual([bad.valid, bad.explanation, bad.matches.sample], [false, null, []])
    assert.deepEqual(bad.problems.map((one: { path: string }) => one.path).sort(), [
      'a.kinds',
      'a.kinds[0]',
      'colour',
      'time_buffer_minutes',
      'when.all[1].field',
    ])
    const far = await preview(w, { definition: { ...NEAR, when: { any: [{ within_m: 5 }, { permit_type_in_a: ['HW'] }] } } })
    assert.deepEqual(
      far.problems.map((one: { code: string }) => one.code),
      ['unbounded_reach'],
    )
    assert.deepEqual((await preview(w, {})).valid, false)
    assert.deepEqual(await rows(), before)
  })

  test('CR-8 a preview calls nothing valid that a save would refuse: a group of permits, a kind that is there twice, an unknown field of a side', async () => {
    const w = await house.world()
    const given = { site_id: w.site_id, subject: 'permit', name: 'Hot work', visibility: 'shared' }
    const group = await w
      .as('coordinator')
      .post('/smart-groups/', { ...given, predicate: { field: 'permit_types', op: 'contains', value: 'HW' } })
    const inGroup = { all: [{ within_m: 5 }, { field: 'a.group_ids', op: 'contains', value: group.body.id }] }
    for (const [definition, path] of [
      [{ ...NEAR, when: inGroup }, 'when.all[1].value'],
      [{ ...NEAR, a: { kinds: ['worker', 'worker'] } }, 'a.kinds'],
      [{ ...NEAR, b: { kinds: ['worker'], trade: 'Fixer' } }, 'b.trade'],
    ] as const) {
      const { valid, problems } = await preview(w, { definition })
      assert.deepEqual([valid, problems.map((one: { path: string }) => one.path)], [false, [path]])
      assert.equal((await w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Near', ...definition })).status, 422)
    }
  })

  test('CR-8 a preview counts what it compares in the period, so that an empty result can be explained', async () => {
    const w = await house.world()
    const compared = async (definition: object, more: object = {}) => (await preview(w, { definition, ...more })).compared
    const [worker, plant, permit] = ['worker', 'plant', 'permit'].map(kind => ({ kinds: [kind] }))
    assert.deepEqual(await compared(NEAR), { a: 0, b: 0, all: 0 })
    await gang(w, 'Left', 0, 17)
    assert.deepEqual(await compared(NEAR), { a: 1, b: 1, all: 1 })
    assert.deepEqual(await compared({ ...NEAR, b: plant }), { a: 1, b: 0, all: 1 })
    assert.deepEqual(await compared({ ...NEAR, a: permit, b: permit }), { a: 0, b: 0, all: 0 })
    await gang(w, 'Right', 6, 17)
    assert.deepEqual(await compared({ ...NEAR, a: worker, b: { kinds: ['worker', 'plant'] } }), { a: 2, b: 2, all: 2 })
    const later = { from: '2026-03-20T00:00:00.000Z', to: '2026-03-21T00:00:00.000Z' }
    assert.deepEqual(await compared(NEAR, later), { a: 0, b: 0, all: 0 })
    assert.deepEqual((await preview(w, { definition: {} })).compared, { a: 0, b: 0, all: 0 })
  })

  test('CR-8 the sentence of a preview contains the names of contractors, groups and buildings', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Acme Steel Ltd')
    const group = await w.as('coordinator').post('/smart-groups/', {
      site_id: w.site_id,
      subject: 'entity',
      name: 'Cranes',
      visibility: 'shared',
      predicate: { field: 'kind', op: 'eq', value: 'plant' },
    })
    assert.equal(group.status, 201, group.text)
    const when = {
      all: [
        { within_m: 10 },
        { field: 'a.contractor_id', op: 'eq', value: contractor },
        { field: 'b.group_ids', op: 'contains', value: group.body.id },
      ],
    }
    const { explanation } = await preview(w, { definition: { ...NEAR, b: { kinds: ['plant'] }, when } })
    assert.match(explanation, /the gang’s contractor is Acme Steel Ltd and the machine is in Cranes/)
  })

  test('CR-8 distances are exact on a site that nobody has drawn, also between areas', async () => {
    const w = await house.world()
    const times = { start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T12:00:00.000Z' }
    for (const y of [0, 17]) {
      const area = { site_id: w.site_id, name: `Bay ${y}`, area_kind: 'work', place: { polygon: boxAt(0, y, 10) }, ...times }
      assert.equal((await w.as('coordinator').post('/active-areas/', area)).status, 201)
    }
    const areas = { kinds: ['active_area'] }
    const within = (within_m: number) =>
      preview(w, { definition: { a: areas, b: areas, when: { within_m }, outcome: { severity: 'amber' } } })
    assert.deepEqual([(await within(7.1)).matches.amber, (await within(6.9)).matches.amber], [1, 0])
  })

  test('CR-8 a preview finds what the rule would find, and what differs from the rule that it would replace', async () => {
    const w = await house.world()
    await gang(w, 'Left', 0, 17)
    await gang(w, 'Right', 6, 17)
    await gang(w, 'Left', 0, 19)
    await gang(w, 'Right', 20, 19)
    const made = await w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Near', ...NEAR })
    assert.equal(made.status, 201, made.text)
    const same = await preview(w, { rule_id: made.body.id, include: ['registry'] })
    assert.deepEqual([same.valid, same.matches.red, same.matches.episodes, same.partial], [true, 1, 1, false])
    assert.deepEqual([same.against_current, same.matches.sample[0].a.label], [{ added: 0, removed: 0, changed: 0 }, 'Left'])
    assert.ok(same.registry.fields.some((field: { path: string }) => field.path === 'pair.distance_m'))
    const wide = await preview(w, {
      rule_id: made.body.id,
      definition: { ...NEAR, when: { within_m: 50 }, outcome: { severity: 'amber' } },
    })
    assert.deepEqual([wide.matches.amber, wide.against_current, wide.reach_m], [2, { added: 1, removed: 0, changed: 1 }, 50])
    const none = await preview(w, { rule_id: made.body.id, definition: { ...NEAR, when: { within_m: 1 } } })
    assert.deepEqual([none.matches.red, none.against_current], [0, { added: 0, removed: 1, changed: 0 }])
    assert.equal((await w.as('hse').post('/clash-rules/dsl/preview', { site_id: w.site_id, rule_id: w.site_id })).status, 404)
    assert.equal((await w.as('viewer').post('/clash-rules/dsl/preview', { site_id: w.site_id })).status, 403)
  })

  test('§1 a rule shows how many open episodes it has', async () => {
    const w = await house.world()
    const made = await w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Near', ...NEAR })
    await gang(w, 'Left', 0, 17)
    await gang(w, 'Right', 6, 17)
    await w.as('hse').get(`/clashes?site_id=${w.site_id}`)
    assert.deepEqual((await w.as('viewer').get(`/clash-rules/${made.body.id}`)).body.open_episodes, { red: 1, amber: 0 })
  })
})
