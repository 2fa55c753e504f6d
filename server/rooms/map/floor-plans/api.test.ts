import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planeAt } from '../../../../shared/geometry/plane.ts'
import {
  aroundHere,
  CROSSES,
  controlPoints,
  drawingOf,
  HERE,
  laid,
  pdfOf,
  rectangle,
  sheet,
  upload,
  worked,
} from '../../../../tests/plans.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { runJob } from '../../../kernel/jobs/door.ts'

type Line = { properties: { layer: string; class: string; text?: string }; geometry: { type: string; coordinates: [number, number][] } }

describe('floor plans', () => {
  const house = useHouse()
  const building = async (w: World, width = 50, height = 25) =>
    (
      await w.as('hse').post('/reference-features/zones', {
        site_id: w.site_id,
        kind: 'building',
        name: `Block ${width} ${height}`,
        levels: [{ index: -1 }, { index: 0 }, { index: 1 }],
        effective_at: '2026-03-01T00:00:00.000Z',
        outline: aroundHere(width, height),
      })
    ).body.id
  const form = (w: World, feature_id: string, more: Record<string, unknown> = {}) => ({
    site_id: w.site_id,
    feature_id,
    ...Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
    ),
  })
  const picture = async (w: World, feature_id: string, more: Record<string, unknown> = {}, tint = 0) =>
    w.as('coordinator').send('POST', '/floor-plans/upload-image', upload(await sheet(CROSSES, tint), 'plan.png', form(w, feature_id, more)))
  const page = (w: World, feature_id: string, bytes: Buffer, more: Record<string, unknown> = {}) =>
    w.as('coordinator').send('POST', '/floor-plans/upload', upload(bytes, 'plan.pdf', form(w, feature_id, more)))
  const inspect = (w: World, bytes: Buffer, name = 'plan.dxf') =>
    w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', upload(bytes, name, { site_id: w.site_id }))
  const imported = (w: World, session_id: string, feature_id: string, more: object = {}) =>
    w.as('coordinator').post('/floor-plans/import-dxf', { site_id: w.site_id, session_id, feature_id, ...more })
  const at = async (w: World, when?: string) =>
    (await w.as('viewer').get(`/floor-plans/at-time?site_id=${w.site_id}${when === undefined ? '' : `&at=${when}`}`)).body
  const show = async (w: World, id: string) =>
    (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body.find((plan: { id: string }) => plan.id === id)
  const lines = async (w: World, id: string, query = ''): Promise<Line[]> => {
    const reply = await w.as('viewer').get(`/floor-plans/${id}/vector.geojson${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.features
  }
  const metres = (line: Line) => line.geometry.coordinates.map(planeAt(HERE).metres)
  const areaOf = (line: Line) => {
    const ring = metres(line)
    let twice = 0
    for (const [i, [x, y]] of ring.entries()) {
      const [u = 0, v = 0] = ring[(i + 1) % ring.length] ?? []
      twice += x * v - u * y
    }
    return Math.abs(twice / 2)
  }
  const faultsOf = (reply: Reply) => reply.body.error.fields.map((f: { path: string; message: string }) => `${f.path} ${f.message}`).join()
  const corner = (x: number, y: number) => {
    const [lon, lat] = planeAt(HERE).degrees([x, y])
    return { lon, lat }
  }
  /** A drawing in millimetres, placed by two of its corners. */
  const twoPoints = {
    mode: 'points',
    points: [
      { x: 0, y: 0, ...corner(0, 0) },
      { x: 10_000, y: 5000, ...corner(10, 5) },
    ],
  }
  const drawn = async (w: World, bytes: Buffer, more: object = {}, width = 50, height = 25) => {
    const feature_id = await building(w, width, height)
    const { session_id } = (await inspect(w, bytes)).body
    const made = await worked(house, await imported(w, session_id, feature_id, more))
    return { id: made.body.id, feature_id, session_id }
  }

  test('§8 a picture is read, traced and drawn where it is placed; members see it, and only coordinators change it', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const placement = { mode: 'points', points: controlPoints(laid(0.05, 20)) }
    const made = await picture(w, feature_id, {
      level_index: 1,
      name: 'Level 1',
      drawing_number: 'A-1',
      revision: 'P03',
      suitability: 'S2',
      placement,
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.status, made.body.level_index, made.body.revision, made.body.opacity], ['processing', 1, 'P03', 0.7])
    assert.ok(made.body.placement.rmse_m < 0.001)
    const listed = await w.as('viewer').get(String(made.headers.location).replace(/^\/api/, '') as `/${string}`)
    assert.deepEqual(
      listed.body.map((one: { id: string }) => one.id),
      [made.body.id],
      'the location of a new plan is the list with only it',
    )
    const none = await w.as('viewer').get(`/floor-plans/at-time?site_id=${w.site_id}&id=${feature_id}`)
    assert.deepEqual([none.status, none.body], [200, []])
    await worked(house, made)
    const plan = await show(w, made.body.id)
    assert.deepEqual([plan.status, plan.content_version, plan.vector.status, plan.vector.source], ['ready', 1, 'ready', 'picture'])
    assert.ok(plan.vector.features >= 6, 'each cross has lines')
    assert.equal(
      (await w.as('member').send('POST', '/floor-plans/upload-image', upload(await sheet(), 'a.png', form(w, feature_id)))).body.error
        .permission,
      'floor_plan_edit',
    )
    assert.equal((await w.as('viewer').get(`/floor-plans/${feature_id}/${1}`)).body.id, plan.id)
    assert.equal((await w.as('viewer').get(`/floor-plans/${feature_id}/-1`)).status, 404)
    assert.equal((await w.as('viewer').get(`/floor-plans/${feature_id}/x`)).status, 404)
    assert.deepEqual(
      (await w.as('viewer').get(`/floor-plans/${feature_id}`)).body.map((one: { id: string }) => one.id),
      [plan.id],
    )
    const other = await house.world()
    assert.equal((await other.as('admin').get(`/floor-plans/${plan.id}/image`)).status, 404)
    const events = await house.rows("select kind from event where site_id = $1 and kind like 'floor_plan.%'", [w.site_id])
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['floor_plan.ready'],
    )
  })

  test('§8 revision C02 of a level ends C01 at its start, and takes over its placement because the sheet has the same size', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const placement = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 0 }, scale: 0.05, rotation_deg: 10 }
    const first = await worked(house, await picture(w, feature_id, { revision: 'C01', start_at: '2026-03-10T06:00:00.000Z', placement }))
    const second = await worked(house, await picture(w, feature_id, { revision: 'C02' }, 5))
    assert.deepEqual(second.body.placement, first.body.placement)
    assert.deepEqual(
      (await at(w, '2026-03-16T08:59:59.999Z')).map((plan: { revision: string }) => plan.revision),
      ['C01'],
    )
    assert.deepEqual(
      (await at(w)).map((plan: { revision: string }) => plan.revision),
      ['C02'],
    )
    assert.equal((await show(w, second.body.id)).status, 'ready')
    const history = await w.as('viewer').get(`/floor-plans/${feature_id}?include_history=true`)
    assert.deepEqual(
      history.body.map((plan: { revision: string }) => plan.revision),
      ['C01', 'C02'],
    )
    const alone = await picture(w, feature_id, { revision: 'C03', level_index: 1 })
    assert.equal(alone.body.placement, null, 'another level has no plan before it')
    const own = await picture(w, feature_id, { revision: 'C03', inherit_placement: false }, 6)
    assert.equal(own.body.placement, null)
    await worked(house, own)
    assert.equal((await show(w, own.body.id)).status, 'needs_placement')
    const planned = await picture(w, feature_id, { revision: 'C05', start_at: '2026-04-01T06:00:00.000Z' }, 7)
    const between = await picture(w, feature_id, { revision: 'C04', start_at: '2026-03-20T06:00:00.000Z' }, 8)
    assert.equal(between.body.end_at, planned.body.start_at)
    const over = await picture(w, feature_id, { start_at: '2026-03-25T06:00:00.000Z', end_at: '2026-05-01T06:00:00.000Z' }, 9)
    assert.deepEqual([over.status, over.body.error.reason, over.body.error.overlapping], [409, 'overlap', [planned.body.id]])
  })

  test('§8 a plan that fails leaves the one before it active, and its uploader hears the reason', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const first = await worked(house, await picture(w, feature_id, { start_at: '2026-03-10T06:00:00.000Z' }))
    const whole = await sheet(CROSSES, 3)
    const cut = Buffer.concat([whole.subarray(0, whole.length / 2)])
    const bad = await w.as('coordinator').send('POST', '/floor-plans/upload-image', upload(cut, 'cut.png', form(w, feature_id)))
    assert.equal(bad.status, 201, bad.text)
    await runJob(house.house, bad.body.job_id)
    const failed = await show(w, bad.body.id)
    assert.deepEqual([failed.status, /damaged/.test(failed.status_reason)], ['failed', true])
    assert.deepEqual(
      (await at(w)).map((plan: { id: string }) => plan.id),
      [first.body.id],
    )
    const [event] = await house.rows("select payload from event where site_id = $1 and kind = 'floor_plan.failed'", [w.site_id])
    assert.match(event.payload.reason, /damaged/)
    const heard = (await w.as('coordinator').get(`/notifications/?site_id=${w.site_id}&kind=your_job&kind=floor_plan_failed`)).body
    assert.deepEqual(
      heard.map((row: { kind: string }) => row.kind),
      ['floor_plan_failed', 'your_job'],
      'that it failed is one notification, and that the first one was read is another',
    )
    assert.equal(
      (await w.as('coordinator').patch(`/floor-plans/${bad.body.id}/placement`, { mode: 'fit' })).body.error.code,
      'invalid_transition',
    )
  })

  test('§8 page 7 of a PDF with 3 pages is 422 on page; features, levels and placements are checked', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    assert.match(faultsOf(await page(w, feature_id, pdfOf(3), { page: 7 })), /^page /)
    assert.match(faultsOf(await page(w, feature_id, pdfOf(3), { level_index: 9 })), /^level_index is 9, a level that .* doesn’t have/)
    assert.match(faultsOf(await page(w, w.site_id, pdfOf(3))), /^feature_id isn’t/)
    assert.equal((await page(w, feature_id, await sheet())).status, 415)
    assert.match(
      faultsOf(await page(w, feature_id, pdfOf(1), { placement: { mode: 'corners', corners: [HERE] } })),
      /^placement\.corners must be four/,
    )
    assert.match(faultsOf(await page(w, feature_id, pdfOf(1), { placement: { mode: 'grid', epsg: 27700 } })), /^placement\.mode .*DXF/)
    assert.match(faultsOf(await page(w, feature_id, pdfOf(1), { placement: { mode: 'affine' } })), /anchor is required.*scale is required/)
    assert.match(faultsOf(await page(w, feature_id, pdfOf(1), { placement: { mode: 'sideways' } })), /^placement\.mode/)
    await w.as('admin').patch(`/sites/${w.site_id}`, { location: HERE })
    const far = { mode: 'affine', anchor: { lon: 1, lat: 51.5 }, anchor_sheet: { x: 0, y: 0 }, scale: 100 }
    assert.match(faultsOf(await page(w, feature_id, pdfOf(1), { placement: far })), /^placement\.anchor /)
    assert.deepEqual(await at(w), [])
  })

  test('§8 a PDF of 1:100 lies on the ground at its scale, and its line work is where it was drawn', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    // 400 × 300 points are 141.1 × 105.8 mm of paper: 14.11 × 10.58 m.
    const placement = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 1250 }, scale: 100 }
    const made = await worked(house, await page(w, feature_id, pdfOf(1), { placement }))
    const plan = await show(w, made.body.id)
    assert.deepEqual([plan.status, plan.vector.source, plan.vector.status], ['ready', 'pdf', 'ready'])
    const [west, south, east, north] = plan.bounds
    const [a, b] = [planeAt(HERE).metres([west, south]), planeAt(HERE).metres([east, north])]
    assert.ok(Math.hypot(a[0], a[1]) < 0.02 && Math.abs(b[0] - 14.11) < 0.03 && Math.abs(b[1] - 10.58) < 0.03, `${a} ${b}`)
    const found = await lines(w, plan.id)
    const diagonal = metres(found.find(line => line.geometry.coordinates.length === 2) ?? assert.fail('There is no diagonal.'))
    assert.ok(Math.hypot((diagonal[0]?.[0] ?? 9) - 0, (diagonal[0]?.[1] ?? 9) - 0) < 0.05)
    assert.ok(Math.hypot((diagonal[1]?.[0] ?? 0) - 14.11, (diagonal[1]?.[1] ?? 0) - 10.58) < 0.05)
    const box = found.find(line => line.geometry.coordinates.length === 5) ?? assert.fail('There is no rectangle.')
    assert.ok(Math.abs(areaOf(box) - 12.7 * 9.172) < 0.5, String(areaOf(box)))
  })

  test('§8 a plan says how large a pixel is at the scale 1: for a picture, a page and a drawing, an anchor with a scale makes it that many times larger', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const placement = { mode: 'fit' }
    const { session_id } = (await inspect(w, drawingOf(rectangle(10_000, 5000)))).body
    const made = [
      [await worked(house, await picture(w, feature_id, { placement })), 1, 0.05],
      [await worked(house, await page(w, feature_id, pdfOf(1), { placement, level_index: 1 })), 0.0254 / 300, 150],
      [await worked(house, await imported(w, session_id, feature_id, { placement, level_index: -1 })), null, 1.2],
    ] as const
    for (const [{ body }, pixel_m, scale] of made) {
      const plan = await show(w, body.id)
      if (pixel_m === null) {
        // The first number of the matrix: pixels of the drawing's picture for a millimetre.
        assert.ok(Math.abs(plan.pixel_m - 0.001 / plan.sheet_matrix[0][0]) < 1e-9, `${plan.pixel_m}`)
      } else assert.equal(plan.pixel_m, pixel_m)
      const given = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 0 }, rotation_deg: -30, scale, dry_run: true }
      const said = await w.as('coordinator').patch(`/floor-plans/${body.id}/placement`, given)
      assert.equal(said.status, 200, said.text)
      const { ground_resolution_m, rotation_deg, quality, rmse_m, approximate } = said.body.placement
      assert.ok(Math.abs(ground_resolution_m - plan.pixel_m * scale) < 1e-9, `${ground_resolution_m}`)
      assert.ok(Math.abs(rotation_deg - 330) < 1e-6, `${rotation_deg}`)
      assert.deepEqual([quality, rmse_m, approximate], [null, null, false], 'nobody can tell how accurate it is')
    }
  })

  test('§8 a placement moves the lines by the same shift, leaves the vector job alone, and makes new tiles', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const placement = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 0 }, scale: 100 }
    const made = await worked(house, await page(w, feature_id, pdfOf(1), { placement }))
    const id = made.body.id
    const before = await lines(w, id)
    const place = (body: object) => w.as('coordinator').patch(`/floor-plans/${id}/placement`, body)
    const trial = await place({ ...placement, anchor: corner(7, 3), dry_run: true })
    assert.equal(trial.status, 200, trial.text)
    assert.deepEqual(await lines(w, id), before, 'a trial stores nothing')
    const jobs = async () =>
      (await house.rows("select kind from job_run where site_id = $1 and kind = 'floor_plan_vectorise'", [w.site_id])).length
    const moved = await place({ ...placement, anchor: corner(7, 3) })
    assert.deepEqual([moved.body.status, moved.body.content_version], ['ready', 1])
    const after = await lines(w, id)
    assert.equal(after.length, before.length)
    for (const [i, line] of after.entries())
      for (const [k, [x, y]] of metres(line).entries()) {
        const [u = 0, v = 0] = metres(before[i] ?? line)[k] ?? []
        assert.ok(Math.hypot(x - u - 7, y - v - 3) < 0.01, `${x - u}, ${y - v}`)
      }
    assert.equal(await jobs(), 0)
    await worked(house, moved)
    assert.equal((await show(w, id)).content_version, 2)
    const bad = await place({ mode: 'points', points: controlPoints(laid(0.1, 0), [[10, 10]]) })
    assert.match(faultsOf(bad), /^points must have at least 2/)
    const fitted = await place({ mode: 'fit' })
    assert.equal(fitted.body.placement.approximate, true)
    const corners = [corner(0, 20), corner(30, 20), corner(30, 0), corner(0, 0)]
    const framed = await place({ mode: 'corners', corners })
    assert.deepEqual(
      framed.body.bounds.map((value: number) => Math.round(value * 1e6)),
      [...Object.values(corner(0, 0)), ...Object.values(corner(30, 20))].map(value => Math.round(value * 1e6)),
    )
  })

  test('§8 a DXF rectangle of 10,000 × 5,000 millimetres, placed by two points, encloses 50 m²', async () => {
    const w = await house.world()
    const bytes = drawingOf(rectangle(10_000, 5000))
    const said = await inspect(w, bytes)
    assert.equal(said.status, 201, said.text)
    assert.deepEqual([said.body.version, said.body.units, said.body.units_guess, said.body.extents], ['AC1027', 4, 4, [0, 0, 10_000, 5000]])
    assert.deepEqual(said.body.layers, [
      { name: 'A-WALL', colour: 7, off: false, frozen: false, counts: { LWPOLYLINE: 1 }, suggested: true },
    ])
    const feature_id = await building(w)
    const made = await imported(w, said.body.session_id, feature_id, { placement: twoPoints })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.status, 'processing')
    assert.equal((await w.as('viewer').get(`/floor-plans/${made.body.id}/vector.geojson`)).body.error.reason, 'not_ready')
    const running = await imported(w, (await inspect(w, bytes)).body.session_id, feature_id)
    assert.deepEqual([running.status, running.body.error.reason], [409, 'import_running'])
    await worked(house, made)
    const plan = await show(w, made.body.id)
    assert.deepEqual([plan.status, plan.source_kind, plan.warnings, plan.content_version], ['ready', 'dxf', [], 1])
    const [line, ...others] = await lines(w, plan.id)
    assert.deepEqual([line?.properties, others], [{ layer: 'A-WALL', class: 'wall' }, []])
    assert.ok(line !== undefined && Math.abs(areaOf(line) - 50) < 0.05, String(line && areaOf(line)))
    const again = await imported(w, said.body.session_id, feature_id)
    assert.deepEqual([again.status, again.body.error.reason], [409, 'session_spent'])
  })

  test('§8 a drawing whose origin is far away, or inside it, is placed by points in its own units, and says how they become pixels', async () => {
    for (const [x, y] of [
      [533_000_000, 180_000_000],
      [-5000, -2500],
    ] as const) {
      const w = await house.world()
      const points = twoPoints.points.map(point => ({ ...point, x: point.x + x, y: point.y + y }))
      const made = await drawn(w, drawingOf(rectangle(10_000, 5000, 'A-WALL', x, y)), { placement: { mode: 'points', points } })
      const [line] = await lines(w, made.id)
      assert.ok(line !== undefined && Math.abs(areaOf(line) - 50) < 0.05)
      const plan = await show(w, made.id)
      const [[a, , c], [, e, f]] = plan.sheet_matrix
      const [px, py] = [a * x + c, e * y + f]
      assert.ok(px > 0 && px < 20 && py > plan.height_px - 20 && py < plan.height_px, `${px} ${py}: its lower left corner`)
    }
  })

  test('§8 in metres the same drawing is suspect, with the unit that would fit; without units they are required', async () => {
    const w = await house.world()
    const { session_id } = (await inspect(w, drawingOf(rectangle(10_000, 5000)))).body
    const feature_id = await building(w)
    const large = await imported(w, session_id, feature_id, { units: 6 })
    assert.equal(large.status, 201, large.text)
    assert.equal(large.body.warnings[0].kind, 'units_suspect')
    assert.match(large.body.warnings[0].message, /millimetres \(4\)|centimetres \(5\)/)
    const bare = (await inspect(w, drawingOf(rectangle(10_000, 5000), { units: 0 }))).body
    assert.deepEqual([bare.units, bare.warnings[0].kind], [0, 'no_units'])
    assert.match(faultsOf(await imported(w, bare.session_id, feature_id, { level_index: 1 })), /^units is required/)
    assert.match(faultsOf(await imported(w, bare.session_id, feature_id, { units: 4, layers: ['NOPE'] })), /^layers\[0\] is “NOPE”/)
    assert.equal((await imported(w, bare.session_id, feature_id, { level_index: 1, units: 4 })).status, 201)
  })

  test('§8 a DWG that is called .dxf is 415 and says to save it as DXF; a block that inserts itself is 422 and named; damage is named', async () => {
    const w = await house.world()
    const dwg = await inspect(w, Buffer.concat([Buffer.from('AC1032\0\0\0\0'), Buffer.alloc(500)]))
    assert.deepEqual([dwg.status, /Save it as DXF/.test(dwg.text)], [415, true])
    assert.equal((await inspect(w, Buffer.from('<svg/>'))).status, 415)
    const loop = '0\nBLOCK\n2\nLOOP\n70\n0\n10\n0\n20\n0\n0\nINSERT\n2\nLOOP\n10\n1\n20\n1\n0\nENDBLK\n'
    const insert = '0\nINSERT\n8\n0\n2\nLOOP\n10\n0\n20\n0\n'
    assert.match(faultsOf(await inspect(w, drawingOf(insert, { blocks: loop }))), /^file .*“LOOP” inserts itself/)
    const level = (n: number) => `0\nBLOCK\n2\nB${n}\n10\n0\n20\n0\n${`0\nINSERT\n2\nB${n + 1}\n10\n0\n20\n0\n`.repeat(20)}0\nENDBLK\n`
    const bomb = `${[...Array(6).keys()].map(level).join('')}0\nBLOCK\n2\nB6\n10\n0\n20\n0\n${rectangle(1, 1)}0\nENDBLK\n`
    assert.match(
      faultsOf(await inspect(w, drawingOf('0\nINSERT\n2\nB0\n10\n0\n20\n0\n', { blocks: bomb }))),
      /2,000,000 entities: look at .*“B/,
    )
    const empty = '0\nBLOCK\n2\nVOID\n10\n0\n20\n0\n0\nENDBLK\n'
    const array = '0\nINSERT\n2\nVOID\n10\n0\n20\n0\n70\n30000\n71\n30000\n'
    assert.match(faultsOf(await inspect(w, drawingOf(array, { blocks: empty }))), /2,000,000 entities/)
    const whole = drawingOf(rectangle(10, 5))
    assert.match(faultsOf(await inspect(w, whole.subarray(0, whole.length - 40))), /cut off/)
    assert.match(faultsOf(await inspect(w, Buffer.from('0\nSECTION\n2\nENTITIES\nrubbish\nhere\n'))), /damaged at line 5/)
    assert.match(faultsOf(await inspect(w, Buffer.alloc(0))), /^file is empty/)
  })

  test('§8 the progress of an import never falls, ends in done, and unfinished ones are listed, the caller’s first', async () => {
    const w = await house.world()
    const bytes = drawingOf(rectangle(10_000, 5000))
    const { session_id } = (await inspect(w, bytes)).body
    const other = (await w.as('hse').send('POST', '/floor-plans/import-dxf/inspect', upload(bytes, 'b.dxf', { site_id: w.site_id }))).body
    const progress = async () => (await w.as('hse').get(`/floor-plans/import-dxf/progress/${session_id}`)).body
    assert.deepEqual([(await progress()).state, (await progress()).progress], ['inspected', 0])
    const active = async (role: 'hse' | 'coordinator') =>
      (await w.as(role).get(`/floor-plans/import-dxf/active?site_id=${w.site_id}`)).body.map(
        (one: { session_id: string }) => one.session_id,
      )
    assert.deepEqual(await active('coordinator'), [session_id, other.session_id])
    assert.deepEqual(await active('hse'), [other.session_id, session_id])
    const feature_id = await building(w)
    const made = await imported(w, session_id, feature_id, { placement: twoPoints })
    assert.equal((await progress()).state, 'queued')
    const seen: number[] = []
    const work = runJob(house.house, made.body.job_id)
    let ended = false
    const ends = work.finally(() => {
      ended = true
    })
    while (!ended) seen.push((await progress()).progress)
    await ends
    assert.deepEqual([(await progress()).state, (await progress()).progress, (await progress()).counts], ['done', 1, { wall: 1 }])
    assert.ok(
      seen.every((value, i) => i === 0 || value >= (seen[i - 1] ?? 0)),
      seen.join(),
    )
    assert.deepEqual(await active('coordinator'), [other.session_id])
    assert.equal((await w.as('member').get(`/floor-plans/import-dxf/progress/${session_id}`)).status, 403)
    house.clock('2026-03-17T09:00:00.000Z')
    assert.deepEqual(await active('coordinator'), [])
    const late = await imported(w, other.session_id, feature_id)
    assert.deepEqual([late.status, late.body.error.reason], [409, 'session_spent'])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§8 off and frozen layers are left out unless they are named, and their lines can be found again', async () => {
    const w = await house.world()
    const layer = (name: string, flags: number, colour: number) => `0\nLAYER\n2\n${name}\n70\n${flags}\n62\n${colour}\n`
    const layers = layer('A-WALL', 0, 7) + layer('OFF', 0, -3) + layer('ICE', 1, 7)
    const entities = rectangle(10_000, 5000) + rectangle(2000, 1000, 'OFF', 100, 100) + rectangle(500, 500, 'ICE', 200, 200)
    const { id } = await drawn(w, drawingOf(entities, { layers }), { placement: twoPoints })
    assert.deepEqual(
      (await lines(w, id)).map(line => line.properties.layer),
      ['A-WALL'],
    )
    const unknown = await w.as('coordinator').post(`/floor-plans/${id}/reprocess-vector`, { layers: ['A-WALL', 'A-WALLS'] })
    assert.deepEqual([unknown.status, unknown.body.error.fields[0].path], [422, 'layers[1]'])
    const queued = await w.as('coordinator').post(`/floor-plans/${id}/reprocess-vector`, { layers: ['A-WALL', 'off'] })
    assert.deepEqual([queued.status, queued.headers.location], [202, `/api/admin/job-runs?id=${queued.body.job_id}`])
    assert.equal((await lines(w, id)).length, 1, 'the old lines are served until the new ones are complete')
    await runJob(house.house, queued.body.job_id)
    const found = await lines(w, id)
    assert.deepEqual(
      found.map(line => line.properties.layer),
      ['A-WALL', 'OFF'],
    )
    assert.ok(Math.abs(areaOf(found[0] ?? assert.fail('none')) - 50) < 0.05, 'the sheet hasn’t moved')
    const few = await lines(w, id, `?bbox=${Object.values(corner(9, 4)).join()},${Object.values(corner(11, 6)).join()}`)
    assert.deepEqual(
      few.map(line => line.properties.layer),
      ['A-WALL'],
    )
    assert.equal((await w.as('viewer').get(`/floor-plans/${id}/vector.geojson?bbox=1,2`)).status, 422)
  })

  test('§8 how a plan is shown can be changed; whether capture links see it doesn’t change what members see', async () => {
    const w = await house.world()
    const made = await worked(house, await picture(w, await building(w), { placement: { mode: 'fit' } }))
    const change = await w
      .as('coordinator')
      .patch(`/floor-plans/${made.body.id}/visibility`, { capture_visible: false, opacity: 0.4, min_zoom: 18 })
    assert.deepEqual([change.body.capture_visible, change.body.opacity, change.body.min_zoom, change.body.visible], [false, 0.4, 18, true])
    assert.equal((await at(w)).length, 1)
    assert.equal((await w.as('coordinator').patch(`/floor-plans/${made.body.id}/visibility`, { opacity: 1.5 })).status, 422)
  })

  test('911 a plan that was uploaded before the site is locked is still read; nothing else can be started then', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    const made = await picture(w, feature_id)
    const map = await w
      .as('hse')
      .send('POST', '/site-maps/upload', upload(await sheet(CROSSES, 9), 'm.png', { site_id: w.site_id, name: 'Yard' }))
    const locked = await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })
    assert.equal(locked.status, 200, locked.text)
    await worked(house, made)
    await worked(house, map)
    assert.equal((await show(w, made.body.id)).status, 'needs_placement')
    assert.equal((await w.as('viewer').get(`/site-maps/${map.body.id}`)).body.status, 'needs_calibration')
    assert.equal((await picture(w, feature_id, {}, 3)).body.error.reason, 'site_locked')
  })

  test('§8 an active plan is ended by removing it, and the one before doesn’t return; one that is ahead is removed', async () => {
    const w = await house.world()
    const feature_id = await building(w)
    await picture(w, feature_id, { start_at: '2026-03-01T06:00:00.000Z', revision: 'A' })
    const live = await picture(w, feature_id, { start_at: '2026-03-10T06:00:00.000Z', revision: 'B' }, 1)
    const ahead = await picture(w, feature_id, { start_at: '2026-04-10T06:00:00.000Z', revision: 'C' }, 2)
    assert.equal((await w.as('coordinator').del(`/floor-plans/${live.body.id}`)).status, 204)
    assert.deepEqual(await at(w), [])
    assert.deepEqual(
      (await at(w, '2026-03-16T08:59:59.999Z')).map((plan: { revision: string }) => plan.revision),
      ['B'],
    )
    assert.equal((await w.as('coordinator').del(`/floor-plans/${ahead.body.id}`)).status, 204)
    assert.deepEqual(await at(w, '2026-05-01T00:00:00.000Z'), [])
    assert.equal((await w.as('coordinator').del(`/floor-plans/${ahead.body.id}`)).status, 404)
  })

  test('§11 tiles of a floor plan are the same by both schemes, and its TileJSON says which', async () => {
    const w = await house.world()
    const { id } = await drawn(w, drawingOf(rectangle(10_000, 5000)), { placement: twoPoints })
    const tile = (path: string) =>
      house.edge.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${w.as('viewer').token}` } })
    const json = (await w.as('viewer').get(`/tiles/floor-plan/${id}/tilejson.json?scheme=tms`)).body
    assert.deepEqual([json.scheme, json.version, /\/tms\/\{z\}\/\{x\}\/\{y\}\.webp\?v=1$/.test(json.tiles[0])], ['tms', '1.1.0', true])
    const [lon, lat, z] = json.center
    const n = 2 ** z
    const x = Math.floor((lon / 360 + 0.5) * n)
    const sin = Math.sin((lat * Math.PI) / 180)
    const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * n)
    const plain = `/tiles/floor-plan/${id}/${z}/${x}/${y}`
    const scheme = (tms: string, row: number) => `/tiles/floor-plan/${id}/${tms}/${z}/${x}/${row}`
    const [north, south, named] = [
      await tile(`${plain}.png`),
      await tile(`${scheme('tms', n - 1 - y)}.png`),
      await tile(`${scheme('xyz', y)}.png`),
    ]
    assert.deepEqual([north.statusCode, south.statusCode, named.statusCode], [200, 200, 200])
    assert.ok(north.rawPayload.equals(south.rawPayload) && north.rawPayload.equals(named.rawPayload))
    assert.equal((await tile(`${scheme('zxy', y)}.png`)).statusCode, 404)
    assert.equal((await tile(`${plain}.jpg`)).statusCode, 404, 'a drawing is transparent between its lines')
    const image = await w.as('viewer').get(`/floor-plans/${id}/image`)
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png'])
    assert.equal((await w.as('viewer').get(`/floor-plans/${id}/image?variant=preview`)).headers['content-type'], 'image/webp')
  })

  test('§8 a drawing in the national grid lies where its coordinates say', async () => {
    const w = await house.world()
    // The Ordnance Survey's example again, with its own outline around it.
    const { id } = await drawn(w, drawingOf(rectangle(20, 10, 'A-WALL', 651_409.903, 313_177.27), { units: 6 }), {
      placement: { mode: 'grid', epsg: 27700 },
    })
    const [line] = await lines(w, id)
    const [lon = 0, lat = 0] = line?.geometry.coordinates[0] ?? []
    assert.ok(
      Math.abs(lon - (1 + 42 / 60 + 57.8663 / 3600)) < 1e-4 && Math.abs(lat - (52 + 39 / 60 + 28.8282 / 3600)) < 1e-4,
      `${lon}, ${lat}`,
    )
    const placed = async () =>
      (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body.find((one: { id: string }) => one.id === id)
    assert.equal((await placed()).placement.epsg, 27700, 'the next plan of the site is probably in this grid')
    const place = (placement: unknown) => w.as('coordinator').patch(`/floor-plans/${id}/placement`, placement)
    const typed = {
      mode: 'points',
      points: [
        { x: 0, y: 0, lon: -0.02, lat: 51.505 },
        { x: 10, y: 0, lon: -0.0199, lat: 51.505 },
      ],
    }
    assert.match(faultsOf(await place({ ...typed, epsg: 31370 })), /^epsg isn’t a reference system/)
  })
})
