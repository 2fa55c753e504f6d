import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AFTER_MS, hasPassed, isWhole, lastChange } from './passing.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
const ms = (time: string) => Date.parse(at(time))
const point = (time: string, what: { started?: object; ended?: object; changed?: object }) => ({
  ...{ at: at(time), work_date: '2026-03-16', local_time: time, merged: 1, alive: { headcount: 0 } },
  ...{ started: {}, ended: {}, changed: {}, ...what },
})
const day = {
  ...{ from: at('00:00'), to: '2026-03-17T00:00:00.000Z', thinned: false },
  points: [
    point('00:00', {}),
    point('08:00', { started: { worker: 2 } }),
    point('12:00', { ended: { worker: 1 }, changed: { permit: 1 } }),
  ],
}

describe('what passes while a page shows the present', () => {
  test('§17.1 the last change of a kind is that of its own things, and the start of the day is one of all', () => {
    const last = (kind: string, now: string) => lastChange(day, [kind], ms(now))
    assert.deepEqual([last('worker', '07:59'), last('worker', '08:00'), last('worker', '13:00')], [ms('00:00'), ms('08:00'), ms('12:00')])
    assert.deepEqual([last('permit', '11:00'), last('permit', '12:00'), last('plant', '13:00')], [ms('00:00'), ms('12:00'), ms('00:00')])
    assert.equal(lastChange(day, ['worker'], ms('00:00') - 1), null)
  })

  test('§17.1 what was read before a change has passed shortly after it, not before, and not again once it was read', () => {
    const passed = (read_at: number, now: number) => hasPassed(day, ['worker'], read_at, now)
    assert.equal(passed(ms('07:50'), ms('08:00')), false)
    assert.equal(passed(ms('07:50'), ms('08:00') + AFTER_MS), true)
    assert.equal(passed(ms('08:00') + AFTER_MS, ms('08:30')), false)
    assert.equal(hasPassed(day, ['permit'], ms('07:50'), ms('08:30')), false)
    assert.equal(passed(ms('00:00') - 60_000, ms('00:00') - 1), false, 'a day ahead')
  })

  test('§17.3 a day says everything that passes only while it lasts, and if no changes were joined', () => {
    assert.deepEqual(
      [isWhole(day, ms('00:00')), isWhole(day, Date.parse(day.to)), isWhole({ ...day, thinned: true }, ms('09:00'))],
      [true, false, false],
    )
  })
})
