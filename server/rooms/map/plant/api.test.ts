import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { STANDARD_DEFAULTS } from '../kit/defaults.ts'
import { dueAfter, examinationState, exclusionOf, plusMonths } from './domain.ts'
import { sweepExaminations } from './jobs.ts'

const A = { point: { lon: -0.0877, lat: 51.5079 } }
const B = { point: { lon: -0.087, lat: 51.5082 } }
const DAY = '2026-03-16'

describe('plant', () => {
  const house = useHouse()
  const monday = () => {
    house.clock(`${DAY}T09:00:00.000Z`)
    return house.world()
  }
  const at = (time: string) => `${DAY}T${time}:00.000Z`
  const post = (w: World, more: object = {}) =>
    w
      .as('coordinator')
      .post('/plant', { site_id: w.site_id, name: 'TC1', category: 'tower_crane', start_at: at('08:00'), place: A, ...more })
  const there = async (w: World, time: string) =>
    (await w.as('viewer').get(`/plant/at-time?site_id=${w.site_id}&at=${time}`)).body.map((row: { place: typeof A }) => row.place.point.lon)

  test('§4 a machine has the exclusion radius that follows from its reach, and one below the working radius is refused', async () => {
    const w = await monday()
    const made = await post(w, { working_radius_m: 9 })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.exclusion_radius_m, made.body.lifting, made.body.lifts_persons, made.body.end_at, made.body.bearing_deg],
      [10, true, false, null, 0],
    )
    const path = `/plant/${made.body.id}` as const
    assert.equal((await w.as('coordinator').patch(path, { working_radius_m: 20 })).body.exclusion_radius_m, 21)
    assert.equal((await w.as('coordinator').patch(path, { exclusion_radius_m: 30 })).body.exclusion_radius_m, 30)
    assert.equal((await w.as('coordinator').patch(path, { working_radius_m: 22 })).body.exclusion_radius_m, 30)
    assert.equal((await w.as('coordinator').patch(path, { exclusion_radius_m: 5 })).body.error.fields[0].path, 'exclusion_radius_m')
    assert.equal((await w.as('coordinator').patch(path, { exclusion_radius_m: null })).body.exclusion_radius_m, 23)
    assert.equal((await post(w, { name: 'X', slew_from_deg: 10 })).body.error.fields[0].path, 'slew_to_deg')
    assert.equal(exclusionOf({ category: 'excavator', working_radius_m: 2, tail_swing_m: 6 }, STANDARD_DEFAULTS), 6.5)
  })

  test('§4 a second position that overlaps the first is 409 naming it; from the end of the first it is 201', async () => {
    const w = await monday()
    const first = (await post(w, { end_at: at('12:00') })).body
    const second = { source_plant_id: first.id, place: B, end_at: at('15:00') }
    const refused = await post(w, { ...second, start_at: at('11:00') })
    assert.deepEqual([refused.status, refused.body.error.reason, refused.body.error.overlapping[0].id], [409, 'overlap', first.id])
    const made = await post(w, { ...second, start_at: at('12:00') })
    assert.deepEqual([made.status, made.body.source_plant_id], [201, first.id], made.text)
    const shown = (await w.as('viewer').get(`/plant/${made.body.id}`)).body
    assert.deepEqual(
      shown.positions.map((one: { start_at: string }) => one.start_at),
      [at('08:00'), at('12:00')],
    )
    const retimed = await w.as('coordinator').patch(`/plant/${first.id}`, { end_at: at('12:01') })
    assert.equal(retimed.body.error.reason, 'overlap')
  })

  test('§4 two positions that are created at the same time can’t both be there', async () => {
    const w = await monday()
    const first = (await post(w, { end_at: at('10:00') })).body
    const more = { source_plant_id: first.id, start_at: at('11:00'), end_at: at('12:00') }
    const both = await Promise.all([post(w, { ...more, place: A }), post(w, { ...more, place: B })])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  })

  test('§4 `end_previous` at 10:30: the map of 10:29 shows the first place, that of 10:30 the second, never both', async () => {
    const w = await monday()
    const first = (await post(w)).body
    const moved = await post(w, { source_plant_id: first.id, end_previous: true, start_at: at('10:30'), place: B })
    assert.equal(moved.status, 201, moved.text)
    assert.deepEqual(await there(w, at('10:29')), [A.point.lon])
    assert.deepEqual(await there(w, at('10:30')), [B.point.lon])
    assert.equal((await post(w, { end_previous: true })).body.error.fields[0].path, 'end_previous')
  })

  test('§4 a machine that is moved keeps its bearing, slew, operator and permits, as far as the request contains no others', async () => {
    house.clock(`${DAY}T09:00:00.000Z`)
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const own = { bearing_deg: 45, slew_from_deg: 350, slew_to_deg: 80, operator_name: 'Sam Field' }
    const first = (await post(w, { ...own, working_radius_m: 30, permit_id: permit.id })).body
    const next = { source_plant_id: first.id, end_previous: true, place: B }
    const moved = await post(w, { ...next, start_at: at('09:00') })
    assert.equal(moved.status, 201, moved.text)
    const kept = (plant: Record<string, unknown>) => Object.fromEntries(Object.keys(own).map(field => [field, plant[field]]))
    assert.deepEqual(kept(moved.body), own)
    const permits = (plant: { permits: { id: string }[] }) => plant.permits.map(one => one.id)
    assert.deepEqual(permits(moved.body), [permit.id])
    const shown = (await w.as('coordinator').get(`/plant/at-time?site_id=${w.site_id}&at=${at('09:00')}`)).body
    assert.deepEqual(shown.map(permits), [[permit.id]])
    const turned = (await post(w, { ...next, start_at: at('09:05'), bearing_deg: 90, slew_from_deg: null, slew_to_deg: null })).body
    assert.deepEqual(kept(turned), { ...own, bearing_deg: 90, slew_from_deg: null, slew_to_deg: null })
    // A permit that has ended by then doesn't cover the new position.
    const later = (await post(w, { ...next, start_at: '2026-05-16T09:00:00.000Z' })).body
    assert.deepEqual(permits(later), [])
    // A position that was planned for another time has its own, as the specification says.
    await w.as('coordinator').patch(`/plant/${later.id}`, { end_at: '2026-05-17T09:00:00.000Z' })
    const planned = (await post(w, { source_plant_id: first.id, start_at: '2026-06-01T09:00:00.000Z' })).body
    assert.deepEqual([planned.bearing_deg, planned.slew_from_deg, permits(planned)], [0, null, []])
  })

  test('§4 changing the fleet number of one position shows on every position; a second machine with it is `key_taken`', async () => {
    const w = await monday()
    const first = (await post(w, { end_at: at('10:00') })).body
    const second = (await post(w, { source_plant_id: first.id, start_at: at('10:00'), place: B })).body
    assert.equal((await w.as('coordinator').patch(`/plant/${second.id}`, { fleet_number: 'TC-17' })).status, 200)
    assert.equal((await w.as('viewer').get(`/plant/${first.id}`)).body.fleet_number, 'TC-17')
    const taken = await post(w, { name: 'Other', fleet_number: 'tc-17', start_at: at('11:00') })
    assert.deepEqual([taken.status, taken.body.error.reason, taken.body.error.existing_id], [409, 'key_taken', second.id])
    assert.equal(
      (await post(w, { name: 'Earlier', fleet_number: 'TC-17', start_at: `2026-03-10T08:00:00.000Z`, end_at: at('07:00') })).status,
      201,
    )
  })

  test('§4 a MEWP last examined on 2026-01-15 is due on 2026-07-15; on 07-16 it has expired and one task is open; a later date resolves it', async () => {
    const w = await monday()
    const mewp = (await post(w, { name: 'MEWP 3', category: 'mewp', last_examined_on: '2026-01-15' })).body
    assert.deepEqual([mewp.examination_due_on, mewp.examination_state, mewp.lifts_persons], ['2026-07-15', 'in_date', true])
    const state = async () => (await w.as('hse').get(`/plant/${mewp.id}`)).body.examination_state
    const tasks = async () =>
      (await w.as('hse').get(`/tasks/?site_id=${w.site_id}`)).body.filter(
        (task: { kind: string }) => task.kind === 'renew_plant_examination',
      ).length
    house.clock('2026-07-01T04:59:00.000Z')
    assert.deepEqual([await sweepExaminations(house.house), await state()], [0, 'due_soon'])
    house.clock('2026-07-01T05:00:00.000Z')
    assert.deepEqual([await sweepExaminations(house.house), await sweepExaminations(house.house)], [1, 0])
    house.clock('2026-07-16T06:00:00.000Z')
    assert.deepEqual(
      [await sweepExaminations(house.house), await sweepExaminations(house.house), await state(), await tasks()],
      [1, 0, 'expired', 1],
    )
    const list = await w.as('viewer').get(`/plant?site_id=${w.site_id}&examination_state=expired`)
    assert.equal(list.body.length, 1)
    const expired = await w.as('hse').patch(`/plant/${mewp.id}`, { capacity_kg: 200 })
    assert.equal(expired.body.examination_warning, true)
    const renewed = await w.as('hse').patch(`/plant/${mewp.id}`, { last_examined_on: '2026-07-16' })
    assert.deepEqual([renewed.body.examination_due_on, renewed.body.examination_state, await tasks()], ['2027-01-16', 'in_date', 0])
  })

  test('§4 the task for an expired machine is resolved once the machine has left by any way, not while it only moves, and raised again when it comes back', async () => {
    const w = await monday()
    const tasks = async () =>
      (await w.as('hse').get(`/tasks/?site_id=${w.site_id}`)).body.filter(
        (task: { kind: string }) => task.kind === 'renew_plant_examination',
      ).length
    const sweep = async (time: string) => {
      house.clock(at(time))
      await sweepExaminations(house.house)
      return tasks()
    }
    const mewp = (await post(w, { name: 'MEWP', category: 'mewp', last_examined_on: '2025-01-01', end_at: at('10:00') })).body
    const next = { source_plant_id: mewp.id, place: B, start_at: at('11:00') }
    assert.equal((await post(w, { ...next, end_at: at('12:00') })).status, 201)
    assert.deepEqual([await sweep('09:30'), await sweep('10:30'), await sweep('12:00')], [1, 1, 0])
    assert.equal((await post(w, { ...next, start_at: at('12:30') })).status, 201)
    assert.equal(await sweep('12:40'), 1)
    const [second] = (await w.as('viewer').get(`/plant/at-time?site_id=${w.site_id}&at=${at('12:40')}`)).body
    house.clock(at('12:50'))
    assert.equal((await w.as('coordinator').del(`/plant/${second.id}`)).status, 204)
    assert.deepEqual([await sweep('13:00'), await sweep('13:10')], [0, 0])
  })

  test('§4 a machine that comes every day by its schedule is reported once when its examination is due and once when it has expired, until its date moves or it has left', async () => {
    const w = await monday()
    const hse = w.as('hse')
    const made = await w.as('coordinator').post('/plant/create-schedule', {
      site_id: w.site_id,
      template: { name: 'MEWP', category: 'mewp', place: B, examination_due_on: '2026-03-18' },
      pattern: { start_date: '2026-03-16', end_date: '2026-03-27', start_time: '08:00', end_time: '17:00' },
    })
    assert.equal(made.status, 201, made.text)
    const group_id = made.body.group.id
    const tasks = async () =>
      (await hse.get(`/tasks/?site_id=${w.site_id}`)).body.filter((task: { kind: string }) => task.kind === 'renew_plant_examination')
        .length
    const told = async (): Promise<string[]> =>
      (await house.rows("select kind from event where site_id = $1 and kind like 'plant.examination%' order by event_no", [w.site_id])).map(
        event => event.kind.replace('plant.examination_', ''),
      )
    const sweep = async (...days: number[]) => {
      for (const day of days)
        for (const time of ['09:00', '18:00']) {
          house.clock(`2026-03-${day}T${time}:00.000Z`)
          await sweepExaminations(house.house)
        }
      return [await told(), await tasks()]
    }
    assert.deepEqual(await sweep(16, 17, 18), [['due'], 1], 'also over the nights between')
    assert.deepEqual(await sweep(19, 20, 21, 22, 23), [['due', 'expired'], 1])
    const renewed = await hse.patch(`/plant/schedule-group/${group_id}`, { examination_due_on: '2026-03-25' })
    assert.equal(renewed.status, 200, renewed.text)
    assert.deepEqual(await sweep(24, 25), [['due', 'expired', 'due'], 1], 'the first task is done; the next date is due soon already')
    const done = (await hse.get(`/tasks/?site_id=${w.site_id}&status=resolved`)).body.filter(
      (task: { kind: string }) => task.kind === 'renew_plant_examination',
    )
    assert.deepEqual(
      done
        .map((task: { resolution: string }) => task.resolution)
        .sort()
        .reverse(),
      ['superseded', 'done_by_step'],
    )
    assert.deepEqual(await sweep(26, 27), [['due', 'expired', 'due', 'expired'], 0], 'after its last day it has left')
  })

  test('§4 a machine that is copied to other days is reported once for a date, by its fleet number or its name; another one of that name is reported, too', async () => {
    for (const fleet_number of [null, 'M-12']) {
      const w = await monday()
      const machine = { name: 'MEWP', category: 'mewp', examination_due_on: '2026-03-10', fleet_number }
      const first = (await post(w, { ...machine, end_at: at('17:00') })).body
      for (const target_date of ['2026-03-17', '2026-03-18']) {
        const copy = { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date, ids: [first.id] }
        assert.equal((await w.as('coordinator').post('/plant/copy-from-range', copy)).status, 201)
      }
      const told = async () =>
        (await house.rows("select 1 from event where site_id = $1 and kind like 'plant.examination%'", [w.site_id])).length
      const open = async () =>
        (await w.as('hse').get(`/tasks/?site_id=${w.site_id}`)).body.filter(
          (task: { kind: string }) => task.kind === 'renew_plant_examination',
        ).length
      const sweep = async (at: string) => {
        house.clock(at)
        await sweepExaminations(house.house)
        return [await told(), await open()]
      }
      assert.deepEqual(await sweep('2026-03-16T12:00:00.000Z'), [1, 1])
      assert.deepEqual(await sweep('2026-03-16T20:00:00.000Z'), [1, 1], 'its copies are ahead')
      assert.deepEqual(await sweep('2026-03-17T12:00:00.000Z'), [1, 1])
      const start_at = '2026-03-17T08:00:00.000Z'
      const other = { ...machine, start_at, end_at: '2026-03-17T17:00:00.000Z', ...(fleet_number === null ? {} : { fleet_number: 'M-13' }) }
      assert.equal((await post(w, other)).status, 201)
      // By the name alone nobody knows which of the two the copy is, so both are reported.
      const known = fleet_number === null ? 3 : 2
      assert.deepEqual(await sweep('2026-03-17T13:00:00.000Z'), [known, known], 'two of them at one time are two machines')
      assert.deepEqual((await sweep('2026-03-18T12:00:00.000Z'))[0], known)
      assert.deepEqual((await sweep('2026-03-19T12:00:00.000Z'))[1], 0, 'they have left')
    }
  })

  test('conventions §2 a first position that has others can’t be deleted, and says so, alone and in a list', async () => {
    const w = await monday()
    const first = (await post(w, { end_at: at('10:00') })).body
    assert.equal(first.permissions.can_delete, true)
    const second = (await post(w, { source_plant_id: first.id, start_at: at('10:00'), place: B })).body
    const listed = (await w.as('coordinator').get(`/plant?site_id=${w.site_id}&id=${first.id}&id=${second.id}`)).body
    const can = listed.map((one: { id: string; permissions: { can_delete: boolean } }) => [one.id, one.permissions.can_delete])
    assert.deepEqual(can, [
      [first.id, false],
      [second.id, true],
    ])
    const { permissions } = (await w.as('coordinator').get(`/plant/${first.id}`)).body
    const refused = await w.as('coordinator').del(`/plant/${first.id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'position_group_source'])
    assert.deepEqual(permissions.delete.because, [{ code: 'position_group_source', detail: refused.body.error.detail }])
    assert.equal((await w.as('coordinator').del(`/plant/${second.id}`)).status, 204)
    assert.equal((await w.as('coordinator').get(`/plant/${first.id}`)).body.permissions.can_delete, true)
    assert.equal((await w.as('coordinator').del(`/plant/${first.id}`)).status, 204)
  })

  test('§4 LOLER dates: six or twelve months, the last day of a short month, and a date that was entered stays', async () => {
    assert.deepEqual(
      [plusMonths('2026-08-31', 6), plusMonths('2027-08-31', 6), plusMonths('2026-12-31', 12), plusMonths('2026-11-30', 1)],
      ['2027-02-28', '2028-02-29', '2027-12-31', '2026-12-30'],
    )
    assert.deepEqual(
      [dueAfter('2026-01-15', true), dueAfter('2026-01-15', false), dueAfter(null, true)],
      ['2026-07-15', '2027-01-15', null],
    )
    const crane = { lifting: true, examination_due_on: '2026-03-30' }
    assert.deepEqual(
      ['2026-03-15', '2026-03-16', '2026-03-30', '2026-03-31'].map(day => examinationState(crane, day)),
      ['in_date', 'due_soon', 'due_soon', 'expired'],
    )
    const w = await monday()
    const made = (await post(w, { last_examined_on: '2026-01-15', examination_due_on: '2026-05-01' })).body
    const later = await w.as('coordinator').patch(`/plant/${made.id}`, { last_examined_on: '2026-02-01' })
    assert.equal(later.body.examination_due_on, '2026-05-01')
    assert.equal((await w.as('coordinator').patch(`/plant/${made.id}`, { examination_due_on: null })).body.examination_due_on, '2027-02-01')
  })

  test('§4 a machine that leaves at noon is still on the map of yesterday, and not on that of this afternoon', async () => {
    const w = await monday()
    const first = (await post(w, { start_at: '2026-03-14T08:00:00.000Z', end_at: '2026-03-15T18:00:00.000Z' })).body
    const second = (await post(w, { source_plant_id: first.id, start_at: at('08:00'), end_at: at('16:00'), place: B })).body
    await post(w, { source_plant_id: first.id, start_at: '2026-03-17T08:00:00.000Z' })
    assert.equal((await w.as('hse').del(`/plant/${first.id}`)).body.error.reason, 'position_group_source')
    house.clock(at('12:00'))
    const member = await w.as('coordinator').del(`/plant/position-group/${second.id}`)
    assert.deepEqual([member.body.error.reason, member.body.error.source_plant_id], ['position_group_member', first.id])
    assert.equal((await w.as('coordinator').del(`/plant/position-group/${first.id}`)).status, 204)
    assert.equal((await there(w, '2026-03-15T12:00:00.000Z')).length, 1)
    assert.equal((await there(w, at('11:59'))).length, 1)
    assert.equal((await there(w, at('13:00'))).length, 0)
    assert.equal((await there(w, '2026-03-18T12:00:00.000Z')).length, 0)
    assert.equal((await w.as('coordinator').del(`/plant/position-group/${first.id}?scope=all`)).body.error.permission, 'map_entity_purge')
    assert.equal((await w.as('hse').del(`/plant/position-group/${first.id}?scope=all`)).status, 204)
    assert.equal((await there(w, '2026-03-15T12:00:00.000Z')).length, 0)
  })

  test('1083 people who change several positions of a machine at the same time, and move it, don’t wait for each other in a circle', async () => {
    const w = await monday()
    const day = (n: number) => ({ start_at: `2026-03-${16 + n}T08:00:00.000Z`, end_at: `2026-03-${16 + n}T12:00:00.000Z` })
    const first = (await post(w, day(0))).body
    const all = [first]
    for (const n of [1, 2, 3, 4]) all.push((await post(w, { source_plant_id: first.id, ...day(n) })).body)
    const move = { source_plant_id: first.id, end_previous: true, start_at: '2026-03-18T10:00:00.000Z', end_at: '2026-03-18T14:00:00.000Z' }
    const replies = await Promise.all([
      ...all.map(({ id }, n) => w.as('coordinator').patch(`/plant/${id}`, { fleet_number: `F${n}`, notes: `${n}` })),
      ...all.map(({ id }, n) => w.as('hse').patch(`/plant/${id}`, { end_at: `2026-03-${16 + n}T11:00:00.000Z` })),
      ...[1, 2, 3].map(() => post(w, { ...move, place: B })),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].toSorted(), [200, 201, 409])
    const numbers = await w.as('viewer').get(`/plant?site_id=${w.site_id}`)
    assert.equal(new Set(numbers.body.map((one: { fleet_number: string }) => one.fleet_number)).size, 1)
  })

  test('§4 another place for the position that is there now is a correction of the whole position, and its history says so; a move, and a plan, say nothing', async () => {
    const w = await monday()
    const reasons = async (id: string) =>
      (await w.as('coordinator').get(`/audit/entity/plant/${id}`)).body.map((entry: { reason: string | null }) => entry.reason)
    const { id } = (await post(w)).body
    await w.as('coordinator').patch(`/plant/${id}`, { place: A, notes: 'The same place' })
    await w.as('coordinator').patch(`/plant/${id}`, { place: B })
    const said = 'The place was corrected for the whole time of this position. The machine wasn’t moved.'
    assert.deepEqual(await reasons(id), [said, null, null])
    assert.deepEqual(await there(w, at('08:30')), [B.point.lon])
    const ahead = (await post(w, { start_at: '2026-03-18T08:00:00.000Z' })).body
    await w.as('coordinator').patch(`/plant/${ahead.id}`, { place: B })
    assert.deepEqual(await reasons(ahead.id), [null, null])
  })

  test('§4 a machine of a schedule that leaves the site on one day doesn’t come back when the schedule changes', async () => {
    const w = await house.world()
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-20', start_time: '08:00', end_time: '17:00' }
    const template = { name: 'Dumper', category: 'dumper', place: B }
    const made = (await w.as('coordinator').post('/plant/create-schedule', { site_id: w.site_id, template, pattern })).body
    assert.equal((await w.as('coordinator').del(`/plant/position-group/${made.occurrences[1].id}`)).status, 204)
    const again = await w.as('coordinator').put(`/plant/schedule-group/${made.group.id}/reconcile`, { pattern })
    assert.deepEqual([again.body.created, again.body.group.removed_dates], [[], ['2026-03-18']])
  })

  test('§4 what is computed stays computed where a machine has moved, in copies and in its schedule: a new examination there sets the next date, and a longer reach the radius', async () => {
    const w = await monday()
    const mewp = { category: 'mewp', last_examined_on: '2025-09-01', working_radius_m: 9, end_at: at('12:00') }
    const first = (await post(w, mewp)).body
    assert.deepEqual([first.examination_due_on, first.examination_state, first.exclusion_radius_m], ['2026-03-01', 'expired', 10])
    const second = (await post(w, { source_plant_id: first.id, start_at: at('12:00'), end_at: at('17:00'), place: B })).body
    const single = (await post(w, { ...mewp, name: 'Copied' })).body
    const range = { site_id: w.site_id, from_date: DAY, to_date: DAY, target_date: '2026-03-18', ids: [single.id] }
    const copy = (await w.as('coordinator').post('/plant/copy-from-range', range)).body.created[0]
    const converted = await w
      .as('coordinator')
      .post(`/plant/${single.id}/convert-to-schedule`, { pattern: { start_date: DAY, end_date: '2026-03-17' } })
    assert.equal(converted.status, 201, converted.text)
    for (const id of [second.id, copy.id, converted.body.occurrences[1].id]) {
      const path = `/plant/${id}` as const
      const examined = await w.as('coordinator').patch(path, { last_examined_on: '2026-03-15' })
      assert.deepEqual([examined.body.examination_due_on, examined.body.examination_state], ['2026-09-15', 'in_date'], examined.text)
      const longer = await w.as('coordinator').patch(path, { working_radius_m: 20 })
      assert.equal(longer.body.exclusion_radius_m, 21, longer.text)
    }
    const shown = (await w.as('viewer').get(`/plant/${first.id}`)).body
    assert.deepEqual([shown.examination_due_on, shown.exclusion_radius_m], ['2026-09-15', 21])
    const typed = await w.as('coordinator').patch(`/plant/${second.id}`, { examination_due_on: '2026-05-01' })
    assert.equal(typed.body.examination_due_on, '2026-05-01')
    assert.equal(
      (await w.as('coordinator').patch(`/plant/${first.id}`, { last_examined_on: '2026-03-16' })).body.examination_due_on,
      '2026-05-01',
    )
  })

  test('§4 a contractor can’t put a machine of the main contractor, or of another one, somewhere else, and so can’t rename it either', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const b = await w.contractor('B Ltd')
    const mate = await w.join('member', a)
    const move = (source_plant_id: string) =>
      mate.post('/plant', {
        ...{ site_id: w.site_id, name: 'Ours', category: 'other', source_plant_id },
        ...{ start_at: at('12:00'), end_at: at('15:00'), place: B },
      })
    for (const contractor_id of [null, b]) {
      const first = (await post(w, { contractor_id, end_at: at('12:00') })).body
      const refused = await move(first.id)
      assert.deepEqual([refused.status, refused.body.error?.permission], [403, 'map_entity_edit_any'], refused.text)
      assert.deepEqual((await w.as('viewer').get(`/plant/${first.id}`)).body.positions.length, 1)
    }
    const own = (await post(w, { contractor_id: a, name: 'Theirs', end_at: at('12:00') })).body
    const moved = await move(own.id)
    assert.deepEqual([moved.status, moved.body.contractor_id, moved.body.name], [201, a, 'Theirs'], moved.text)
  })

  test('§4 a schedule and further positions exclude each other', async () => {
    const w = await monday()
    const pattern = { start_date: DAY, end_date: '2026-03-18', start_time: '08:00', end_time: '16:00' }
    const template = { name: 'Pump', category: 'concrete_pump', place: A }
    const made = await w.as('coordinator').post('/plant/create-schedule', { site_id: w.site_id, template, pattern })
    assert.equal(made.status, 201, made.text)
    const further = await post(w, { source_plant_id: made.body.occurrences[0].id, start_at: '2026-04-01T08:00:00.000Z' })
    assert.equal(further.body.error.fields[0].path, 'source_plant_id')
    const first = (await post(w, { end_at: at('10:00') })).body
    const second = (await post(w, { source_plant_id: first.id, start_at: at('10:00') })).body
    const converted = await w
      .as('coordinator')
      .post(`/plant/${second.id}/convert-to-schedule`, { pattern: { ...pattern, end_time: '16:00' } })
    assert.equal(converted.body.error.reason, 'in_group')
    const source = await w.as('coordinator').post(`/plant/${first.id}/convert-to-schedule`, { pattern })
    assert.deepEqual([source.status, source.body.error?.reason], [409, 'in_group'], source.text)
  })

  test('§4 a crane that comes every day: its schedule is changed, given other times, copied, finished early and deleted', async () => {
    const w = await monday()
    const template = { name: 'Mobile crane', category: 'mobile_crane', working_radius_m: 12, place: A }
    const pattern = { start_date: DAY, end_date: '2026-03-20', start_time: '08:00', end_time: '16:00' }
    const made = (await w.as('coordinator').post('/plant/create-schedule', { site_id: w.site_id, template, pattern })).body
    const id = made.group.id
    assert.deepEqual([made.occurrences.length, made.occurrences[0].exclusion_radius_m], [5, 13])
    const changed = await w.as('coordinator').patch(`/plant/schedule-group/${id}`, { working_radius_m: 20 })
    assert.equal(changed.status, 200, changed.text)
    const ahead = async () => (await w.as('viewer').get(`/plant/schedule-group/${id}/future-occurrences`)).body
    assert.deepEqual(
      (await ahead()).map((one: { working_radius_m: number; exclusion_radius_m: number }) => [
        one.working_radius_m,
        one.exclusion_radius_m,
      ]),
      [1, 2, 3, 4].map(() => [20, 21]),
    )
    const retimed = await w.as('coordinator').put(`/plant/schedule-group/${id}/reconcile`, { pattern: { ...pattern, end_time: '17:00' } })
    assert.equal(retimed.body.changed.length, 4)
    const range = { site_id: w.site_id, from_date: '2026-03-17', to_date: '2026-03-17', target_date: '2026-03-24' }
    const copied = await w.as('coordinator').post('/plant/copy-from-range', range)
    assert.equal(copied.body.created.length, 1, copied.text)
    assert.equal((await w.as('viewer').get(`/plant/schedule-group/${id}`)).body.counts.future, 4)
    const done = await w.as('coordinator').post(`/plant/schedule-group/${id}/finish-early`, {})
    assert.deepEqual([done.body.ended.length, done.body.removed.length], [1, 4])
    assert.equal((await w.as('coordinator').del(`/plant/schedule-group/${id}`)).status, 204)
    assert.equal((await w.as('viewer').get(`/plant/schedule-group/${id}`)).status, 404)
  })

  test('§4 whether an examination has expired is read by the day of the site: after midnight there, although it isn’t yet in UTC', async () => {
    const w = await monday()
    const mewp = (await post(w, { name: 'MEWP 4', category: 'mewp', examination_due_on: '2026-06-10' })).body
    house.clock('2026-06-10T22:30:00.000Z')
    const state = async () => (await w.as('hse').get(`/plant/${mewp.id}`)).body.examination_state
    const expired = async () => (await w.as('viewer').get(`/plant?site_id=${w.site_id}&examination_state=expired`)).body.length
    assert.deepEqual([await state(), await expired()], ['due_soon', 0])
    house.clock('2026-06-10T23:30:00.000Z')
    assert.deepEqual([await state(), await expired()], ['expired', 1])
  })
})
