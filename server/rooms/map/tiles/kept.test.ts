// What a tile that is kept costs, who still gets it, and whether what is remembered follows the site.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { insertGangs } from '../../../../bench/fill.ts'
import { fewestStatements, recording } from '../../../../bench/record.ts'
import { worldOf } from '../../../../shared/geometry/mercator.ts'
import { chance, seedOf } from '../../../../tests/chance.ts'
import { boxAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { faultsOf, readTile } from '../../../../tests/tiles.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`
const HERE = { lon: -0.0877, lat: 51.5079 }
/** Not on the tile. */
const AWAY = { lon: -0.07, lat: 51.5079 }
const ZOOM = 16
const [X = 0, Y = 0] = worldOf(HERE).map(part => Math.floor(part * 2 ** ZOOM))

describe('vector tiles that are kept', () => {
  const house = useHouse()
  const monday = () => {
    house.clock(at('09:00'))
    return house.world()
  }
  const get = (w: World, set = 'tokens', query = '', headers: Record<string, string> = {}, token = w.as('viewer').token) =>
    house.edge.app.inject({
      url: `/api/tiles/vector/${w.site_id}/${set}/${ZOOM}/${X}/${Y}.mvt${query}`,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip', ...headers },
    })
  const made = async (
    w: World,
    path: '/workers/' | '/plant' | '/deliveries/' | '/active-areas/',
    body: object,
  ): Promise<{ id: string }> => {
    const reply = await w
      .as('coordinator')
      .post(path, { site_id: w.site_id, place: { point: HERE }, start_at: at('08:00'), end_at: at('17:00'), ...body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const gang = (more: object = {}) => ({ name: 'Steel fixers', trade: 'Steel fixer', headcount: 6, ...more })
  const names = async (w: World, query = '', layer = 'tokens') => {
    const reply = await get(w, 'tokens', query)
    if (reply.statusCode === 204) return []
    assert.equal(reply.statusCode, 200, reply.body)
    const bytes = gunzipSync(reply.rawPayload)
    assert.deepEqual(faultsOf(bytes).faults, [])
    return (readTile(bytes)[layer]?.features ?? []).map(({ properties }) => String(properties.name)).sort()
  }

  /** The names of the tokens and of their polygons on the tile of a place. */
  const namesAt = async (w: World, z: number, { lon, lat }: typeof HERE, query = '') => {
    const [x = 0, y = 0] = worldOf({ lon, lat }).map(part => Math.floor(part * 2 ** z))
    const url = `/api/tiles/vector/${w.site_id}/tokens/${z}/${x}/${y}.mvt${query}`
    const reply = await house.edge.app.inject({ url, headers: { authorization: `Bearer ${w.as('viewer').token}` } })
    const layers = reply.statusCode === 204 ? {} : readTile(reply.rawPayload)
    assert.deepEqual(reply.statusCode === 204 ? [] : faultsOf(reply.rawPayload).faults, [])
    const of = (layer: string) => (layers[layer]?.features ?? []).map(({ properties }) => String(properties.name)).sort()
    return [of('tokens'), of('token_areas')]
  }

  /** Checks that the tile of an instant has exactly what the lists of that instant have, with the same properties; returns its layers and how many tokens it has. */
  const agrees = async (w: World, time: string, query = '', about = '') => {
    const reply = await get(w, 'tokens', query)
    const layers = reply.statusCode === 204 ? {} : readTile(gunzipSync(reply.rawPayload))
    const drawn = new Map((layers.tokens?.features ?? []).map(({ properties }) => [String(properties.id), properties]))
    const contractors: Record<string, unknown>[] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const lists = { worker: '/workers', plant: '/plant', delivery: '/deliveries' } as const
    let seen = 0
    for (const [kind, path] of Object.entries(lists)) {
      const rows = (await w.as('viewer').get(`${path as '/workers'}/at-time?site_id=${w.site_id}&at=${time}`)).body
      for (const row of rows) {
        if (row.place.point?.lon === AWAY.lon) continue
        seen++
        const of = contractors.find(({ id }) => id === row.contractor_id)
        const fields = {
          ...row,
          ...row.place,
          kind,
          category: row.category ?? row.vehicle_kind,
          contractor: of?.name,
          colour: row.colour ?? of?.colour,
        }
        const keys =
          'id kind name contractor_id contractor colour trade category headcount building_id level_index zone_id start_at end_at edited no_permit'
        const expected = keys.split(' ').flatMap(key => (fields[key] === null || fields[key] === undefined ? [] : [[key, fields[key]]]))
        const { schedule_group_id: _none, ...properties } = drawn.get(row.id) ?? {}
        assert.deepEqual(Object.fromEntries(Object.entries(properties).sort()), Object.fromEntries(expected.sort()), `${row.name} ${about}`)
      }
    }
    assert.equal(drawn.size, seen, about)
    return { layers, seen }
  }

  test('§11 a token of a schedule has its schedule_group_id, and a single one of the same gang has none', async () => {
    const w = await monday()
    const alike = gang({ place: { point: HERE } })
    const single = await made(w, '/workers/', { ...alike, name: 'Single' })
    const pattern = { start_date: DAY, end_date: DAY, start_time: '08:00', end_time: '17:00' }
    const repeated = await w.as('coordinator').post('/workers/create-schedule', { site_id: w.site_id, template: alike, pattern })
    assert.equal(repeated.status, 201, repeated.text)
    const { tokens } = readTile(gunzipSync((await get(w)).rawPayload))
    assert.deepEqual(
      new Map((tokens?.features ?? []).map(({ properties }) => [properties.id, properties.schedule_group_id])),
      new Map([
        [single.id, undefined],
        [repeated.body.occurrences[0].id, repeated.body.group.id],
      ]),
    )
  })

  test('§11 a kept tile takes one statement, the one that finds the caller, and so does a tile that the caller has; on each set, and while permits change', async () => {
    const w = await monday()
    await made(w, '/workers/', gang())
    await made(w, '/active-areas/', { name: 'Slab', place: { polygon: boxAt(0, 0, 30) } })
    await made(w, '/plant', { name: 'Crane', category: 'mobile_crane', length_m: 6, width_m: 3 })
    for (const set of ['tokens', 'plants', 'zones']) {
      const first = await get(w, set)
      assert.equal(first.statusCode, 200, set)
      const etag = String(first.headers.etag)
      const kept = await fewestStatements(() => get(w, set))
      assert.deepEqual(
        kept.map(({ text }) => /from app_user u/.test(text)),
        [true],
        set,
      )
      assert.equal((await fewestStatements(() => get(w, set, '', { 'if-none-match': etag }))).length, 1, set)
    }
    await w.as('coordinator').post('/labels/', { site_id: w.site_id, title: 'Note', place: { point: HERE } })
    assert.equal((await fewestStatements(() => get(w))).length, 1)
  })

  test('§11 after a change, a tile reads what the history says and the changed token, and not the others', async () => {
    const w = await monday()
    for (const name of ['One', 'Two']) await made(w, '/workers/', gang({ name }))
    const { id } = await made(w, '/workers/', gang({ name: 'Three' }))
    const texts = async () => (await recording(() => get(w))).map(({ text }) => text.replace(/\s+/g, ' '))
    const whole = await texts()
    await w.as('coordinator').patch(`/workers/${id}`, { name: 'Third' })
    const after = await texts()
    const [reads, only, history] = [/ from worker t /, /t\.id = any/, / from audit_entry /]
    const which = (all: string[]) =>
      all.map(text => [reads.test(text), only.test(text), history.test(text)]).filter(row => row.includes(true))
    assert.deepEqual(
      [which(whole), which(after)],
      [
        [[true, false, false]],
        [
          [false, false, true],
          [true, true, false],
        ],
      ],
    )
    assert.deepEqual(await names(w), ['One', 'Third', 'Two'])
  })

  test('§11 tiles of a place that nobody has asked for yet are cut from what is remembered of it, on each level, and have what their lists have', async () => {
    const w = await monday()
    for (const name of ['One', 'Two']) await made(w, '/workers/', gang({ name }))
    const levels = [1, 2].map(index => ({ index }))
    const tower = { site_id: w.site_id, kind: 'building', name: 'Tower', levels, outline: boxAt(0, 0, 40) }
    const building = await w.as('hse').post('/reference-features/zones', tower)
    assert.equal(building.status, 201, building.text)
    const upstairs = { point: HERE, building_id: building.body.id, level_index: 2 }
    await made(w, '/workers/', gang({ name: 'Upstairs', place: upstairs, start_at: at('09:00') }))
    await made(w, '/workers/', gang({ name: 'Away', place: { point: AWAY } }))
    await made(w, '/workers/', gang({ name: 'Pour', place: { polygon: boxAt(0, 0, 30) } }))
    assert.deepEqual(await names(w), ['One', 'Pour', 'Two', 'Upstairs'])
    const statements = await recording(async () => {
      assert.deepEqual(await namesAt(w, 15, HERE), [['One', 'Pour', 'Two', 'Upstairs'], ['Pour']])
      assert.deepEqual(await namesAt(w, 14, HERE), [['Away', 'One', 'Pour', 'Two', 'Upstairs'], ['Pour']])
      assert.deepEqual(await namesAt(w, 18, AWAY), [['Away'], []])
      assert.deepEqual(await namesAt(w, 18, { lon: -0.08, lat: HERE.lat }), [[], []])
      assert.deepEqual(await namesAt(w, 18, HERE, '?level_index=2'), [['Upstairs'], []])
    })
    assert.deepEqual(
      statements.filter(({ text }) => / from worker t /.test(text)),
      [],
    )
    // Beyond what is remembered.
    assert.deepEqual(await namesAt(w, 13, HERE), [['Away', 'One', 'Pour', 'Two', 'Upstairs'], ['Pour']])
  })

  test('§11 a tile has its first 10,000 tokens, by start and id; tiles next to it have their own, and follow each change', async () => {
    const w = await monday()
    const { id } = await made(w, '/workers/', gang({ name: 'Away', place: { point: AWAY } }))
    const client = await house.house.database.pool.connect()
    await client.query('set session_replication_role = replica')
    const times = `'${at('08:00')}'::timestamptz + n * interval '1 millisecond' as start_at, '${at('17:00')}'::timestamptz as end_at`
    await client.query(insertGangs({ count: 10_001, spot: `${HERE.lon} as lon, ${HERE.lat} as lat`, times }), [w.site_id])
    await client.query('set session_replication_role = default')
    client.release()
    const all = await names(w)
    assert.deepEqual([all.length, new Set(all).size, all.includes('Gang 1'), all.includes('Gang 10001')], [10_000, 10_000, true, false])
    assert.deepEqual(await namesAt(w, ZOOM, AWAY), [['Away'], []])
    for (const name of ['Further', 'Farther']) {
      assert.equal((await w.as('coordinator').patch(`/workers/${id}`, { name })).status, 200)
      assert.deepEqual(await namesAt(w, ZOOM, AWAY), [[name], []])
    }
    // After many changes it is looked at once whether the place still has too many.
    const pattern = { start_date: '2026-04-01', end_date: '2026-12-31', start_time: '08:00', end_time: '17:00' }
    const template = gang({ name: 'Later', place: { point: AWAY } })
    const repeated = await w.as('coordinator').post('/workers/create-schedule', { site_id: w.site_id, template, pattern })
    assert.equal(repeated.status, 201, repeated.text)
    assert.deepEqual(await namesAt(w, ZOOM, AWAY), [['Farther'], []])
    assert.equal((await w.as('coordinator').patch(`/workers/${id}`, { name: 'Farthest' })).status, 200)
    const reads = await recording(async () => assert.deepEqual(await namesAt(w, ZOOM, AWAY), [['Farthest'], []]))
    assert.deepEqual(
      reads.filter(({ text }) => / from worker t /.test(text.replace(/\s+/g, ' '))).map(({ text }) => /t\.id = any/.test(text)),
      [true],
      'only what was changed is read',
    )
  })

  test('§11 a kept tile is refused from the moment when its reader’s membership ends', async () => {
    const w = await monday()
    await made(w, '/workers/', gang())
    const viewer = w.as('viewer')
    assert.deepEqual([(await get(w)).statusCode, (await get(w)).statusCode], [200, 200])
    const [membership] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, viewer.user_id])
    const removed = await w.as('admin').del(`/memberships/${membership.id}`)
    assert.ok(removed.status < 300, removed.text)
    assert.equal((await get(w)).statusCode, 404)
    assert.equal((await get(w, 'tokens', '', {}, w.as('member').token)).statusCode, 200)
  })

  test('§11 a kept tile is refused from the moment when its reader’s account is disabled', async () => {
    const w = await monday()
    await made(w, '/workers/', gang())
    const viewer = w.as('viewer')
    assert.deepEqual([(await get(w)).statusCode, (await get(w)).statusCode], [200, 200])
    await house.rows(
      `with off as (select set_config('session_replication_role', 'replica', true)) update app_user set disabled_at = now() from off where id = $1`,
      [viewer.user_id],
    )
    assert.equal((await get(w)).statusCode, 401)
  })

  test('§11 what is remembered of a layer follows the clock forwards and backwards, and every change', async () => {
    const w = await monday()
    await made(w, '/workers/', gang({ name: 'All day' }))
    await made(w, '/workers/', gang({ name: 'From ten', start_at: at('10:00') }))
    const { id } = await made(w, '/workers/', gang({ name: 'Until eleven', end_at: at('11:00') }))
    const expected: [string, string[]][] = [
      ['09:00', ['All day', 'Until eleven']],
      ['09:59', ['All day', 'Until eleven']],
      ['10:00', ['All day', 'From ten', 'Until eleven']],
      ['10:59', ['All day', 'From ten', 'Until eleven']],
      ['11:00', ['All day', 'From ten']],
      ['17:00', []],
      ['10:30', ['All day', 'From ten', 'Until eleven']],
      ['08:00', ['All day', 'Until eleven']],
      ['07:59', []],
    ]
    for (const [time, there] of expected) assert.deepEqual(await names(w, `?at=${at(time)}`), there, time)
    for (const [time, there] of expected.slice(0, 5)) {
      house.clock(at(time))
      assert.deepEqual(await names(w), there, `clock ${time}`)
    }
    await w.as('coordinator').patch(`/workers/${id}`, { end_at: at('12:00') })
    assert.deepEqual(await names(w), ['All day', 'From ten', 'Until eleven'])
    house.clock(at('12:00'))
    assert.deepEqual(await names(w), ['All day', 'From ten'])
    house.clock(at('09:00'))
  })

  test('§11 a tile says when a vehicle that is here leaves, until its slot is over, now and ahead', async () => {
    const w = await monday()
    const { id } = await made(w, '/deliveries/', { name: 'Rebar', end_at: at('10:00') })
    assert.equal((await w.as('coordinator').patch(`/deliveries/${id}`, { status: 'arrived' })).status, 200)
    const ends = async (query = '') => {
      const reply = await get(w, 'tokens', query)
      if (reply.statusCode === 204) return 'not there'
      return readTile(gunzipSync(reply.rawPayload)).tokens?.features[0]?.properties.end_at
    }
    const [now, earlier, later] = ['', `?at=${at('09:00')}`, `?at=${at('10:30')}`]
    for (let again = 0; again < 2; again++)
      assert.deepEqual([await ends(now), await ends(earlier), await ends(later)], [at('10:00'), at('10:00'), 'not there'])
    // Nothing is written, starts or ends here.
    house.clock(at('10:01'))
    for (let again = 0; again < 2; again++)
      assert.deepEqual([await ends(now), await ends(earlier), await ends(later)], [undefined, undefined, 'not there'])
    house.clock(at('09:30'))
    assert.deepEqual([await ends(now), await ends(earlier), await ends(later)], [at('10:00'), at('10:00'), 'not there'])
    house.clock(at('09:00'))
  })

  test('§11 tokens that are alike and tokens that aren’t have exactly the properties that the lists have', async () => {
    const w = await monday()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const many = [
      gang(),
      gang(),
      gang({ name: 'Steel fixers, „Süd“ {1,2} "A" \\ NULL', contractor_id: contractor.id }),
      gang({ headcount: 2, colour: '#12ab34' }),
      gang({ trade: 'Welder', place: { polygon: boxAt(10, 10, 20) } }),
      gang({ trade: 'Welder', start_at: at('08:30'), place: { point: { lon: HERE.lon + 0.0001, lat: HERE.lat } } }),
    ]
    for (const body of many) await made(w, '/workers/', body)
    await made(w, '/plant', { name: 'Crane', category: 'mobile_crane', contractor_id: contractor.id })
    await made(w, '/deliveries/', { name: 'Rebar', vehicle_kind: 'van' })
    // A vehicle that is here leaves at the end of its slot.
    const here = await made(w, '/deliveries/', { name: 'Here', start_at: at('08:00'), end_at: at('10:00') })
    assert.equal((await w.as('coordinator').patch(`/deliveries/${here.id}`, { status: 'arrived' })).body.end_at, at('10:00'))
    const { layers } = await agrees(w, at('09:00'))
    assert.deepEqual(
      layers.token_areas?.features.map(({ properties }) => properties.trade),
      ['Welder'],
    )
  })

  test('§11 whatever changes, a tile that was brought up to date has what the lists have', async () => {
    const { next: _next, below, of, odds, seed } = chance(seedOf(7, 'changes'))
    house.clock(at('09:00'))
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const coordinator = w.as('coordinator')
    const contractors: { id: string }[] = (await coordinator.get(`/contractors/?site_id=${w.site_id}`)).body
    const things: { path: '/workers' | '/plant' | '/deliveries'; id: string }[] = []
    const place = () => (odds(0.3) ? { point: AWAY } : odds(0.2) ? { polygon: boxAt(below(9), 0, 20) } : { point: HERE })
    const time = () => at(`${String(8 + below(9)).padStart(2, '0')}:${of(['00', '30'])}`)
    let [minute, now] = [9 * 60, at('09:00')]
    const made = async () => {
      const path = of(['/workers', '/workers', '/plant', '/deliveries'] as const)
      const kind = {
        '/workers': { trade: of(['Welder', 'Joiner']) },
        '/plant': { category: 'mobile_crane' },
        '/deliveries': { vehicle_kind: 'van' },
      }[path]
      const body = { site_id: w.site_id, name: `Thing ${things.length}`, place: path === '/plant' ? { point: HERE } : place(), ...kind }
      const reply = await coordinator.post(path === '/plant' ? path : `${path}/`, { ...body, start_at: at('08:00'), end_at: time() })
      if (reply.status === 201) things.push({ path, id: reply.body.id })
      return reply
    }
    const change = () => {
      const { path, id } = of(things)
      const body = of([
        () => ({ name: `Other ${below(99)}` }),
        () => ({ contractor_id: odds(0.3) ? null : of(contractors).id }),
        () => ({ place: path === '/plant' ? { point: of([HERE, AWAY]) } : place() }),
        () => ({ end_at: time() }),
        () => ({ start_at: time() }),
        () =>
          path === '/workers'
            ? { headcount: 1 + below(9) }
            : path === '/deliveries'
              ? { status: of(['arrived', 'cancelled']) }
              : { colour: '#12ab34' },
      ])()
      return coordinator.patch(`${path}/${id}`, body)
    }
    const steps: [string, number, () => Promise<unknown>][] = [
      ['create', 4, made],
      ['change', 10, change],
      [
        'delete',
        2,
        () => {
          const { path, id } = of(things)
          return w.as('hse').del(`${path}/${id}`)
        },
      ],
      ['contractor', 3, () => w.as('admin').patch(`/contractors/${of(contractors).id}`, { name: `Firm ${below(999)}` })],
      ['policy', 3, () => w.as('hse').put('/permits/config', { site_id: w.site_id, coverage_policy_enabled: odds(0.5) })],
      [
        'link',
        3,
        () => {
          const { path, id } = of(things)
          const entity_type = { '/workers': 'worker', '/plant': 'plant', '/deliveries': 'delivery' }[path]
          return w.as('admin').post(`/permits/applications/${permit.id}/link`, { entity_type, entity_ids: [id] })
        },
      ],
      // What doesn’t concern the tile.
      ['other', 2, () => coordinator.post('/labels/', { site_id: w.site_id, title: 'Note', place: { point: HERE } })],
      [
        'schedule',
        1,
        () =>
          coordinator.post('/workers/create-schedule', {
            site_id: w.site_id,
            template: gang({ place: { point: HERE } }),
            pattern: { start_date: DAY, end_date: '2026-03-18', start_time: '08:00', end_time: '17:00' },
          }),
      ],
      [
        'time',
        2,
        async () => {
          minute = Math.min(minute + below(40), 16 * 60)
          now = at(`${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
          house.clock(now)
        },
      ],
    ]
    const bag = steps.flatMap(([name, weight, step]) => Array.from({ length: weight }, () => ({ name, step })))
    const done: string[] = []
    let most = 0
    for (let n = 0; n < 40 && most < 4; n++) {
      await made()
      most = (await agrees(w, now, '', `after ${n + 1} were created, seed ${seed}`)).seen
    }
    for (let n = 0; n < 40; n++) {
      const several = of([1, 1, 1, 3])
      for (let i = 0; i < several; i++) {
        const { name, step } = of(bag)
        await step()
        done.push(name)
      }
      // Now, and a moment that is past.
      const about = `after ${done.slice(-6)}, seed ${seed}`
      most = Math.max(most, (await agrees(w, now, '', about)).seen)
      if (odds(0.2)) await agrees(w, at('08:45'), `?at=${at('08:45')}`, about)
    }
    assert.ok(most > 3, `${most} tokens, seed ${seed}`)
    house.clock(at('09:00'))
  })
})
