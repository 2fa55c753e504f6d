import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const DAY = '2026-03-16'

describe('workers', () => {
  const house = useHouse()
  const gang = (w: World, more: object = {}) => ({
    ...{
      site_id: w.site_id,
      name: 'Steel fixers',
      trade: 'Steel fixer',
      start_at: `${DAY}T08:00:00.000Z`,
      end_at: `${DAY}T17:00:00.000Z`,
      place: HERE,
    },
    ...more,
  })
  const post = (w: World, more: object = {}) => w.as('coordinator').post('/workers/', gang(w, more))
  const paths = async (w: World, more: object) => (await post(w, more)).body.error.fields.map((fault: { path: string }) => fault.path)
  const atTime = (w: World, at: string) => w.as('viewer').get(`/workers/at-time?site_id=${w.site_id}&at=${at}`)

  test('§3 a gang has its planned hours, the radius of the defaults, and one headcount in the list at a point in time', async () => {
    const w = await house.world()
    await w.as('hse').patch(`/geometry/defaults?site_id=${w.site_id}`, { worker_radius_m: 4 })
    const made = await post(w, { headcount: 6 })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.planned_labour_hours, made.body.radius_m, made.body.headcount, made.body.double_booked], [54, 4, 6, []])
    assert.equal(made.headers.location, `/api/workers/?site_id=${w.site_id}&id=${made.body.id}`)
    await w.as('hse').patch(`/geometry/defaults?site_id=${w.site_id}`, { worker_radius_m: 9 })
    await post(w, { name: 'Crane crew', radius_m: 1 })
    const now = await atTime(w, `${DAY}T12:00:00.000Z`)
    assert.deepEqual([now.headers['x-headcount'], now.body.map((row: { radius_m: number }) => row.radius_m)], ['7', [4, 1]])
    assert.equal((await atTime(w, `${DAY}T17:00:00.000Z`)).headers['x-headcount'], '0')
  })

  test('§0.3 what is there at a point in time is in the order of its start and id, which the database doesn’t sort', async () => {
    const w = await house.world()
    const made: { start_at: string; id: string }[] = []
    for (const start of ['09:30:00.000', '08:00:00.250', '08:00:00.000', '09:30:00.000', '07:59:59.999', '08:00:00.000'])
      made.push((await post(w, { start_at: `${DAY}T${start}Z` })).body)
    const wanted = made.toSorted((a, b) => Date.parse(a.start_at) - Date.parse(b.start_at) || (a.id < b.id ? -1 : 1))
    const sent = await recording(async () => {
      const rows: { id: string }[] = (await atTime(w, `${DAY}T12:00:00.000Z`)).body
      assert.deepEqual(
        rows.map(({ id }) => id),
        wanted.map(({ id }) => id),
      )
    })
    const reads = sent.filter(({ text }) => text.includes('t.*'))
    assert.deepEqual(
      reads.map(({ text }) => text.includes('order by')),
      [false],
    )
  })

  test('§3 six people from 22:00 to 06:00 on 2026-10-24 give 54 planned labour hours', async () => {
    const w = await house.world()
    const night = await post(w, { headcount: 6, start_at: '2026-10-24T21:00:00.000Z', end_at: '2026-10-25T06:00:00.000Z' })
    assert.equal(night.body.planned_labour_hours, 54)
  })

  test('§3 headcount, times, place and a stay of more than 72 hours are refused, each by name', async () => {
    const w = await house.world()
    assert.deepEqual(await paths(w, { headcount: 0 }), ['headcount'])
    assert.deepEqual(await paths(w, { end_at: `${DAY}T08:00:00.000Z` }), ['end_at'])
    assert.deepEqual(await paths(w, { end_at: '2026-03-19T08:00:00.001Z' }), ['end_at'])
    assert.equal((await post(w, { end_at: '2026-03-19T08:00:00.000Z' })).status, 201)
    assert.deepEqual(await paths(w, { place: {} }), ['place'])
    assert.deepEqual(await paths(w, { trade: '' }), ['trade'])
  })

  test('§0.2 a point with longitude and latitude swapped is 422, and the message says so', async () => {
    const w = await house.world()
    await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    const swapped = await post(w, { place: { point: { lon: 51.5079, lat: -0.0877 } } })
    assert.equal(swapped.status, 422)
    assert.match(swapped.body.error.fields[0].message, /With lon and lat swapped/)
  })

  test('§3 a member of contractor A creating for contractor B gets 403 with `permission`; without contractor_id it is A', async () => {
    const w = await house.world()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const mate = await w.join('member', a)
    const refused = await mate.post('/workers/', gang(w, { contractor_id: b }))
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'map_entity_edit_any'])
    assert.equal((await mate.post('/workers/', gang(w))).body.contractor_id, a)
  })

  test('§3 a batch of three, one of another contractor, is 403 naming it, and all three are still there', async () => {
    const w = await house.world()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const mate = await w.join('member', a)
    const later = { start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T17:00:00.000Z' }
    const ids = [
      (await post(w, { ...later, contractor_id: a })).body.id,
      (await post(w, { ...later, contractor_id: b })).body.id,
      (await post(w, { ...later, contractor_id: a })).body.id,
    ]
    const refused = await mate.del('/workers/batch', { site_id: w.site_id, ids })
    assert.deepEqual([refused.status, refused.body.error.id], [403, ids[1]])
    const there = async () => (await w.as('viewer').get(`/workers/?site_id=${w.site_id}`)).headers['x-total-count']
    assert.equal(await there(), '3')
    const unknown = '01890000-0000-7000-8000-000000000000'
    const missing = await w.as('coordinator').del('/workers/batch', { site_id: w.site_id, ids: [...ids, unknown] })
    assert.deepEqual([missing.status, missing.body.error.id, await there()], [404, unknown, '3'])
    assert.equal((await w.as('coordinator').del('/workers/batch', { site_id: w.site_id, ids })).status, 204)
    assert.equal(await there(), '0')
  })

  test('§0.9 a batch publishes one event about those that were deleted and one about those that ended, and does to each what deleting it alone does', async () => {
    const w = await house.world()
    const later = { start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T17:00:00.000Z' }
    const [one, two, running] = [(await post(w, later)).body.id, (await post(w, later)).body.id, (await post(w)).body.id]
    const made = await w.as('coordinator').post('/workers/create-schedule', {
      site_id: w.site_id,
      template: gang(w, { start_at: undefined, end_at: undefined, site_id: undefined }),
      pattern: { start_date: '2026-03-18', end_date: '2026-03-20', start_time: '08:00', end_time: '17:00' },
    })
    assert.equal(made.status, 201, made.text)
    const occurrences: { id: string; occurrence_date: string }[] = made.body.occurrences
    const repeated = occurrences.filter(row => row.occurrence_date !== '2026-03-19').map(row => row.id)
    const { revision } = (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    const [{ last }] = await house.rows('select max(event_no) as last from event where site_id = $1', [w.site_id])
    const ids = [one, two, running, ...repeated]
    assert.equal((await w.as('coordinator').del('/workers/batch', { site_id: w.site_id, ids })).status, 204)
    const events = await house.rows(
      "select kind, payload -> 'ids' as ids, payload ->> 'from' as starts, payload ->> 'to' as ends from event where site_id = $1 and event_no > $2 order by event_no",
      [w.site_id, last],
    )
    assert.deepEqual(
      events.map(event => [event.kind, event.ids]),
      [
        ['map_entity.removed', [one, two, ...repeated].sort()],
        ['map_entity.changed', [running]],
      ],
    )
    assert.deepEqual([events[0].starts, events[0].ends], ['2026-03-17T08:00:00.000Z', '2026-03-20T17:00:00.000Z'], 'all of their time')
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body.revision, revision + 1, 'one change of the map')
    assert.equal((await atTime(w, `${DAY}T08:30:00.000Z`)).body.length, 1, 'what is there ends now and stays in the past')
    assert.equal((await atTime(w, `${DAY}T09:00:00.000Z`)).body.length, 0)
    const group = (await w.as('coordinator').get(`/workers/schedule-group/${made.body.group.id}`)).body
    assert.deepEqual([group.removed_dates, group.counts.future], [['2026-03-18', '2026-03-20'], 1])
    const [entry] = (await w.as('admin').get(`/audit/entity/worker/${one}`)).body
    assert.deepEqual([entry.action, entry.cause], ['delete', 'worker.delete_several'])
  })

  test('§0.8 a permit that no longer covers a deleted gang says which gang it was, deleted alone or with others', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const later = { start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T17:00:00.000Z', permit_id: permit.id }
    const made = async (name: string) => {
      const reply = await w.as('coordinator').post('/workers/', gang(w, { ...later, name }))
      assert.equal(reply.status, 201, reply.text)
      return String(reply.body.id)
    }
    const [alone, ...together] = [await made('Fixers'), await made('Scaffolders'), await made('Roofers')]
    assert.equal((await w.as('coordinator').del(`/workers/${alone}`)).status, 204)
    assert.equal((await w.as('coordinator').del('/workers/batch', { site_id: w.site_id, ids: together })).status, 204)
    const said = await house.rows("select reason from audit_entry where site_id = $1 and action = 'unlink'", [w.site_id])
    assert.deepEqual(said.map(({ reason }) => reason).sort(), ['Fixers was deleted.', 'Roofers was deleted.', 'Scaffolders was deleted.'])
  })

  test('§3 deleting a gang that is there leaves it on the map of an hour ago and not of now', async () => {
    const w = await house.world()
    const { id } = (await post(w)).body
    assert.equal((await w.as('coordinator').del(`/workers/${id}`)).status, 204)
    assert.equal((await atTime(w, `${DAY}T08:30:00.000Z`)).body.length, 1)
    assert.equal((await atTime(w, `${DAY}T09:00:00.000Z`)).body.length, 0)
    assert.equal((await w.as('coordinator').del(`/workers/${id}`)).body.error.permission, 'map_entity_purge')
    assert.equal((await w.as('hse').del(`/workers/${id}`)).status, 204)
    assert.equal((await atTime(w, `${DAY}T08:30:00.000Z`)).body.length, 0)
  })

  test('§3 a supervisor of A reading B’s gangs sees trade and headcount, not `supervisor_name`', async () => {
    const w = await house.world()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const mate = await w.join('member', a)
    await post(w, { contractor_id: b, supervisor_name: 'Ann Ivers', headcount: 3 })
    const [seen] = (await mate.get(`/workers/?site_id=${w.site_id}`)).body
    assert.deepEqual([seen.trade, seen.headcount, seen.supervisor_name], ['Steel fixer', 3, null])
    assert.equal((await w.as('coordinator').get(`/workers/?site_id=${w.site_id}`)).body[0].supervisor_name, 'Ann Ivers')
  })

  test('§0.4 who created a gang that belongs to no contractor now can still change it, sees no notes of it or its schedule, and sending back what they read empties none', async () => {
    const w = await house.world()
    const kept = { notes: 'Key at the hut', supervisor_name: 'Ann Ivers' }
    const made = (await w.as('member').post('/workers/', gang(w))).body
    assert.equal((await w.as('coordinator').patch(`/workers/${made.id}`, { contractor_id: null, ...kept })).status, 200)
    const [read] = (await w.as('member').get(`/workers/?site_id=${w.site_id}&id=${made.id}`)).body
    assert.deepEqual([read.notes, read.supervisor_name, read.permissions.can_change], [null, null, true])
    const back = await w.as('member').patch(`/workers/${made.id}`, { ...read, headcount: 4 })
    assert.equal(back.status, 200, back.text)
    const [now] = (await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&id=${made.id}`)).body
    assert.deepEqual([now.headcount, now.notes, now.supervisor_name, now.contractor_id], [4, kept.notes, kept.supervisor_name, null])
    const { site_id, start_at: _start, end_at: _end, ...template } = gang(w)
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-18', start_time: '08:00', end_time: '17:00' }
    const { group } = (await w.as('member').post('/workers/create-schedule', { site_id, template, pattern })).body
    assert.equal((await w.as('coordinator').patch(`/workers/schedule-group/${group.id}`, { contractor_id: null, ...kept })).status, 200)
    const schedule = (await w.as('member').get(`/workers/schedule-group/${group.id}`)).body
    assert.deepEqual([schedule.template.notes, schedule.template.supervisor_name, schedule.contractor_id], [undefined, undefined, null])
  })

  test('1114 a person who has moved to another contractor, or whose record was given to one, can’t change what they created; one who moves back can', async () => {
    const w = await house.world()
    const b = await w.contractor('B Ltd')
    const member = w.as('member')
    const [{ id: membership, contractor_id: acme }] = await house.rows(
      'select id, contractor_id from membership where site_id = $1 and user_id = $2',
      [w.site_id, member.user_id],
    )
    const move = async (contractor_id: string) =>
      assert.equal((await w.as('admin').post(`/memberships/${membership}/approve`, { contractor_id })).status, 200)
    const ok = async (reply: Promise<Reply>) => {
      const { status, body, text } = await reply
      assert.ok(status < 300, text)
      return body
    }
    const { site_id, start_at: _start, end_at: _end, ...template } = gang(w)
    const when = { start_at: `${DAY}T09:00:00.000Z`, end_at: `${DAY}T10:00:00.000Z` }
    const around = { lon: -0.0877, lat: 51.5079 }
    const ring = [
      [around.lon, around.lat],
      [around.lon + 0.0002, around.lat],
      [around.lon + 0.0002, around.lat + 0.0002],
      [around.lon, around.lat],
    ]
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-18', start_time: '08:00', end_time: '17:00' }
    const worker = await ok(member.post('/workers/', gang(w)))
    const machine = await ok(member.post('/plant/', { site_id, name: 'Lift 1', category: 'mewp', place: { point: around }, ...when }))
    const area = await ok(
      member.post('/active-areas/', {
        site_id,
        name: 'Store',
        area_kind: 'laydown',
        place: { polygon: { type: 'Polygon', coordinates: [ring] } },
        ...when,
      }),
    )
    const { group } = await ok(member.post('/workers/create-schedule', { site_id, template, pattern }))
    const paths = [`/workers/${worker.id}`, `/plant/${machine.id}`, `/active-areas/${area.id}`, `/workers/schedule-group/${group.id}`]
    const changes = async () => (await Promise.all(paths.map(path => member.patch(path, { name: 'Renamed' })))).map(({ status }) => status)
    await move(b)
    assert.deepEqual(await changes(), [403, 403, 403, 403])
    assert.equal((await member.del(`/workers/${worker.id}`)).status, 403)
    const [read] = await ok(member.get(`/workers/?site_id=${site_id}&id=${worker.id}`))
    assert.deepEqual([read.permissions.can_change, read.permissions.can_delete], [false, false])
    await move(acme)
    assert.deepEqual(await changes(), [200, 200, 200, 200])
    await ok(w.as('coordinator').patch(`/workers/${worker.id}`, { contractor_id: b }))
    assert.deepEqual(await changes(), [403, 200, 200, 200])
  })

  test('§3 the same gang in two places at one time is a warning in the response, never a refusal', async () => {
    const w = await house.world()
    const first = (await post(w)).body.id
    const second = await post(w, { name: 'STEEL FIXERS', start_at: `${DAY}T16:00:00.000Z`, end_at: `${DAY}T20:00:00.000Z` })
    assert.deepEqual([second.status, second.body.double_booked], [201, [first]])
    const moved = await w.as('coordinator').patch(`/workers/${second.body.id}`, { start_at: `${DAY}T17:00:00.000Z` })
    assert.deepEqual(moved.body.double_booked, [])
  })

  test('§0.3 a period that ends before it starts, or at its start, is refused by every list of what is on the map', async () => {
    const w = await house.world()
    const [first, last] = [`${DAY}T09:00:00.000Z`, `${DAY}T10:00:00.000Z`]
    for (const path of ['/workers/', '/plant', '/active-areas/', '/pois/', '/text-labels/', '/deliveries/'])
      for (const [from, to, near] of [
        [last, first, ''],
        [first, first, ''],
        ...(path === '/pois/' ? [[last, first, '&near=-0.08,51.5'] as const] : []),
      ] as const) {
        const list = await w.as('viewer').get(`${path}?site_id=${w.site_id}&from=${from}&to=${to}${near}`)
        assert.deepEqual([list.status, list.body.error?.fields?.[0]?.path], [422, 'to'], `${path} ${list.text}`)
      }
    assert.equal((await w.as('viewer').get(`/workers/?site_id=${w.site_id}&from=${first}&to=${last}`)).status, 200)
  })

  test('§3 a list is filtered by trades and by text', async () => {
    const w = await house.world()
    await post(w)
    await post(w, { name: 'Painters', trade: 'Painter' })
    const names = async (query: string) =>
      (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&${query}`)).body.map((row: { name: string }) => row.name)
    await post(w, { name: 'Joiners', trade: 'Joiner' })
    assert.deepEqual(await names('trade=painter'), ['Painters'])
    assert.deepEqual((await names('trade=painter&trade=JOINER')).toSorted(), ['Joiners', 'Painters'])
    assert.deepEqual(await names('q=FIX'), ['Steel fixers'])
  })

  test('site-and-people.md §6 a worker without a contractor counts as the main contractor’s of its time: X’s in the morning, the afternoon’s new ones as Y’s', async () => {
    const w = await house.world()
    const [x, y] = [await w.contractor('X Construction'), await w.contractor('Y Construction')]
    const lead = async (contractor_id: string | null) =>
      assert.equal((await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id })).status, 200)
    const names = async (contractor_id: string, at: string) => {
      const { body, headers } = await w
        .as('viewer')
        .get(`/workers/at-time?site_id=${w.site_id}&at=${DAY}T${at}Z&contractor_id=${contractor_id}`)
      return [
        headers['x-headcount'],
        ...body.map((row: { name: string; contractor_id: string | null }) => `${row.name} ${row.contractor_id}`),
      ]
    }
    const counts = async () => {
      const all = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&include=counts&id=${x}&id=${y}`)).body
      return [x, y].map(id => all.find((one: { id: string }) => one.id === id).counts.workers_now)
    }
    house.clock(`${DAY}T07:00:00.000Z`)
    await post(w, { name: 'Early', start_at: `${DAY}T07:00:00.000Z` })
    house.clock(`${DAY}T07:30:00.000Z`)
    await lead(x)
    await post(w, { name: 'Own', headcount: 4 })
    await post(w, { name: 'Of Y', contractor_id: y })
    house.clock(`${DAY}T12:00:00.000Z`)
    assert.deepEqual(await counts(), [1, 1])
    await lead(y)
    await post(w, { name: 'New', start_at: `${DAY}T13:00:00.000Z` })
    house.clock(`${DAY}T14:00:00.000Z`)
    assert.deepEqual(await names(x, '09:00:00.000'), ['4', 'Own null'])
    assert.deepEqual(await names(y, '09:00:00.000'), ['1', `Of Y ${y}`])
    assert.deepEqual(await names(x, '14:00:00.000'), ['4', 'Own null'])
    assert.deepEqual(await names(y, '14:00:00.000'), ['2', `Of Y ${y}`, 'New null'])
    assert.deepEqual(await counts(), [1, 2])
    const search = { site_id: w.site_id, name: 'Whose', subject: 'entity' }
    for (const [id, found] of [
      [x, ['Own']],
      [y, ['New', 'Of Y']],
    ] as const) {
      const predicate = { field: 'contractor_id', op: 'eq', value: id }
      const { body } = await w.as('hse').post('/smart-groups/', { ...search, predicate, dry_run: true })
      assert.deepEqual(body.members.map((one: { label: string }) => one.label).toSorted(), found, 'conditions of smart groups')
      const days = { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date: '2026-03-20', contractor_id: id, dry_run: true }
      const { created } = (await w.as('coordinator').post('/workers/copy-from-range', days)).body
      assert.equal(created.length, found.length, 'copies of days')
    }
    // Who leads the site later changes nothing that was.
    await lead(null)
    assert.deepEqual(await names(y, '14:00:00.000'), ['2', `Of Y ${y}`, 'New null'])
    house.clock(`${DAY}T18:00:00.000Z`)
    assert.deepEqual(await counts(), [0, 0])
  })
})
