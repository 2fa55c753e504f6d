import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { boxAt, pointAt } from '../../../../tests/geo.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

describe('geometry defaults', () => {
  const house = useHouse()

  test('§10 a site has the standard sizes until someone saves others; each save changes only what is sent, and margins are of known categories of plant', async () => {
    const w = await house.world()
    const path = `/geometry/defaults?site_id=${w.site_id}` as const
    const before = (await w.as('viewer').get(path)).body
    assert.deepEqual([before.worker_radius_m, before.fill_min_part_m2, before.per_category, before.version], [2, 5, {}, 0])
    assert.equal(before.permissions.can_edit, false)
    const saved = await w.as('hse').patch(path, { worker_radius_m: 3, per_category: { excavator: 2 } })
    assert.deepEqual([saved.status, saved.body.worker_radius_m, saved.body.per_category, saved.body.version], [200, 3, { excavator: 2 }, 1])
    assert.equal(saved.body.delivery_radius_m, 5)
    assert.equal((await w.as('hse').patch(path, { worker_radius_m: 3 })).body.version, 1)
    assert.equal((await w.as('coordinator').patch(path, { worker_radius_m: 4 })).body.error.permission, 'geometry_defaults_manage')
    const wrong = await w.as('hse').patch(path, { worker_radius_m: 0, snap_m: -1 })
    assert.deepEqual([wrong.status, wrong.body.error.fields.length], [422, 2])
    const boat = await w.as('hse').patch(path, { per_category: { mewp: 2, boat: 1 } })
    assert.deepEqual([boat.status, boat.body.error.fields.map((one: { path: string }) => one.path)], [422, ['per_category.boat']])
  })

  test('§10 two first saves at once both count', async () => {
    const w = await house.world()
    const path = `/geometry/defaults?site_id=${w.site_id}` as const
    const saves = await Promise.all([w.as('hse').patch(path, { snap_m: 1 }), w.as('admin').patch(path, { simplify_m: 1 })])
    assert.deepEqual(
      saves.map(save => save.status),
      [200, 200],
    )
    const after = (await w.as('viewer').get(path)).body
    assert.deepEqual([after.snap_m, after.simplify_m], [1, 1])
  })
})

