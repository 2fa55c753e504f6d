import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance, seedOf, times } from '../../tests/chance.ts'
import { hour, NOW, permit, point, SITE, standard, stretch } from '../../tests/sides.ts'
import { instant, ms, weekdayOf } from '../time.ts'
import { compileRules } from './compile.ts'
import type { Side } from './sides.ts'
import { indexOf, sweepOne } from './sweep.ts'
import { cleanWindows, type WindowSearch } from './windows.ts'

const RULES = compileRules([standard('permit_proximity')])
const isWorkingDay = (date: string) => weekdayOf(date) <= 5
const search = (others: readonly Side[], start: number, end: number, more: Partial<WindowSearch> = {}): WindowSearch => ({
  index: indexOf(others, RULES, SITE),
  side: permit('mine', ['HW'], [stretch(point(0), start, end)]),
  start_at: instant(hour(start)),
  end_at: instant(hour(end)),
  now: NOW,
  isWorkingDay,
  ...more,
})
const shown = (one: WindowSearch) => cleanWindows(one).map(({ start_at, end_at }) => `${start_at.slice(5, 16)} ${end_at.slice(11, 16)}`)
const entry = (id: string, from: number, to: number) => permit(id, ['CSE'], [stretch(point(5), from, to)])

describe('clean windows', () => {
  // The tests begin on Monday 16 March at 09:00 UTC, which is site time until 29 March.
  test('§4.6 the nearest starts at the same time of day on working days, without a red, not before now', () => {
    assert.deepEqual(shown(search([entry('other', 11, 15)], 10, 14)), ['03-17T10:00 14:00', '03-18T10:00 14:00', '03-19T10:00 14:00'])
    assert.deepEqual(shown(search([], 10, 14)).at(0), '03-16T10:00 14:00')
    // Friday is blocked; Saturday and Sunday are as near as Thursday and Wednesday, but nobody works then.
    const friday = 4 * 24
    assert.deepEqual(shown(search([entry('other', friday, friday + 24)], friday + 10, friday + 14)), [
      '03-19T10:00 14:00',
      '03-18T10:00 14:00',
      '03-17T10:00 14:00',
    ])
  })

  test('§4.6 within given hours the starts are the edges of what is blocked', () => {
    const hours = { from: '07:00', to: '18:00' }
    const day = 24
    assert.deepEqual(shown(search([entry('other', day + 11, day + 13)], day + 10, day + 12, { hours })), [
      '03-17T09:00 11:00',
      '03-17T13:00 15:00',
      '03-16T16:00 18:00',
    ])
    // Times that only touch are clean: the instant between two others is free for nothing but a window of no length.
    assert.deepEqual(shown(search([entry('one', day + 11, day + 13), entry('two', day + 15, day + 17)], day + 11, day + 13, { hours })), [
      '03-17T09:00 11:00',
      '03-17T13:00 15:00',
      '03-16T16:00 18:00',
    ])
  })

  test('§4.6 amber blocks nothing, and neither does the permit itself as it is stored', () => {
    const amber = permit('amber', ['WAH'], [stretch(point(5), 0, 400)])
    const itself = permit('mine', ['CSE'], [stretch(point(0), 0, 400)])
    assert.equal(shown(search([amber, itself], 10, 14)).at(0), '03-16T10:00 14:00')
    assert.deepEqual(shown(search([permit('red', ['RAD'], [{ ...stretch(point(5), 0, 1), to: Infinity }])], 10, 14)), [])
  })

  test('§4.6 compared with trying every five minutes: the same nearest start, and every window is clean', () => {
    const at = chance(seedOf(915, 'changes'))
    for (let n = 0; n < times('CONFLICT_WINDOWS', 60); n++) {
      const others = Array.from({ length: at.below(25) }, (_, i) => {
        const from = at.below(14 * 24 * 12) / 12 - 24
        return permit(`o${i}`, [at.of(['CSE', 'RAD', 'WAH', 'PRT'])], [stretch(point(at.below(30)), from, from + (1 + at.below(600)) / 12)])
      })
      const start = 24 * at.below(5) + 7 + at.below(48) / 12
      const length = (6 + at.below(36)) / 12
      const hours = { from: '06:00', to: '19:00' }
      const given = search(others, start, start + length, { hours })
      const windows = cleanWindows(given)
      const isRed = (from: number) => {
        const side = permit('mine', ['HW'], [{ ...stretch(point(0), 0, 1), from, to: from + length * 3_600_000 }])
        const index = indexOf([...others, side], RULES, SITE)
        return sweepOne(index, 'mine', { from: -Infinity, to: Infinity }, NOW).some(clash => clash.severity === 'red')
      }
      const where = `search ${n}, seed ${at.seed}`
      for (const one of windows) assert.equal(isRed(ms(one.start_at)), false, where)
      let nearest = Infinity
      for (let step = -7 * 288; step <= 7 * 288; step++) {
        const from = hour(start) + step * 300_000
        const time = instant(from).slice(11, 16)
        const end = instant(from + length * 3_600_000)
        const fits = time >= '06:00' && end.slice(0, 10) === instant(from).slice(0, 10) && end.slice(11, 16) <= '19:00' && from >= NOW
        if (fits && isWorkingDay(instant(from).slice(0, 10)) && Math.abs(step) < nearest && !isRed(from)) nearest = Math.abs(step)
      }
      const [first] = windows
      assert.equal(first === undefined ? Infinity : Math.abs(ms(first.start_at) - hour(start)) / 300_000, nearest, where)
    }
  })
})
