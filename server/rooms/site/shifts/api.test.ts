import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { someoneWaits } from '../../../../tests/waits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { removeShift } from './actions.ts'
import { shift } from './door.ts'

describe('shifts', () => {
  const house = useHouse({}, { pool: 8 })

  test('§14 a new site has the day shift, and its hours apply', async () => {
    const w = await house.world()
    const [day] = (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}`)).body
    assert.deepEqual(
      [day.name, day.start_time, day.end_time, day.minutes, day.next_start_at],
      ['Day', '07:30', '17:30', 570, '2026-03-17T07:30:00.000Z'],
    )
    const period = (await w.as('viewer').get(`/sites/${w.site_id}/working-period`)).body
    assert.deepEqual([period.work_date, period.state, period.working_minutes], ['2026-03-16', 'working', 570])
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/working-period?at=2026-03-16T12:10:00Z`)).body.state, 'break')
  })

  test('§14 a night shift has 420 minutes in March and 540 in October; the response warns about clock changes', async () => {
    const w = await house.world()
    const night = { site_id: w.site_id, name: 'Night', start_time: '22:00', end_time: '06:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }
    assert.equal((await w.as('coordinator').post('/shifts/', night)).status, 403)
    const made = await w.as('hse').post('/shifts/', night)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.warnings, [{ date: '2026-03-28', minutes: 420 }])
    assert.equal(made.headers.location, `/api/shifts/?site_id=${w.site_id}&id=${made.body.id}`)
    const minutes = async (date: string) =>
      (await w.as('viewer').get(`/sites/${w.site_id}/working-period?work_date=${date}`)).body.working_minutes
    assert.deepEqual([await minutes('2026-03-28'), await minutes('2026-10-24')], [420, 540])
    const at = (await w.as('viewer').get(`/sites/${w.site_id}/working-period?at=2026-10-25T02:00:00Z`)).body
    assert.deepEqual([at.work_date, at.working_minutes], ['2026-10-24', 540])
    await w.as('hse').post('/shifts/', {
      ...night,
      name: 'Night with break',
      breaks: [{ start_time: '01:15', end_time: '01:45' }],
      replaces: made.body.id,
      valid_from: '2026-03-20',
    })
    assert.deepEqual([await minutes('2026-03-28'), await minutes('2026-10-24')], [390, 510])
    assert.equal(await minutes('2026-03-19'), 570 + 480, 'the Thursday before is unchanged')
  })

  test('§14 a name is unique in its scope; a contractor’s own shifts replace the site’s for that contractor', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Nightworks')
    const post = (body: object) => w.as('hse').post('/shifts/', { site_id: w.site_id, start_time: '20:00', end_time: '04:00', ...body })
    assert.equal((await post({ name: 'DAY' })).body.error.reason, 'key_taken')
    assert.equal((await post({ name: 'Day', contractor_id: contractor })).status, 201)
    const both = await Promise.all([post({ name: 'Twice' }), post({ name: 'Twice' })])
    assert.deepEqual(both.map(r => r.status).sort(), [201, 409])
    const own = (await w.as('viewer').get(`/sites/${w.site_id}/working-period?at=2026-03-17T02:00:00Z&contractor_id=${contractor}`)).body
    assert.equal(own.work_date, '2026-03-16')
    assert.equal(
      (await w.as('viewer').get(`/sites/${w.site_id}/working-period?at=2026-03-17T05:00:00Z&contractor_id=${contractor}`)).body.work_date,
      '2026-03-17',
    )
    assert.deepEqual(
      (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}&contractor_id=none`)).body.map((s: { name: string }) => s.name),
      ['Day', 'Twice'],
    )
    assert.equal((await w.as('viewer').get(`/shifts/?site_id=${w.site_id}&contractor_id=some`)).status, 422)
  })

  test('§14 DELETE ends a shift tomorrow by default; one that hasn’t started is deleted; last week doesn’t change', async () => {
    const w = await house.world()
    const [day] = (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}`)).body
    assert.equal((await w.as('hse').del(`/shifts/${day.id}?effective_on=2026-01-01`)).status, 422)
    assert.equal((await w.as('hse').del(`/shifts/${day.id}`)).status, 204)
    const minutes = async (date: string) =>
      (await w.as('viewer').get(`/sites/${w.site_id}/working-period?work_date=${date}`)).body.working_minutes
    assert.deepEqual([await minutes('2026-03-16'), await minutes('2026-03-17')], [570, 600])
    const ahead = await w
      .as('hse')
      .post('/shifts/', { site_id: w.site_id, name: 'Later', start_time: '06:00', end_time: '14:00', valid_from: '2026-05-01' })
    assert.equal((await w.as('hse').del(`/shifts/${ahead.body.id}`)).status, 204)
    assert.equal((await w.as('hse').del(`/shifts/${ahead.body.id}`)).status, 404)
    assert.deepEqual(
      (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}&include_ended=true`)).body.map((s: { name: string }) => s.name),
      ['Day'],
    )
  })

  test('§14 a shift that has ended isn’t worked on the days since because someone ends it again', async () => {
    const w = await house.world()
    const [day] = (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}`)).body
    const ended = async () => (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}&id=${day.id}`)).body[0].valid_to
    assert.equal((await w.as('hse').del(`/shifts/${day.id}?effective_on=2026-03-18`)).status, 204)
    assert.equal((await w.as('hse').del(`/shifts/${day.id}?effective_on=2026-03-25`)).status, 204)
    assert.equal(await ended(), '2026-03-18')
    assert.equal((await w.as('hse').del(`/shifts/${day.id}?effective_on=2026-03-17`)).status, 204)
    assert.equal(await ended(), '2026-03-17', 'it can end earlier')
  })

  test('§14 breaks outside the shift, a length over 16 hours, equal times and a start too far back are refused', async () => {
    const w = await house.world()
    const paths = async (body: object) =>
      (
        await w.as('hse').post('/shifts/', { site_id: w.site_id, name: 'X', start_time: '08:00', end_time: '16:00', ...body })
      ).body.error?.fields?.map((f: { path: string }) => f.path)
    assert.deepEqual(await paths({ end_time: '08:00' }), ['end_time'])
    assert.deepEqual(await paths({ end_time: '01:00' }), ['end_time'])
    assert.deepEqual(
      await paths({
        breaks: [
          { start_time: '15:30', end_time: '16:30' },
          { start_time: '10:00', end_time: '11:00' },
          { start_time: '10:30', end_time: '10:45' },
        ],
      }),
      ['breaks[0]', 'breaks[2]'],
    )
    assert.deepEqual(await paths({ start_time: '25:00' }), ['start_time'])
    assert.deepEqual(await paths({ valid_from: '2026-01-01' }), ['valid_from'])
    assert.deepEqual(await paths({ contractor_id: w.site_id, replaces: w.site_id }), ['contractor_id', 'replaces'])
  })

  test('§14 a shift says when it starts next, however far ahead its first day is, and warns only about clock changes on days on which it is worked', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await house.world()
    const post = async (more: object) =>
      (
        await w.as('hse').post('/shifts/', {
          ...{ site_id: w.site_id, name: `Night ${JSON.stringify(more)}`.slice(0, 60), start_time: '22:00', end_time: '06:00', ...more },
        })
      ).body
    const summer = await post({ valid_from: '2026-06-30' })
    assert.deepEqual([summer.next_start_at, summer.warnings], ['2026-06-30T21:00:00.000Z', []], 'the clocks change before it is worked')
    const [friday, saturday] = [await post({ weekdays: [5] }), await post({ weekdays: [6] })]
    assert.deepEqual(
      [friday.warnings, saturday.warnings],
      [[], [{ date: '2026-03-28', minutes: 420 }]],
      'the night from Saturday to Sunday',
    )
    assert.deepEqual((await post({})).warnings, [], 'a shift of working days isn’t worked on Saturday')
  })

  test('conventions §2 a shift says whether the caller can end it, as the call does; on a locked site nobody can', async () => {
    const w = await house.world()
    const read = async (role: 'hse' | 'member') => (await w.as(role).get(`/shifts/?site_id=${w.site_id}`)).body[0]
    const [{ id, permissions }, other] = [await read('hse'), await read('member')]
    assert.deepEqual([permissions.can_end, other.permissions.can_end], [true, false])
    const refused = await w.as('member').del(`/shifts/${id}`)
    assert.deepEqual([refused.status, other.permissions.end.because[0].code], [403, refused.body.error.code])
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })
    const locked = (await read('hse')).permissions
    assert.deepEqual([locked.can_end, locked.end.because[0].code], [false, 'site_locked'])
    assert.equal((await w.as('hse').del(`/shifts/${id}`)).body.error.reason, 'site_locked')
  })

  test('1131 of several people who replace a shift from the same day at once, one does, and the others are refused because it has ended', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await house.world()
    const [{ id }] = (await w.as('admin').get(`/shifts/?site_id=${w.site_id}`)).body
    const long = { site_id: w.site_id, start_time: '07:00', end_time: '19:00', replaces: id, valid_from: '2026-03-20' }
    const all = await Promise.all([1, 2, 3, 4].map(i => w.as('hse').post('/shifts/', { ...long, name: `Long day ${i}` })))
    assert.deepEqual(all.map(({ status, body }) => body.error?.reason ?? status).sort(), [201, 'superseded', 'superseded', 'superseded'])
    const names = (await w.as('viewer').get(`/shifts/?site_id=${w.site_id}&work_date=2026-03-20`)).body.map(
      (one: { name: string }) => one.name,
    )
    assert.equal(names.length, 1, `${names}`)
    // From an earlier day, it still is there to be replaced.
    assert.equal((await w.as('hse').post('/shifts/', { ...long, name: 'Sooner', valid_from: '2026-03-18' })).status, 201)
  })

  test('1091 a shift that is ended while another one replaces it keeps the earlier end, and nothing replaces it', async () => {
    const w = await house.world()
    const [{ id }] = (await w.as('admin').get(`/shifts/?site_id=${w.site_id}`)).body
    const day = { site_id: w.site_id, name: 'Long day', start_time: '07:00', end_time: '19:00', replaces: id, valid_from: '2026-04-01' }
    const [locked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ending = writingOn(house.house, { actor: jobActor('test'), cause: 'test.end' }, w.site_id, async ctx => {
      const row = await shift.find(ctx, w.site_id, id, true)
      assert.ok(row)
      await removeShift(ctx, row, '2026-03-20')
      locked.resolve()
      await told.promise
    })
    await locked.promise
    const replacing = w.as('admin').post('/shifts/', day)
    await someoneWaits(house)
    told.resolve()
    await ending
    assert.equal((await replacing).body.error?.reason, 'superseded')
    const [old] = (await w.as('admin').get(`/shifts/?site_id=${w.site_id}&id=${id}`)).body
    assert.equal(old.valid_to, '2026-03-20')
  })
})
