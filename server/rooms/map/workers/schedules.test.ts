import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const WEEK = { start_date: '2026-03-16', end_date: '2026-03-20', start_time: '07:30', end_time: '17:30' }
type Occurrence = { id: string; occurrence_date: string; start_at: string; end_at: string; edited: boolean; version: number; name: string }

describe('schedules of workers', () => {
  const house = useHouse()
  const monday = () => {
    house.clock('2026-03-16T09:00:00.000Z')
    return house.world()
  }
  const template = (more: object = {}) => ({ name: 'Steel fixers', trade: 'Steel fixer', headcount: 6, place: HERE, ...more })
  const create = (w: World, pattern: object = {}, more: object = {}) =>
    w
      .as('coordinator')
      .post('/workers/create-schedule', { site_id: w.site_id, template: template(), pattern: { ...WEEK, ...pattern }, ...more })
  const group = async (w: World, pattern: object = {}) => {
    const made = await create(w, pattern)
    assert.equal(made.status, 201, made.text)
    return { path: `/workers/schedule-group/${made.body.group.id}` as const, ...made.body }
  }
  const rows = async (w: World, id: string): Promise<Occurrence[]> =>
    (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&schedule_group_id=${id}&limit=500`)).body
  const starts = (made: Reply['body']): string[] => made.occurrences.map((one: Occurrence) => one.start_at)
  const minutes = (one: Occurrence) => (Date.parse(one.end_at) - Date.parse(one.start_at)) / 60_000

  test('1130 the contractor of a schedule is looked up once, and kept, however many occurrences refer to it', async () => {
    const w = await monday()
    const contractor_id = await w.contractor('ACME')
    const about = async (pattern: object) => {
      const sent = await recording(async () => {
        const made = await create(w, pattern, { template: template({ contractor_id }) })
        assert.equal(made.status, 201, made.text)
      })
      return [/from "contractor" .* for key share/, /select \* from "contractor"/].map(
        one => sent.filter(({ text }) => one.test(text)).length,
      )
    }
    const [few, many] = [await about({ end_date: '2026-03-17' }), await about({})]
    assert.deepEqual(many, few)
    assert.ok((few[0] ?? 0) > 0)
  })

  test('§0.5 Fri 2026-03-27 to Mon 30 on weekdays starts at 07:30Z and 06:30Z, each 600 minutes', async () => {
    const w = await monday()
    const made = await group(w, { start_date: '2026-03-27', end_date: '2026-03-30' })
    assert.deepEqual(starts(made), ['2026-03-27T07:30:00.000Z', '2026-03-30T06:30:00.000Z'])
    assert.deepEqual(made.occurrences.map(minutes), [600, 600])
    assert.deepEqual([made.warnings, made.outside_permit_window], [[], []])
  })

  test('§3 a schedule whose gang is already at another place is warned of on each of those days, however it is made, and never refused', async () => {
    const w = await monday()
    const coordinator = w.as('coordinator')
    const once = await coordinator.post('/workers/', {
      ...{ site_id: w.site_id, ...template({ name: 'STEEL FIXERS' }) },
      ...{ start_at: '2026-03-17T16:00:00.000Z', end_at: '2026-03-18T08:00:00.000Z' },
    })
    const booked = (made: Reply['body']) =>
      made.occurrences.map((one: Occurrence & { double_booked: string[] }) => [one.occurrence_date, one.double_booked])
    const first = await group(w)
    const [, tuesday, wednesday] = first.occurrences
    const free = (from: number) => first.occurrences.slice(from).map((one: Occurrence) => [one.occurrence_date, []])
    assert.deepEqual(booked(first), [['2026-03-16', []], ['2026-03-17', [once.body.id]], ['2026-03-18', [once.body.id]], ...free(3)])
    const long = { end_date: '2026-03-18', start_time: '16:00', end_time: '08:00', weekdays: [2, 3] }
    const repeated = await coordinator.post(`/workers/${once.body.id}/convert-to-schedule`, { pattern: { ...WEEK, ...long } })
    assert.equal(repeated.status, 201, repeated.text)
    assert.deepEqual(booked(repeated.body), [
      ['2026-03-17', [tuesday.id, wednesday.id]],
      ['2026-03-18', [wednesday.id, first.occurrences[3].id]],
    ])
  })

  test('§3 a change of a schedule is warned of where the gang is at the same time, if it has the name of another one then', async () => {
    const w = await monday()
    const there = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, ...template({ name: 'Formworkers' }) },
      ...{ start_at: '2026-03-18T06:00:00.000Z', end_at: '2026-03-19T09:00:00.000Z' },
    })
    const { path } = await group(w)
    const named = async (name: string) => (await w.as('coordinator').patch(path, { name })).body.double_booked
    assert.deepEqual(await named('Fixers'), [])
    assert.deepEqual(await named('formworkers'), [there.body.id], 'once, although it is there on two days')
    assert.equal('double_booked' in (await w.as('coordinator').get(path)).body, false, 'only after a change')
  })

  test('§0.5 22:00 to 06:00 lasts 420 minutes in March and 540 in October, and both are in `warnings`', async () => {
    const w = await monday()
    const night = { start_time: '22:00', end_time: '06:00', weekdays: [6] }
    const march = await group(w, { ...night, start_date: '2026-03-28', end_date: '2026-03-28' })
    assert.deepEqual(march.warnings, [{ date: '2026-03-28', kind: 'clock_forward', elapsed_minutes: 420 }])
    assert.equal(march.occurrences[0].end_at, '2026-03-29T05:00:00.000Z')
    const october = await group(w, { ...night, start_date: '2026-10-24', end_date: '2026-10-24' })
    assert.deepEqual(october.warnings, [{ date: '2026-10-24', kind: 'clock_back', elapsed_minutes: 540 }])
  })

  test('§0.5 01:30 to 05:00 keeps its wall time on both nights; 01:30 to 02:15 in March is not made', async () => {
    const w = await monday()
    const on = (date: string, end_time: string) =>
      create(w, { start_date: date, end_date: date, start_time: '01:30', end_time, weekdays: [7] })
    const span = ({ body }: Reply) => [body.occurrences[0].start_at, body.occurrences[0].end_at]
    assert.deepEqual(span(await on('2026-03-29', '05:00')), ['2026-03-29T01:30:00.000Z', '2026-03-29T04:00:00.000Z'])
    assert.deepEqual(span(await on('2026-10-25', '05:00')), ['2026-10-25T00:30:00.000Z', '2026-10-25T05:00:00.000Z'])
    const none = await on('2026-03-29', '02:15')
    assert.deepEqual([none.status, none.body.error.fields[0].path], [422, 'pattern'])
    const both = await create(w, {
      start_date: '2026-03-28',
      end_date: '2026-03-29',
      start_time: '01:30',
      end_time: '02:15',
      weekdays: [6, 7],
    })
    assert.deepEqual([both.body.occurrences.length, both.body.warnings[0].kind], [1, 'no_length'])
  })

  test('§0.5 reconcile to an hour later leaves past, running and edited occurrences as they were; again, it changes nothing', async () => {
    const w = await monday()
    const { path, group: made } = await group(w, { start_date: '2026-03-16', end_date: '2026-03-20' })
    house.clock('2026-03-17T12:00:00.000Z')
    const before = await rows(w, made.id)
    const friday = before[4]
    assert.ok(friday)
    assert.equal((await w.as('coordinator').patch(`/workers/${friday.id}`, { activity: 'Pour' })).body.edited, true)
    const kept = (await rows(w, made.id)).filter(one => one.edited || one.start_at < '2026-03-17T12:00:00.000Z')
    const later = { pattern: { ...WEEK, start_time: '08:30', end_time: '18:30' } }
    const done = await w.as('coordinator').put(`${path}/reconcile`, later)
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(
      [done.body.created.length, done.body.removed.length, done.body.changed.map((one: Occurrence) => one.occurrence_date)],
      [0, 0, ['2026-03-18', '2026-03-19']],
    )
    assert.deepEqual(done.body.kept.map((one: { why: string }) => one.why).sort(), ['edited', 'started', 'started'])
    const after = await rows(w, made.id)
    for (const one of kept)
      assert.deepEqual(
        after.find(({ id }) => id === one.id),
        one,
      )
    assert.equal(after[2]?.start_at, '2026-03-18T08:30:00.000Z')
    const again = await w.as('coordinator').put(`${path}/reconcile`, later)
    assert.deepEqual(
      [again.body.created, again.body.changed, again.body.removed, again.body.group.version],
      [[], [], [], done.body.group.version],
    )
  })

  test('§0.5 a dry run of reconcile says the same and changes nothing', async () => {
    const w = await monday()
    const { path, group: made } = await group(w)
    const body = { pattern: { ...WEEK, end_date: '2026-03-18' } }
    const before = await rows(w, made.id)
    const tried = await w.as('coordinator').put(`${path}/reconcile`, { ...body, dry_run: true })
    assert.deepEqual([tried.status, tried.body.removed.length], [200, 2])
    assert.deepEqual(await rows(w, made.id), before)
    assert.equal((await w.as('viewer').get(path)).body.version, made.version)
  })

  test('§0.8 a schedule that is moved to other days as a whole stays linked to its permit, where the window of the permit contains the new days', async () => {
    const w = await monday()
    const { path, group: made } = await group(w, { start_date: '2026-03-18', end_date: '2026-03-19' })
    const window = { start_at: '2026-03-16T07:00:00.000Z', end_at: '2026-03-24T18:00:00.000Z' }
    const permit = (await w.as('coordinator').post('/permits/applications', { site_id: w.site_id, title: 'Weld', ...window })).body
    const linked = await w
      .as('coordinator')
      .post(`/permits/applications/${permit.id}/link`, { entity_type: 'worker', schedule_group_ids: [made.id] })
    assert.equal(linked.body.changed?.length, 2, linked.text)
    const moved = await w
      .as('coordinator')
      .put(`${path}/reconcile`, { pattern: { ...WEEK, start_date: '2026-03-23', end_date: '2026-03-25' } })
    assert.deepEqual([moved.body.created.length, moved.body.removed.length], [3, 2], moved.text)
    const shown = (await w.as('viewer').get(path)).body.permits
    assert.deepEqual(
      [moved.body.group.permits.map(({ id }: { id: string }) => id), shown.map((one: { status: string }) => one.status)],
      [[permit.id], []],
    )
    const list = await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&schedule_group_id=${made.id}`)
    assert.deepEqual(
      list.body.map((one: { permits: unknown[] }) => one.permits.length),
      [1, 1, 0],
    )
  })

  test('§0.5 an occurrence deleted by hand does not come back on reconcile, and does with `restore_dates`', async () => {
    const w = await monday()
    const { path, group: made, occurrences } = await group(w)
    assert.equal((await w.as('coordinator').del(`/workers/${occurrences[3].id}`)).status, 204)
    const pattern = { ...WEEK, end_time: '16:30' }
    const without = await w.as('coordinator').put(`${path}/reconcile`, { pattern })
    assert.deepEqual([without.body.created, without.body.group.removed_dates], [[], ['2026-03-19']])
    const back = await w.as('coordinator').put(`${path}/reconcile`, { pattern, restore_dates: ['2026-03-19'] })
    assert.deepEqual(
      back.body.created.map((one: Occurrence) => one.occurrence_date),
      ['2026-03-19'],
    )
    assert.equal((await rows(w, made.id)).length, 5)
  })

  test('§0.5 changing an occurrence marks it edited, and `edited: false` gives it back to the schedule', async () => {
    const w = await monday()
    const { occurrences } = await group(w)
    const path = `/workers/${occurrences[3].id}` as const
    const moved = await w.as('coordinator').patch(path, { start_at: '2026-03-19T09:00:00.000Z', headcount: 2 })
    assert.deepEqual([moved.body.edited, moved.body.headcount], [true, 2])
    const back = await w.as('coordinator').patch(path, { edited: false })
    assert.deepEqual([back.status, back.body.edited, back.body.headcount, back.body.start_at], [200, false, 6, '2026-03-19T07:30:00.000Z'])
    assert.equal((await w.as('coordinator').patch(path, { headcount: 6 })).body.edited, false)
    const single = (await w.as('coordinator').post('/workers/', { site_id: w.site_id, ...template(), end_at: '2026-03-16T17:00:00.000Z' }))
      .body
    assert.equal((await w.as('coordinator').patch(`/workers/${single.id}`, { edited: false })).body.error.fields[0].path, 'edited')
  })

  test('§0.5 `edited: false` gives an occurrence the defaults of what its template leaves out, for workers, plant and active areas', async () => {
    const w = await monday()
    const square = [0, 1, 2, 3].map(i => ({ lon: HERE.point.lon + (i % 3 === 0 ? 0 : 1e-4), lat: HERE.point.lat + (i < 2 ? 0 : 1e-4) }))
    const kinds = [
      { path: '/workers/', verb: 'create-schedule', template: { trade: 'Steel fixer' }, place: HERE, edit: { headcount: 5 } },
      { path: '/plant/', verb: 'create-schedule', template: { category: 'mewp' }, place: HERE, edit: { bearing_deg: 90, lifting: false } },
      {
        ...{ path: '/active-areas/', verb: 'schedule', template: {}, place: { polygon: square } },
        edit: { area_kind: 'lifting', exclusive: true },
      },
    ] as const
    for (const { path, verb, template: own, place, edit } of kinds) {
      const body = { site_id: w.site_id, template: { name: 'Daily', place, ...own }, pattern: WEEK }
      const made = await w.as('coordinator').post(`${path}${verb}`, body)
      assert.equal(made.status, 201, made.text)
      const before = made.body.occurrences[3]
      const one = `${path}${before.id}` as const
      assert.equal((await w.as('coordinator').patch(one, edit)).body.edited, true)
      const back = await w.as('coordinator').patch(one, { edited: false })
      assert.equal(back.status, 200, back.text)
      for (const field of Object.keys(edit)) assert.deepEqual(back.body[field], before[field], `${path} ${field}`)
    }
  })

  test('§0.5 an occurrence that a client sends as it has read it isn’t edited, also in a zone that was found from its position', async () => {
    const w = await monday()
    const outline = [0, 1, 2, 3].map(i => ({
      lon: HERE.point.lon + (i % 3 === 0 ? -1e-4 : 1e-4),
      lat: HERE.point.lat + (i < 2 ? -1e-4 : 1e-4),
    }))
    const zone = await w.as('hse').post('/reference-features/zones', { site_id: w.site_id, name: 'Deck', outline })
    assert.equal(zone.status, 201, zone.text)
    const { occurrences } = await group(w)
    const { permissions: _flags, ...read } = occurrences[3]
    assert.equal(read.place.zone_id, zone.body.id)
    const back = await w.as('coordinator').patch(`/workers/${read.id}`, read)
    assert.deepEqual([back.status, back.body.edited, back.body.version], [200, false, read.version], back.text)
  })

  test('§0.5 a change of the schedule reaches future occurrences that follow it, and the running one only if asked', async () => {
    const w = await monday()
    const { path, group: made, occurrences } = await group(w)
    await w.as('coordinator').patch(`/workers/${occurrences[4].id}`, { headcount: 1 })
    const changed = await w.as('coordinator').patch(path, { headcount: 9, name: 'Fixers B' })
    assert.deepEqual([changed.status, changed.body.name, changed.body.template.headcount], [200, 'Fixers B', 9])
    const counts = async () => (await rows(w, made.id)).map(one => (one as unknown as { headcount: number }).headcount)
    assert.deepEqual(await counts(), [6, 9, 9, 9, 1])
    await w.as('coordinator').patch(path, { headcount: 7, include_running: true })
    assert.deepEqual(await counts(), [7, 7, 7, 7, 1])
    const refused = await w.as('coordinator').patch(path, { start_at: '2026-03-16T07:00:00.000Z' })
    assert.equal(refused.status, 422)
  })

  test('§0.5 rule 4: if the time zone of the site is corrected, future occurrences that follow their schedule are derived again; past, running and edited ones keep their instants', async () => {
    const w = await monday()
    const { group: made, occurrences } = await group(w)
    const square = [0, 1, 2, 3].map(i => ({ lon: HERE.point.lon + (i % 3 === 0 ? 0 : 1e-4), lat: HERE.point.lat + (i < 2 ? 0 : 1e-4) }))
    const others = [
      await w.as('coordinator').post('/plant/create-schedule', {
        ...{ site_id: w.site_id, template: { name: 'MEWP', category: 'mewp', place: HERE }, pattern: WEEK },
      }),
      await w.as('coordinator').post('/active-areas/schedule', {
        ...{ site_id: w.site_id, template: { name: 'Bay', place: { polygon: square } }, pattern: WEEK },
      }),
    ]
    assert.equal((await w.as('coordinator').patch(`/workers/${occurrences[3].id}`, { activity: 'Pour' })).body.edited, true)
    const before = await rows(w, made.id)
    const corrected = await w.as('site_manager').patch(`/sites/${w.site_id}`, { timezone: 'Europe/Madrid' })
    // Of the workers Tue, Wed and Fri, of the others Tue to Fri.
    assert.deepEqual([corrected.status, corrected.body.rederived], [200, 11], corrected.text)
    const now = await rows(w, made.id)
    assert.deepEqual(
      now.map(one => one.start_at.slice(8, 16)),
      ['16T07:30', '17T06:30', '18T06:30', '19T07:30', '20T06:30'],
    )
    assert.deepEqual(now.map(minutes), [600, 600, 600, 600, 600])
    assert.deepEqual(
      now.map(one => one.edited),
      [false, false, false, true, false],
    )
    assert.deepEqual([now[0], now[3]], [before[0], before[3]])
    for (const [i, path] of ['/plant', '/active-areas'].entries()) {
      const ahead = await w.as('viewer').get(`${path}/schedule-group/${others[i]?.body.group.id}/future-occurrences`)
      assert.equal(ahead.body[0].start_at, '2026-03-17T06:30:00.000Z', path)
    }
    assert.equal((await w.as('site_manager').patch(`/sites/${w.site_id}`, { timezone: 'Europe/Madrid' })).body.rederived, undefined)
  })

  test('§0.5 finishing early ends the running occurrence, removes all later ones, and repeating it changes nothing', async () => {
    const w = await monday()
    const { path, group: made, occurrences } = await group(w)
    house.clock('2026-03-17T12:00:00.000Z')
    await w.as('coordinator').patch(`/workers/${occurrences[4].id}`, { headcount: 1 })
    const done = await w.as('coordinator').post(`${path}/finish-early`, { reason: 'Poured' })
    assert.deepEqual([done.status, done.body.ended, done.body.removed.length], [200, [occurrences[1].id], 3])
    assert.deepEqual(
      (await rows(w, made.id)).map(one => one.end_at),
      ['2026-03-16T17:30:00.000Z', '2026-03-17T12:00:00.000Z'],
    )
    const again = await w.as('coordinator').post(`${path}/finish-early`, { at: '2026-03-17T12:00:00.000Z' })
    assert.deepEqual([again.body.ended, again.body.removed, again.body.group.version], [[], [], done.body.group.version])
    const early = await w.as('coordinator').post(`${path}/finish-early`, { at: '2026-03-15T12:00:00.000Z' })
    assert.equal(early.body.error.fields[0].path, 'at')
  })

  test('§0.5 deleting a schedule removes what is ahead and lets the running occurrence continue; what has ended needs map_entity_purge', async () => {
    const w = await monday()
    const { path, group: made } = await group(w)
    house.clock('2026-03-17T12:00:00.000Z')
    assert.equal((await w.as('coordinator').del(`${path}?scope=all`)).body.error.permission, 'map_entity_purge')
    assert.equal((await w.as('coordinator').del(path)).status, 204)
    assert.deepEqual(
      (await rows(w, made.id)).map(one => one.end_at),
      ['2026-03-16T17:30:00.000Z', '2026-03-17T17:30:00.000Z'],
    )
    assert.equal((await w.as('viewer').get(path)).status, 404)
    const other = await group(w, { start_date: '2026-03-17' })
    assert.equal((await w.as('coordinator').del(`${other.path}?finish_running=true`)).status, 204)
    assert.deepEqual(
      (await rows(w, other.group.id)).map(one => one.end_at),
      ['2026-03-17T12:00:00.000Z'],
    )
  })

  test('§0.5 a single entity keeps its id when it becomes a schedule; in a schedule already it is `in_group`', async () => {
    const w = await monday()
    const single = (
      await w
        .as('coordinator')
        .post('/workers/', { site_id: w.site_id, ...template(), start_at: '2026-03-16T09:00:00.000Z', end_at: '2026-03-16T12:00:00.000Z' })
    ).body
    const path = `/workers/${single.id}/convert-to-schedule` as const
    const days = { start_date: '2026-03-16', end_date: '2026-03-18' }
    const missed = await w.as('coordinator').post(path, { pattern: { ...days, start_date: '2026-03-17' } })
    assert.deepEqual([missed.status, missed.body.error.fields[0].path], [422, 'pattern'])
    const made = await w.as('coordinator').post(path, { pattern: days })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.occurrences[0].id, single.id)
    assert.deepEqual(
      made.body.occurrences.map((one: Occurrence) => [one.start_at.slice(11, 16), one.edited]),
      [
        ['09:00', false],
        ['09:00', false],
        ['09:00', false],
      ],
    )
    const twice = await w.as('coordinator').post(path, { pattern: days })
    assert.deepEqual([twice.status, twice.body.error.reason], [409, 'in_group'])
  })

  test('§3 copying the week of 2026-03-23 to 2026-03-30 is 07:30 on site in both weeks, `06:30Z` in the second; again, it creates nothing', async () => {
    const w = await monday()
    await create(w, { start_date: '2026-03-23', end_date: '2026-03-27' })
    const body = { site_id: w.site_id, from_date: '2026-03-23', to_date: '2026-03-29', target_date: '2026-03-30' }
    const tried = await w.as('coordinator').post('/workers/copy-from-range', { ...body, dry_run: true })
    assert.deepEqual([tried.status, tried.body.created.length], [200, 5])
    const done = await w.as('coordinator').post('/workers/copy-from-range', body)
    assert.equal(done.status, 201, done.text)
    assert.deepEqual(
      done.body.created.map((one: Occurrence) => one.start_at.slice(0, 16)),
      ['2026-03-30T06:30', '2026-03-31T06:30', '2026-04-01T06:30', '2026-04-02T06:30', '2026-04-03T06:30'],
    )
    const again = await w.as('coordinator').post('/workers/copy-from-range', body)
    assert.deepEqual([again.body.created.length, again.body.skipped_duplicates.length], [0, 5])
    const inside = await w.as('coordinator').post('/workers/copy-from-range', { ...body, target_date: '2026-03-24' })
    assert.equal(inside.body.error.fields[0].path, 'target_date')
  })

  test('§0.7 several people who copy the same days at the same time make each copy once', async () => {
    const w = await monday()
    const there = { start_at: '2026-03-10T08:00:00.000Z', end_at: '2026-03-10T17:00:00.000Z' }
    assert.equal((await w.as('coordinator').post('/workers/', { site_id: w.site_id, ...template(), ...there })).status, 201)
    const range = { site_id: w.site_id, from_date: '2026-03-10', to_date: '2026-03-10', target_date: '2026-03-24' }
    const people = Array.from({ length: 10 }, (_, i) => w.as(i % 2 === 0 ? 'coordinator' : 'admin'))
    const done = await Promise.all(people.map(person => person.post('/workers/copy-from-range', range)))
    assert.deepEqual(
      done.map(({ status, body }) => [status, body.created.length + body.skipped_duplicates.length]),
      people.map(() => [201, 1]),
    )
    const copies = await w.as('viewer').get(`/workers/?site_id=${w.site_id}&from=2026-03-24T00:00:00Z`)
    assert.equal(copies.body.length, 1)
  })

  test('§0.4 a contractor can’t copy work to a day that ended more than 24 hours ago, as they can’t create it there; a coordinator can', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const gang = { site_id: w.site_id, ...template(), end_at: '2026-03-16T17:00:00.000Z' }
    assert.equal((await mate.post('/workers/', gang)).status, 201)
    const to = (target_date: string) => ({ site_id: w.site_id, from_date: '2026-03-16', to_date: '2026-03-16', target_date })
    const refused = await mate.post('/workers/copy-from-range', to('2026-03-10'))
    assert.deepEqual([refused.status, refused.body.error?.permission], [403, 'map_entity_edit_any'], refused.text)
    const rehearsed = await mate.post('/workers/copy-from-range', { ...to('2026-03-10'), dry_run: true })
    assert.equal(rehearsed.status, 403, rehearsed.text)
    assert.equal((await mate.post('/workers/copy-from-range', to('2026-03-15'))).status, 201)
    const copied = await w.as('coordinator').post('/workers/copy-from-range', to('2026-03-10'))
    assert.equal(copied.body.created.length, 1, copied.text)
  })

  test('§0.5 contractors plan from today, coordinators up to 31 days back; a template fault is named below `template`', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const send = (by: typeof mate, start_date: string, more: object = {}) =>
      by.post('/workers/create-schedule', { site_id: w.site_id, template: template(more), pattern: { ...WEEK, start_date } })
    assert.equal((await send(mate, '2026-03-13')).body.error.fields[0].path, 'pattern')
    assert.equal((await send(mate, '2026-03-16')).body.group.contractor_id, a)
    assert.equal((await send(w.as('coordinator'), '2026-02-13')).status, 201)
    assert.equal((await send(w.as('coordinator'), '2026-02-12')).status, 422)
    await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    const swapped = await send(w.as('coordinator'), '2026-03-16', { place: { point: { lon: 51.5, lat: -0.08 } } })
    assert.equal(swapped.body.error.fields[0].path, 'template.place.point')
    assert.equal(
      (await w.as('viewer').post('/workers/create-schedule', { site_id: w.site_id, template: template(), pattern: WEEK })).status,
      403,
    )
  })

  test('§0.5 one event tells of all occurrences of a new schedule, and two reconciliations at once leave one result', async () => {
    const w = await monday()
    const { path, group: made } = await group(w, { end_date: '2026-05-29' })
    const puts = await Promise.all(
      ['16:00', '18:00'].map(end_time =>
        w.as('coordinator').put(`${path}/reconcile`, { pattern: { ...WEEK, end_date: '2026-05-29', end_time } }),
      ),
    )
    assert.deepEqual(
      puts.map(({ status }) => status),
      [200, 200],
    )
    const ends = new Set((await rows(w, made.id)).slice(1).map(one => minutes(one)))
    assert.equal(ends.size, 1)
  })

  test('1083 people who change a schedule and its days at the same time don’t wait for each other in a circle: each gets an answer', async () => {
    const w = await monday()
    const pattern = { start_date: '2026-03-17', end_date: '2026-05-20' }
    const { path, occurrences } = await group(w, pattern)
    const [c, h] = [w.as('coordinator'), w.as('hse')]
    const days = (from: number) => occurrences.slice(from, from + 12).map(({ id }: Occurrence) => id)
    const replies = await Promise.all([
      ...days(0).map((_: string, i: number) => c.patch(path, { headcount: i + 2 })),
      ...days(0).map((id: string) => h.del(`/workers/${id}`)),
      ...days(12).map((id: string) => c.patch(`/workers/${id}`, { edited: false })),
      h.del('/workers/batch', { site_id: w.site_id, ids: days(24) }),
      ...[6, 7, 8, 9].map(day => c.put(`${path}/reconcile`, { pattern: { ...WEEK, ...pattern, end_date: `2026-05-1${day}` } })),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].toSorted(), [200, 204])
    const { removed_dates } = (await c.get(path)).body
    const left = await rows(w, path.split('/').at(-1) ?? '')
    assert.equal(removed_dates.length, 24)
    assert.deepEqual(
      left.filter(one => removed_dates.includes(one.occurrence_date)),
      [],
    )
  })

  test('§0.5 a schedule of another site doesn’t exist for the caller, and a viewer can only read it', async () => {
    const w = await monday()
    const { group: made, occurrences } = await group(w)
    const [first] = occurrences
    const calls = (by: Parameters<typeof all>[0]) => all(by, made.id, first.id)
    const all = (by: ReturnType<World['as']>, id: string, one: string) => ({
      reads: [by.get(`/workers/schedule-group/${id}`), by.get(`/workers/schedule-group/${id}/future-occurrences`)],
      writes: [
        by.patch(`/workers/schedule-group/${id}`, { headcount: 2 }),
        by.del(`/workers/schedule-group/${id}`),
        by.post(`/workers/schedule-group/${id}/finish-early`, {}),
        by.put(`/workers/schedule-group/${id}/reconcile`, { pattern: WEEK }),
        by.post(`/workers/${one}/convert-to-schedule`, { pattern: WEEK }),
      ],
    })
    const statuses = async (replies: Promise<Reply>[]) => (await Promise.all(replies)).map(({ status }) => status)
    const stranger = calls(await w.stranger())
    assert.deepEqual(await statuses([...stranger.reads, ...stranger.writes]), [404, 404, 404, 404, 404, 404, 404])
    const viewer = calls(w.as('viewer'))
    assert.deepEqual(await statuses(viewer.reads), [200, 200])
    assert.deepEqual(await statuses(viewer.writes), [403, 403, 403, 403, 403])
    const ahead = (await w.as('viewer').get(`/workers/schedule-group/${made.id}/future-occurrences`)).body
    assert.equal(ahead.length, 4)
  })
})
