import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant, later, ms } from '../../../../shared/time.ts'
import { chance, seedOf } from '../../../../tests/chance.ts'
import { boxAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { readySheet, sheet, upload } from '../../../../tests/plans.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { CHANGE_KINDS } from '../../../kernel/changes/domain.ts'
import { changeSource } from '../../../kernel/changes/door.ts'

const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

describe('change points', () => {
  const house = useHouse()
  const permits = () => permitWorld(house)
  const ask = (w: World, more: object = {}, by = 'viewer' as 'viewer' | 'member' | 'coordinator') =>
    w.as(by).post('/analysis/change-points', { site_id: w.site_id, from: at('00:00'), to: `2026-03-17T00:00:00.000Z`, ...more })
  const gang = async (w: World, more: object): Promise<string> => {
    const body = { site_id: w.site_id, name: 'Gang', trade: 'Fixer', start_at: at('07:30'), end_at: at('17:30'), place: HERE, ...more }
    const made = await w.as('coordinator').post('/workers/', body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const times = ({ body }: Reply) => body.points.map((point: { at: string }) => point.at)

  test('§17 two gangs of 6 and 4: points at the start, 07:30 and 17:30, and what is there from each on', async () => {
    const w = await house.world()
    await gang(w, { headcount: 6 })
    await gang(w, { headcount: 4 })
    const found = await ask(w, { kinds: ['worker'] })
    assert.equal(found.status, 200, found.text)
    assert.deepEqual(times(found), [at('00:00'), at('07:30'), at('17:30')])
    const [first, morning, evening] = found.body.points
    assert.deepEqual([first.alive, first.started], [{ headcount: 0, worker: 0 }, {}])
    assert.deepEqual(
      [morning.started, morning.alive, morning.local_time, morning.work_date, morning.merged],
      [{ worker: 2 }, { headcount: 10, worker: 2 }, '07:30', DAY, 1],
    )
    assert.deepEqual([evening.ended, evening.alive], [{ worker: 2 }, { headcount: 0, worker: 0 }])
    assert.deepEqual([found.body.peaks.headcount, found.body.peaks.plant], [{ at: at('07:30'), value: 10 }, null])
    assert.deepEqual([found.body.thinned, found.body.total_points], [false, 3])
  })

  test('§17 two gangs of 6 and 4 from 07:30 to 17:30 and a delivery from 10:00 to 10:30: five points, headcount 10 and one delivery at 10:00', async () => {
    const w = await house.world()
    await gang(w, { headcount: 6 })
    await gang(w, { headcount: 4 })
    const slot = { site_id: w.site_id, name: 'Rebar', supplier_name: 'Steel Ltd', vehicle_kind: 'rigid', place: HERE }
    const booked = await w.as('coordinator').post('/deliveries/', { ...slot, start_at: at('10:00'), end_at: at('10:30') })
    assert.equal(booked.status, 201, booked.text)
    const found = await ask(w, { series: { bucket_minutes: 60 } })
    assert.deepEqual(times(found), [at('00:00'), at('07:30'), at('10:00'), at('10:30'), at('17:30')])
    const { alive } = found.body.points[2]
    assert.deepEqual([alive.headcount, alive.delivery], [10, 1])
    assert.deepEqual(
      found.body.series.flatMap((bucket: { from: string; deliveries: number }) =>
        bucket.deliveries > 0 ? [[bucket.from, bucket.deliveries]] : [],
      ),
      [[at('10:00'), 1]],
    )
  })

  test('§17.4 one-hour buckets from 2026-10-24 22:00 to 10-25 06:00 in London are nine, in which a gang of 6 makes 54 labour hours', async () => {
    const w = await house.world()
    const night = { from: '2026-10-24T21:00:00.000Z', to: '2026-10-25T06:00:00.000Z' }
    await gang(w, { headcount: 6, start_at: night.from, end_at: night.to })
    const { series } = (await ask(w, { ...night, kinds: ['worker'], series: { bucket_minutes: 60 } })).body
    assert.equal(series.length, 9)
    assert.equal(
      series.reduce((sum: number, bucket: { labour_hours: number }) => sum + bucket.labour_hours, 0),
      54,
    )
    assert.equal(series[0].no_permit_peak, null)
  })

  test('§17 the series counts workers without a permit once the coverage policy is on', async () => {
    const w = await house.world()
    await gang(w, {})
    await w.as('hse').put('/permits/config', { site_id: w.site_id, coverage_policy_enabled: true })
    const { series } = (await ask(w, { series: { bucket_minutes: 1440 } })).body
    assert.deepEqual([series.length, series[0].no_permit_peak], [1, 1])
  })

  test('§17 a contractor, a level, a zone and a box each narrow what is counted', async () => {
    const w = await house.world()
    await gang(w, {})
    const { id: contractor_id } = (await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Bolt', colour: '#aa3300' }))
      .body
    await gang(w, { contractor_id, start_at: at('08:00') })
    assert.deepEqual(times(await ask(w, { kinds: ['worker'], contractor_id })), [at('00:00'), at('08:00'), at('17:30')])
    assert.deepEqual(times(await ask(w, { kinds: ['worker'], bbox: '-0.05,51.5,-0.04,51.6' })), [at('00:00')])
    assert.deepEqual(times(await ask(w, { kinds: ['worker'], level_index: 3 })), [at('00:00')])
    assert.equal(times(await ask(w, { bbox: '-0.09,51.5,-0.08,51.6' })).length, 4)
  })

  test('§17 the revision is that of the map, and asking changes nothing', async () => {
    const w = await house.world()
    await gang(w, {})
    const { revision } = (await ask(w)).body
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body.revision, revision)
    assert.equal((await ask(w)).body.revision, revision)
    await gang(w, {})
    assert.ok((await ask(w)).body.revision > revision)
  })

  test('§17 more than 92 days, an end before the start, an unknown kind and another length of buckets are refused, each by name', async () => {
    const w = await house.world()
    const fault = async (more: object) => (await ask(w, more)).body.error.fields[0]
    assert.match((await fault({ to: later(at('00:00'), 92 * 86_400_000 + 1) })).message, /more than 92 days/)
    assert.equal((await fault({ to: at('00:00') })).path, 'to')
    const unknown = await fault({ kinds: ['crane'] })
    assert.deepEqual([unknown.path, /reference_feature/.test(unknown.message)], ['kinds[0]', true], unknown.message)
    assert.equal((await fault({ series: { bucket_minutes: 45 } })).path, 'series.bucket_minutes')
    assert.equal((await fault({ max_points: 9 })).path, 'max_points')
  })

  test('§17 every kind has its source', () => {
    for (const kind of CHANGE_KINDS) assert.equal(changeSource(kind).kind, kind)
  })

  test('§17.2 a permit changes when it is submitted and issued, and at the ends of its window; it counts while it is live', async () => {
    const w = await permits()
    house.clock(at('09:00'))
    const permit = await w.at('approved')
    house.clock(at('09:30'))
    await w.step(permit, 'issue', w.issuer)
    house.clock(at('10:30'))
    await w.step(permit, 'countersign', w.receiver)
    const found = await ask(w, { kinds: ['permit'] }, 'coordinator')
    assert.deepEqual(
      found.body.points.map((point: { at: string; alive: { permit: number } }) => [point.at, point.alive.permit]),
      [
        [at('00:00'), 0],
        [at('09:00'), 0],
        [at('09:30'), 0],
        [at('10:00'), 0],
        [at('10:30'), 1],
        [at('18:00'), 0],
      ],
    )
    house.clock(at('09:00'))
  })

  test('§17.2 the frame, the site map and the floor plans change when a version follows, and when another one is active', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    house.clock(at('06:00'))
    const [first, second] = [await readySheet(house, w), await readySheet(house, w, { name: 'New layout', tint: 1 })]
    const activate = (site_map_id: string | null, time: string) =>
      hse.put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id, effective_at: at(time) })
    await activate(first, '07:00')
    await activate(second, '08:00')
    await activate(null, '09:00')
    const block = {
      site_id: w.site_id,
      kind: 'building',
      name: 'Block',
      levels: [{ index: 0 }],
      effective_at: at('10:00'),
      outline: boxAt(0, 0, 60),
    }
    const { id: feature_id } = (await hse.post('/reference-features/zones', block)).body
    const renamed = await hse.patch(`/reference-features/features/${feature_id}`, { name: 'Block A', effective_at: at('11:00') })
    assert.equal(renamed.status, 200, renamed.text)
    const fields = { site_id: w.site_id, feature_id, level_index: '0', start_at: at('12:00'), end_at: at('13:00') }
    const plan = await w.as('coordinator').send('POST', '/floor-plans/upload-image', upload(await sheet(), 'plan.png', fields))
    assert.ok(plan.status < 300, plan.text)
    const found = await ask(w, { kinds: ['reference_feature', 'site_map', 'floor_plan'] })
    const said = found.body.points.map(({ at, started, ended, changed }: Record<string, object>) => [
      String(at).slice(11, 16),
      { ...started },
      { ...ended },
      { ...changed },
    ])
    assert.deepEqual(said, [
      ['00:00', {}, {}, {}],
      ['07:00', { site_map: 1 }, {}, {}],
      ['08:00', {}, {}, { site_map: 1 }],
      ['09:00', {}, { site_map: 1 }, {}],
      ['10:00', { reference_feature: 1 }, {}, {}],
      ['11:00', {}, {}, { reference_feature: 1 }],
      ['12:00', { floor_plan: 1 }, {}, {}],
      ['13:00', {}, { floor_plan: 1 }, {}],
    ])
    assert.deepEqual(times(await ask(w, { kinds: ['reference_feature', 'site_map', 'floor_plan'], building_id: feature_id })).slice(1), [
      at('12:00'),
      at('13:00'),
    ])
    house.clock(at('09:00'))
  })

  test('§17 an alert counts while it is active, and only for those who see it', async () => {
    const w = await house.world()
    house.clock(at('09:00'))
    const alert = (title: string, more: object) =>
      w
        .as('coordinator')
        .post('/alerts/', { site_id: w.site_id, title, message: 'Take care.', severity: 'warning', category: 'access', ...more })
    const made = await alert('Road closed', { start_at: at('10:00'), end_at: at('12:00') })
    assert.equal(made.status, 201, made.text)
    const { id: firm } = (await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Bolt', colour: '#aa3300' })).body
    await alert('For Bolt', { start_at: at('14:00'), end_at: at('15:00'), contractor_ids: [firm] })
    const alive = async (by: 'viewer' | 'coordinator') =>
      (await ask(w, { kinds: ['alert'] }, by)).body.points.map(
        (point: { at: string; alive: { alert: number } }) => `${point.at.slice(11, 16)} ${point.alive.alert}`,
      )
    assert.deepEqual(await alive('viewer'), ['00:00 0', '10:00 1', '12:00 0'])
    assert.deepEqual(await alive('coordinator'), ['00:00 0', '10:00 1', '12:00 0', '14:00 1', '15:00 0'])
  })

  test('§17 a member’s answer counts no permit draft of others', async () => {
    const w = await permits()
    await w.draft()
    const points = async (by: 'member' | 'viewer') => (await ask(w, { kinds: ['permit'] }, by)).body.total_points
    assert.deepEqual([await points('member'), await points('viewer')], [2, 1])
  })

  test('§17.2 a clash starts and ends at its own times, for those who see it, and a filter finds it as it does in the list of clashes', async () => {
    const w = await permits()
    const common = { site_id: w.site_id, contractor_id: w.acme }
    const by = w.as('coordinator')
    const zone = { start_at: at('11:00'), end_at: at('13:00'), name: 'Lift', area_kind: 'lifting', place: { polygon: boxAt(0, 0, 20) } }
    for (const [path, body] of [
      [
        '/workers/',
        {
          start_at: at('10:00'),
          end_at: at('12:00'),
          name: 'Fixers',
          trade: 'Fixer',
          place: { point: zone.place.polygon.coordinates[0]?.[0] },
        },
      ],
      ['/active-areas/', zone],
    ] as const) {
      const point = 'point' in body.place ? { point: { lon: body.place.point?.[0], lat: body.place.point?.[1] } } : body.place
      const made = await by.post(path, { ...common, ...body, place: point })
      assert.equal(made.status, 201, made.text)
    }
    const points = async (more: object = {}, who: 'coordinator' | 'member' = 'coordinator') =>
      (await ask(w, { kinds: ['clash'], ...more }, who)).body.points.map(
        (point: { at: string; alive: { clash: number } }) => `${point.at.slice(11, 16)} ${point.alive.clash}`,
      )
    const found = ['00:00 0', '11:00 1', '12:00 0']
    assert.deepEqual(await points(), found)
    assert.deepEqual(await points({ contractor_id: w.acme }), found)
    const others = await w.contractor('Others')
    assert.deepEqual(await points({ contractor_id: others }), ['00:00 0'])
    const stranger = await w.join('member', others, 'Olga Other')
    const seen = await stranger.post('/analysis/change-points', {
      site_id: w.site_id,
      from: at('00:00'),
      to: at('20:00'),
      kinds: ['clash'],
    })
    assert.equal(seen.body.total_points, 1, seen.text)
  })

  test('§17.1 at-time at an instant equals at-time at the last point before it, for a random day of each kind', async () => {
    const w = await house.world()
    const c = chance(seedOf(17, 'changes'))
    const whole = (least: number, most: number) => least + c.below(most - least + 1)
    const by = w.as('admin')
    const moment = () => later(at('00:00'), whole(0, 95) * 15 * 60_000)
    const span = () => {
      const [a, b] = [moment(), moment()].sort()
      return a === b ? { start_at: a, end_at: later(b ?? '', 900_000) } : { start_at: a, end_at: b }
    }
    const body = {
      '/workers/': () => ({ name: 'Gang', trade: 'Fixer', place: HERE }),
      '/plant/': () => ({ name: 'Crane', category: 'tower_crane', place: HERE }),
      '/active-areas/': () => ({ name: 'Bay', place: { polygon: boxAt(whole(0, 900), 0, 9) } }),
      '/pois/': () => ({ name: 'Gate', poi_kind: 'vehicle_gate', place: HERE }),
      '/text-labels/': () => ({ text: 'One way', place: HERE }),
    }
    const paths = Object.keys(body) as (keyof typeof body)[]
    house.clock(at('00:00'))
    const made: { path: string; id: string }[] = []
    for (let i = 0; i < 30; i++) {
      const path = c.of(paths)
      const { status, body: found, text } = await by.post(path, { site_id: w.site_id, ...body[path](), ...span() })
      assert.equal(status, 201, text)
      made.push({ path, id: found.id })
    }
    for (let hour = 1; hour < 24; hour += 2) {
      house.clock(`${DAY}T${String(hour).padStart(2, '0')}:07:00.000Z`)
      const { path, id } = c.of(made)
      if (c.odds(0.5))
        await by.patch(`${path}${id}`, {
          notes: `Seen at ${hour}`,
          ...(path === '/active-areas/' ? { place: { polygon: boxAt(0, 40, hour) } } : {}),
        })
      else await by.del(`${path}${id}`)
    }
    house.clock(at('23:59'))
    const kinds = ['worker', 'plant', 'active_area', 'poi', 'text_label']
    const points: string[] = times(await ask(w, { kinds }))
    assert.ok(points.length > 20, `${points.length} points`)
    const picture = async (time: string) =>
      JSON.stringify(
        await Promise.all(
          paths.map(async path =>
            (await w.as('viewer').get(`${path}at-time?site_id=${w.site_id}&at=${time}`)).body.map(
              (row: { id: string; geometry?: unknown; number?: number }) => [row.id, row.geometry],
            ),
          ),
        ),
      )
    for (let i = 0; i < 60; i++) {
      const time = instant(ms(at('00:00')) + whole(0, 86_399_999))
      const last = points.findLast(point => point <= time) ?? ''
      assert.equal(await picture(time), await picture(last), `${time} and ${last}`)
    }
    house.clock(at('09:00'))
  })
})