describe('cuts', () => {
  const house = useHouse()
  const near = (area: number, wanted: number, by = 1) => assert.ok(Math.abs(area - wanted) <= by, `${area} m² isn’t ${wanted} m²`)
  const draw = async (w: World, outline: unknown, more: object = {}) => {
    const made = await w.as('hse').post('/reference-features/zones', { site_id: w.site_id, name: 'Yard', outline, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const freeform = (w: World, target_id: string, polygon: unknown, more: object = {}): Promise<Reply> =>
    w.as('hse').post('/geometry/cut-hole-freeform', { site_id: w.site_id, target_id, polygon, ...more })
  const cutBy = (w: World, target_id: string, cutter_id: string, more: object = {}): Promise<Reply> =>
    w.as('hse').post('/geometry/cut-hole', { site_id: w.site_id, target_id, cutter_id, ...more })
  const step = (w: World, verb: 'undo-cut' | 'reapply-cut', id: string, body?: unknown): Promise<Reply> =>
    w.as('hse').post(verb === 'undo-cut' ? `/geometry/undo-cut/${id}` : `/geometry/reapply-cut/${id}`, body)
  const now = async (w: World, id: string) => (await w.as('viewer').get(`/reference-features/features/${id}`)).body
  const at = async (w: World, id: string, instant: string) =>
    (await w.as('viewer').get(`/reference-features/features/${id}/at-time?at=${instant}`)).body
  const pending = async (w: World, id: string) => (await w.as('viewer').get(`/geometry/pending-cuts/${id}`)).body
  const rings = (geometry: { type: string; coordinates: unknown[] }) => (geometry.type === 'Polygon' ? geometry.coordinates.length : null)

  test('1083 people who cut a zone and redraw it at the same time don’t wait for each other in a circle', async () => {
    const w = await house.world()
    const zone = await draw(w, boxAt(0, 0, 100))
    const path = `/reference-features/features/${zone.id}` as const
    const cuts = Array.from({ length: 8 }, (_, i) => ({ site_id: w.site_id, target_id: zone.id, polygon: boxAt(5 + 11 * i, 5, 5) }))
    const replies = await Promise.all([
      ...cuts.map(cut => w.as('hse').post('/geometry/cut-hole-freeform', cut)),
      ...cuts.map((_, i) => w.as('coordinator').patch(path, { name: `Yard ${i}` })),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].toSorted(), [200, 201])
    near((await w.as('viewer').get(path)).body.area_m2, zone.area_m2 - 8 * 25)
  })

  test('§10 a hole, a second one that shares half of it, undo and reapply in any order, and the outline stays', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const first = await freeform(w, yard.id, boxAt(20, 20, 20))
    assert.equal(first.status, 201, first.text)
    near(first.body.feature.area_m2, 9600)
    assert.deepEqual([rings(first.body.feature.geometry), first.body.cut.result, first.body.cut.state], [2, 'hole', 'applied'])
    assert.equal(first.body.feature.outline.coordinates.length, 1)
    const second = await freeform(w, yard.id, boxAt(30, 20, 20))
    near(second.body.feature.area_m2, 9400)
    near(second.body.cut.area_before_m2, 9600)
    const undone = await step(w, 'undo-cut', first.body.cut.id)
    assert.equal(undone.status, 200, undone.text)
    near(undone.body.feature.area_m2, 9600)
    assert.equal((await step(w, 'undo-cut', first.body.cut.id)).body.error.code, 'invalid_transition')
    near((await step(w, 'reapply-cut', first.body.cut.id)).body.feature.area_m2, 9400)
    assert.equal((await step(w, 'reapply-cut', first.body.cut.id)).body.error.code, 'invalid_transition')
    await step(w, 'undo-cut', second.body.cut.id)
    const whole = (await step(w, 'undo-cut', first.body.cut.id)).body.feature
    assert.deepEqual([whole.geometry, whole.area_m2], [whole.outline, yard.area_m2])

    const steps = (await w.as('viewer').get(`/geometry/history/${yard.id}`)).body
    assert.deepEqual(
      steps.map((one: { step: string; history_id: string }) => `${one.step} ${one.history_id === first.body.cut.id ? 1 : 2}`),
      ['undo 1', 'undo 2', 'reapply 1', 'undo 1', 'cut 2', 'cut 1'],
    )
    assert.deepEqual([steps[0].by_name === null, steps[0].feature_version], [false, 7])
  })

  test('§10 before the cut there is no hole, and between cut and undo there still is one', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    house.clock('2026-03-16T10:00:00.000Z')
    const { cut } = (await freeform(w, yard.id, boxAt(20, 20, 20))).body
    house.clock('2026-03-16T11:00:00.000Z')
    await step(w, 'undo-cut', cut.id)
    near((await at(w, yard.id, '2026-03-16T09:30:00.000Z')).area_m2, 10_000)
    const between = await at(w, yard.id, '2026-03-16T10:30:00.000Z')
    near(between.area_m2, 9600)
    assert.equal(rings(between.geometry), 2)
    near((await at(w, yard.id, '2026-03-16T11:00:00.000Z')).area_m2, 10_000)
    const history = (await w.as('viewer').get(`/reference-features/features/${yard.id}/history`)).body
    assert.deepEqual([history[1].cut_id, history[1].fields], [cut.id, ['geometry']])
  })

  test('§10 a moved cutter leaves the hole and is pending as cutter_changed; reapply moves the hole', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const bay = await draw(w, boxAt(20, 20, 20), { name: 'Bay', zone_type: 'laydown' })
    const made = await cutBy(w, yard.id, bay.id, { buffer_m: 0 })
    assert.deepEqual([made.status, made.body.cut.cutter_id, made.body.cut.source], [201, bay.id, 'feature'], made.text)
    assert.deepEqual(await pending(w, yard.id), [])
    house.clock('2026-03-16T10:00:00.000Z')
    await w.as('hse').patch(`/reference-features/features/${bay.id}`, { outline: boxAt(60, 60, 10) })
    near((await now(w, yard.id)).area_m2, 9600)
    const [waiting] = await pending(w, yard.id)
    assert.deepEqual([waiting.reason, waiting.history_id, waiting.state], ['cutter_changed', made.body.cut.id, 'applied'])
    near(waiting.area_if_applied_m2, 9900)
    const kept = await step(w, 'reapply-cut', made.body.cut.id, { refresh: false })
    near(kept.body.feature.area_m2, 9600)
    const moved = await step(w, 'reapply-cut', made.body.cut.id)
    near(moved.body.feature.area_m2, 9900)
    assert.deepEqual(await pending(w, yard.id), [])
    house.clock('2026-03-16T11:00:00.000Z')
    await w.as('hse').del(`/reference-features/features/${bay.id}`)
    assert.equal((await pending(w, yard.id))[0].reason, 'cutter_ended')
    near((await now(w, yard.id)).area_m2, 9900)
    assert.equal((await step(w, 'reapply-cut', made.body.cut.id)).status, 200, 'with the stored shape')
    assert.equal((await cutBy(w, yard.id, bay.id)).body.error.fields[0].path, 'cutter_id')
  })

  test('§10 a cut across the whole width is refused with both areas, and splits the feature with allow_split', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const no = await freeform(w, yard.id, boxAt(-5, 40, 110, 10))
    assert.deepEqual([no.status, no.body.error.reason], [409, 'would_split'])
    assert.deepEqual(no.body.error.parts.map((part: { area_m2: number }) => Math.round(part.area_m2)).sort(), [4000, 5000])
    near((await now(w, yard.id)).area_m2, 10_000)
    const split = await freeform(w, yard.id, boxAt(-5, 40, 110, 10), { allow_split: true })
    assert.deepEqual(
      [split.body.feature.geometry.type, split.body.feature.geometry.coordinates.length, split.body.cut.result],
      ['MultiPolygon', 2, 'split'],
    )
    const notch = await freeform(w, yard.id, boxAt(-5, 10, 10))
    assert.equal(notch.body.cut.result, 'notch')
  })

  test('§10 an outline redrawn elsewhere makes the cut pending as outside_outline, and the geometry is the new outline', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const { cut } = (await freeform(w, yard.id, boxAt(20, 20, 20))).body
    house.clock('2026-03-16T10:00:00.000Z')
    const patch = (outline: unknown) => w.as('hse').patch(`/reference-features/features/${yard.id}`, { outline })
    const away = await patch(boxAt(300, 0, 50))
    assert.deepEqual([away.status, away.body.geometry], [200, away.body.outline])
    const [waiting] = await pending(w, yard.id)
    assert.deepEqual([waiting.reason, waiting.id], ['outside_outline', cut.id])
    assert.equal((await step(w, 'reapply-cut', cut.id)).body.error.reason, 'no_overlap')
    house.clock('2026-03-16T11:00:00.000Z')
    near((await patch(boxAt(0, 0, 50))).body.area_m2, 2100)
    assert.deepEqual(await pending(w, yard.id), [])
    const inside = await patch(boxAt(25, 25, 5))
    assert.deepEqual([inside.status, inside.body.error.reason], [409, 'empties_target'])
    const steps = (await w.as('viewer').get(`/geometry/history/${yard.id}`)).body
    assert.deepEqual(
      steps.map((one: { step: string }) => one.step),
      ['outline', 'outline', 'cut'],
    )
  })

  test('§10 any order of applying and undoing the same five cuts ends in the same geometry', async () => {
    const w = await house.world()
    const cuts = [boxAt(10, 10, 30), boxAt(25, 20, 30), boxAt(60, -5, 20), boxAt(50, 50, 25), boxAt(70, 70, 40)]
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
    const toggles = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 })
    const known = new Map<string, unknown>()
    await fc.assert(
      fc.asyncProperty(order, toggles, async (sequence, changed) => {
        const yard = await draw(w, boxAt(0, 0, 100), { name: 'Any', zone_type: 'other' })
        const made = new Map<number, string>()
        for (const n of sequence) made.set(n, (await freeform(w, yard.id, cuts[n])).body.cut.id)
        const applied = new Set(sequence)
        for (const n of changed) {
          const reply = await step(w, applied.has(n) ? 'undo-cut' : 'reapply-cut', made.get(n) ?? '')
          assert.equal(reply.status, 200, reply.text)
          if (!applied.delete(n)) applied.add(n)
        }
        const key = [...applied].sort().join()
        const { area_m2, outline } = await now(w, yard.id)
        const before = known.get(key)
        if (before !== undefined) near(area_m2, Number(before), 0.05)
        known.set(key, area_m2)
        if (applied.size === 0) assert.deepEqual((await now(w, yard.id)).geometry, outline)
      }),
      { numRuns: 12 },
    )
  })

  test('§10 a shape that misses, that takes everything, or that is on another level is refused, and nothing changes', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 20))
    const reasons = async (polygon: unknown, more: object = {}) => (await freeform(w, yard.id, polygon, more)).body.error?.reason
    assert.equal(await reasons(boxAt(50, 50, 5)), 'no_overlap')
    assert.equal(await reasons(boxAt(20, 0, 5)), 'no_overlap')
    assert.equal(await reasons(boxAt(-5, -5, 50)), 'empties_target')
    const storeys = [0, 1, 2].map(index => ({ index }))
    const tower = await draw(w, boxAt(100, 0, 40), { kind: 'building', name: 'Tower', levels: storeys })
    const low = await draw(w, boxAt(105, 5, 20), { name: 'Low', building_id: tower.id, level_from: 0 })
    const high = await draw(w, boxAt(110, 5, 10), { name: 'High', building_id: tower.id, level_from: 2 })
    const other = await cutBy(w, low.id, high.id)
    assert.deepEqual([other.status, other.body.error.fields[0].path], [422, 'cutter_id'])
    assert.equal((await cutBy(w, yard.id, yard.id)).status, 422)
    assert.equal((await freeform(w, yard.id, boxAt(5, 5, 2), { buffer_m: -3 })).body.error.fields[0].path, 'buffer_m')
    assert.equal((await freeform(w, yard.id, boxAt(5, 5, 2), { scope: 'future' })).body.error.fields[0].path, 'scope')
    const bow = {
      type: 'Polygon',
      coordinates: [
        [
          [-0.0877, 51.5079],
          [-0.0876, 51.508],
          [-0.0876, 51.5079],
          [-0.0877, 51.508],
          [-0.0877, 51.5079],
        ],
      ],
    }
    assert.match((await freeform(w, yard.id, bow)).body.error.detail, /crosses itself/)
    assert.equal((await now(w, yard.id)).feature_version, 1)
    const elsewhere = await house.world()
    assert.equal((await freeform(elsewhere, yard.id, boxAt(5, 5, 2))).body.error.fields[0].path, 'target_id')
    assert.equal((await elsewhere.as('admin').get(`/geometry/history/${yard.id}`)).status, 404)
  })

  test('§10 a person who can’t edit the target can’t cut it, and a later change of the feature comes first', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const body = { site_id: w.site_id, target_id: yard.id, polygon: boxAt(20, 20, 5) }
    assert.equal((await w.as('member').post('/geometry/cut-hole-freeform', body)).body.error.permission, 'reference_edit')
    assert.equal((await w.as('viewer').post('/geometry/cut-hole-freeform', body)).status, 403)
    const past = await w.as('coordinator').post('/geometry/cut-hole-freeform', { ...body, effective_at: '2026-03-16T08:00:00.000Z' })
    assert.equal(past.status, 422, 'before its start')
    const { cut } = (await freeform(w, yard.id, boxAt(20, 20, 5), { effective_at: '2026-03-20T00:00:00.000Z' })).body
    assert.equal(cut.at, '2026-03-20T00:00:00.000Z')
    near((await now(w, yard.id)).area_m2, 10_000)
    near((await at(w, yard.id, '2026-03-21T00:00:00.000Z')).area_m2, 9975)
    assert.equal((await freeform(w, yard.id, boxAt(50, 50, 5))).body.error.fields[0].path, 'effective_at')
    assert.equal((await step(w, 'undo-cut', cut.id)).status, 200)
    near((await at(w, yard.id, '2026-03-21T00:00:00.000Z')).area_m2, 10_000)
  })

  test('§10 a cut of an area that has ended or was deleted can’t be undone or applied again: 409 with its state, and no field', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await house.world()
    const area = async (more: object) => {
      const made = await w.as('hse').post('/active-areas/', {
        ...{ site_id: w.site_id, name: 'Lift zone', area_kind: 'lifting', place: { polygon: boxAt(0, 0, 40) }, ...more },
      })
      assert.equal(made.status, 201, made.text)
      return made.body.id as string
    }
    const [ending, deleted] = [await area({ end_at: '2026-03-16T10:00:00.000Z' }), await area({ end_at: '2026-03-16T17:00:00.000Z' })]
    const cuts = [(await freeform(w, ending, boxAt(5, 5, 5))).body.cut.id, (await freeform(w, deleted, boxAt(5, 5, 5))).body.cut.id]
    assert.equal((await w.as('hse').del(`/active-areas/${deleted}`)).status, 204)
    house.clock('2026-03-16T10:30:00.000Z')
    for (const [i, status] of ['ended', 'deleted'].entries())
      for (const verb of ['undo-cut', 'reapply-cut'] as const) {
        const { status: code, body } = await step(w, verb, cuts[i])
        assert.deepEqual([code, body.error?.code, body.error?.status, body.error?.fields], [409, 'invalid_transition', status, undefined])
      }
    const again = await freeform(w, ending, boxAt(20, 20, 5))
    assert.deepEqual([again.status, again.body.error.status], [409, 'ended'])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§10 two people who cut at once: both holes are there, or the second gets 412 with If-Match', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(0, 0, 100))
    const [one, two] = await Promise.all([freeform(w, yard.id, boxAt(20, 20, 10)), freeform(w, yard.id, boxAt(60, 60, 10))])
    assert.deepEqual([one.status, two.status], [201, 201])
    near((await now(w, yard.id)).area_m2, 9800)
    const stale = await w
      .as('hse')
      .post('/geometry/cut-hole-freeform', { site_id: w.site_id, target_id: yard.id, polygon: boxAt(40, 40, 5) }, { 'if-match': '"1"' })
    assert.deepEqual([stale.status, stale.body.error.version], [412, 3])
  })

  test('§10 the exclusion shape of plant is cut out: its disc with the footprint, or its sector', async () => {
    const w = await house.world()
    const yard = await draw(w, boxAt(-60, -60, 120))
    const [lon, lat] = pointAt(0, 0)
    const crane = (more: object) =>
      w.as('coordinator').post('/plant', {
        ...{ site_id: w.site_id, name: `Crane ${JSON.stringify(more).length}`, category: 'crawler_crane', place: { point: { lon, lat } } },
        ...{ working_radius_m: 9, length_m: 6, width_m: 3, ...more },
      })
    const whole = (await crane({})).body
    const made = await cutBy(w, yard.id, whole.id)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.cut.cutter_kind, whole.exclusion_radius_m], ['plant', 10])
    near(made.body.cut.area_before_m2 - made.body.cut.area_after_m2, 314, 2)
    await step(w, 'undo-cut', made.body.cut.id)
    const sector = (await crane({ slew_from_deg: 0, slew_to_deg: 90 })).body
    const part = await cutBy(w, yard.id, sector.id)
    // A quarter of the disc, and three quarters of the footprint that lie outside it.
    near(part.body.cut.area_before_m2 - part.body.cut.area_after_m2, 314 / 4 + 13.5, 2)
    await w.as('coordinator').patch(`/plant/${sector.id}`, { working_radius_m: 19 })
    assert.equal((await pending(w, yard.id)).find((one: { id: string }) => one.id === part.body.cut.id)?.reason, 'cutter_changed')
  })

  test('§10 parts under the smallest size of the site are left out and listed', async () => {
    const w = await house.world()
    await w.as('hse').patch(`/geometry/defaults?site_id=${w.site_id}`, { min_part_m2: 50 })
    const yard = await draw(w, boxAt(0, 0, 20))
    const made = await freeform(w, yard.id, boxAt(-1, 2, 22, 2))
    assert.equal(made.status, 201, made.text)
    near(made.body.feature.area_m2, 320)
    assert.deepEqual(
      made.body.dropped.map((part: { area_m2: number }) => Math.round(part.area_m2)),
      [40],
    )
  })

  test('§10 check-overlaps names what is on the ground, the relation and the verdict, and changes no revision', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const plot = await draw(w, boxAt(0, 0, 100), { kind: 'area', name: 'Plot' })
    const yard = await draw(w, boxAt(10, 10, 20), { name: 'Yard', zone_type: 'laydown' })
    const tower = await draw(w, boxAt(60, 60, 20), { kind: 'building', name: 'Tower', levels: [{ index: 0 }] })
    const revision = async () => (await hse.get(`/sites/${w.site_id}/snapshot-revision`)).body
    const before = await revision()
    const check = async (body: object) => (await w.as('viewer').post('/geometry/check-overlaps', { site_id: w.site_id, ...body })).body
    const found = await check({ geometry: boxAt(20, 10, 20), kind: 'zone', zone_type: 'laydown' })
    assert.deepEqual(
      found.map((one: Record<string, unknown>) => [one.id, one.relation, one.verdict, Math.round(Number(one.overlap_m2))]),
      [
        [plot.id, 'inside', 'allow', 400],
        [yard.id, 'crosses', 'warn', 200],
      ],
    )
    assert.deepEqual(
      [found[1].share_of_mine, found[1].share_of_theirs, found[1].from, found[1].to],
      [0.5, 0.5, house.house.clock.now(), null],
    )
    assert.equal((await check({ geometry: boxAt(50, 50, 100), kind: 'area' }))[0].verdict, 'refuse')
    assert.deepEqual(
      (await check({ geometry: boxAt(60, 60, 20), kinds: ['building'] })).map((one: { verdict: string; relation: string }) => [
        one.verdict,
        one.relation,
      ]),
      [['refuse', 'equals']],
    )
    assert.deepEqual(await check({ geometry: boxAt(60, 60, 20), kinds: ['building'], exclude_ids: [tower.id] }), [])
    const held = await check({ feature_id: plot.id })
    assert.deepEqual(held.map((one: { name: string; relation: string }) => `${one.name} ${one.relation}`).sort(), [
      'Tower contains',
      'Yard contains',
    ])
    assert.deepEqual(
      await check({ geometry: boxAt(10, 10, 20), start_at: '2026-03-10T00:00:00.000Z', end_at: '2026-03-11T00:00:00.000Z' }),
      [],
    )
    assert.equal((await w.as('viewer').post('/geometry/check-overlaps', { site_id: w.site_id })).status, 422)
    assert.deepEqual(await revision(), before)
  })

  test('§8 positions in a grid are converted to degrees, with how far that can be off; what is nowhere, or in another grid, is refused by name', async () => {
    const w = await house.world()
    const convert = (epsg: number, ...points: { east: number; north: number }[]) =>
      w.as('viewer').post('/geometry/convert', { site_id: w.site_id, epsg, points })
    // Ordnance Survey’s worked example, Caister water tower.
    const { body } = await convert(27700, { east: 651_409.903, north: 313_177.27 })
    assert.deepEqual([body.grid, body.accuracy_m], ['OSGB36 / British National Grid', 5])
    assert.ok(Math.abs(body.points[0].lon - 1.716073973) < 1e-4 && Math.abs(body.points[0].lat - 52.658007833) < 1e-4, JSON.stringify(body))
    assert.deepEqual((await convert(4326, { east: -0.02, north: 51.505 })).body.points, [{ lon: -0.02, lat: 51.505 }])
    assert.equal((await convert(32630, { east: 500_000, north: 0 })).body.points[0].lon, -3)
    const paths = async (epsg: number, ...points: { east: number; north: number }[]) =>
      (await convert(epsg, ...points)).body.error.fields.map(({ path }: { path: string }) => path)
    assert.deepEqual(await paths(31370, { east: 1, north: 1 }), ['epsg'])
    assert.deepEqual(await paths(4326, { east: -0.02, north: 51.505 }, { east: 651_409, north: 313_177 }), ['points[1]'])
  })

  test('§10 the rules list the limits and the verdict of every pair of kinds', async () => {
    const w = await house.world()
    const rules = (await w.as('viewer').get(`/geometry/rules?site_id=${w.site_id}`)).body
    assert.deepEqual([rules.limits.holes, rules.limits.ring_vertices, rules.pairs.length], [200, 5000, 10])
    const pair = (one: string, other: string) =>
      rules.pairs.find(({ kind, other_kind }: { kind: string; other_kind: string }) => kind === one && other_kind === other)
    assert.deepEqual(
      [pair('area', 'area').refuse_over_m2, pair('building', 'building').refuse_over_share, pair('area', 'zone').verdict],
      [1, 0.9, 'allow'],
    )
  })
})
