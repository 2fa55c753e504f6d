import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance, seedOf } from '../../tests/chance.ts'
import { NOW, PERIOD, permit, point, SITE, side, standard, stretch } from '../../tests/sides.ts'
import { classesOf } from './classes.ts'
import { compileRules, kindNumber } from './compile.ts'
import { STANDARD_TYPES } from './standard.ts'
import { indexOf, sweep, sweepOne } from './sweep.ts'

const matrix = compileRules([standard('permit_proximity')])
const numbersOf = (...codes: string[]) => matrix.matrices.map(({ numbers }) => Int32Array.from(codes, code => numbers.get(code) ?? 0))
const PERMIT = kindNumber('permit')

describe('classes of sides', () => {
  test('§1 the limit of two classes is the farthest distance of their cells; -1 without one', () => {
    const classes = classesOf(matrix.applied)
    const numberOf = (...codes: string[]) => classes.numberOf(PERMIT, numbersOf(...codes))
    assert.equal(numberOf('HW'), numberOf('HW'))
    assert.equal(classes.limit(numberOf('HW'), numberOf('CSE')), 10)
    assert.equal(classes.limit(numberOf('CSE'), numberOf('HW')), 10)
    assert.equal(classes.limit(numberOf('HW', 'LIFT'), numberOf('CSE')), 20)
    assert.equal(classes.limit(numberOf('HW'), numberOf('HW')), -1)
    assert.equal(classes.limit(numberOf('NEW'), numberOf('RAD')), -1)
  })

  test('§1 a rule that looks for a shared zone has no limit, and kinds that no rule compares can’t clash', () => {
    const stacking = compileRules([standard('trade_stacking')])
    const [worker, plant] = [kindNumber('worker'), kindNumber('plant')]
    const classes = classesOf(stacking.applied)
    assert.equal(classes.limit(classes.numberOf(worker, []), classes.numberOf(worker, [])), Infinity)
    assert.equal(classes.limit(classes.numberOf(worker, []), classes.numberOf(plant, [])), -1)
  })

  test('§4.3 with more classes than are kept, a sweep finds what each side finds alone', t => {
    const at = chance(seedOf(128))
    const sides = Array.from({ length: 700 }, (_, i) => {
      const types = STANDARD_TYPES.filter(() => at.odds(0.5))
      return permit(`p${i}`, types, [stretch(point(at.below(300), at.below(300)), at.below(20), 21 + at.below(20), at.below(3))])
    })
    const classes = new Set(sides.map(({ facts }) => facts.permit_types.join()))
    assert.ok(classes.size > 300, `${classes.size} classes`)
    sides.push({ ...side('worker', 'w1', [stretch(point(1), 0, 40)]) })
    const index = indexOf(sides, [standard('permit_proximity')], SITE)
    const all = sweep(index, PERIOD, NOW)
    assert.ok(all.length > 1000)
    for (const { id } of sides)
      assert.deepEqual(
        sweepOne(index, id, PERIOD, NOW),
        all.filter(clash => clash.a.id === id || clash.b.id === id),
        id,
      )
    t.diagnostic(`seed ${at.seed}: ${all.length} clashes of ${classes.size} classes`)
  })
})
