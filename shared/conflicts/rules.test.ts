import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matrixRule, rule, standard } from '../../tests/sides.ts'
import type { SideKind } from '../predicates/entity.ts'
import { NO_REFS, type Predicate, type Refs } from '../predicates/language.ts'
import { checkRule } from './check.ts'
import { mirrored, patched, resolved } from './matrix.ts'
import { reachOf } from './reach.ts'
import { type Cells, isMatrix, type Rule, weightOf } from './rules.ts'
import { STANDARD_RULES, STANDARD_TYPES } from './standard.ts'
import { explainRule } from './words.ts'

const DEFAULTS = { default_distance_m: 10, levels: { mode: 'same' } } as const
const types = (...codes: string[]): Refs => ({ ...NO_REFS, codes: new Map([['permit_type', codes]]) })
const cellsOf = (one: Rule): Cells => (isMatrix(one.outcome) ? one.outcome.cells : {})
const proximity = standard('permit_proximity')

describe('the matrix of permit types', () => {
  test('CR-1 the standard rule has 101 cells, the floor is off, and both keys of each pair are the same', () => {
    const cells = cellsOf(proximity)
    assert.equal(Object.keys(cells).length, 101)
    assert.equal(cells['*|*'], 'off')
    assert.deepEqual(cells['HW|CSE'], { outcome: 'red', distance_m: 10, levels: { mode: 'within', max_gap: 1 } })
    for (const x of STANDARD_TYPES) for (const y of STANDARD_TYPES) assert.deepEqual(cells[`${x}|${y}`], cells[`${y}|${x}`], `${x}|${y}`)
  })

  test('§1 the standard cells have the outcomes, distances and levels of the specification', () => {
    const say = (x: string, y: string) => {
      const cell = resolved(cellsOf(proximity), x, y, DEFAULTS)
      return `${cell.outcome} ${cell.distance_m} ${cell.levels.mode}`
    }
    assert.deepEqual(
      [say('GEN', 'HW'), say('GEN', 'RAD'), say('GEN', 'CRO'), say('EXC', 'EXC'), say('CSE', 'CSE')],
      ['off 10 same', 'red 50 any', 'amber 20 any', 'off 10 same', 'amber 10 same'],
    )
    assert.deepEqual(
      [
        say('PRT', 'GEN'),
        say('PRT', 'LIFT'),
        say('PRT', 'RAD'),
        say('HW', 'WAH'),
        say('EXC', 'CSE'),
        say('EXC', 'ELE'),
        say('LIFT', 'LIFT'),
      ],
      ['red 30 within', 'red 30 within', 'red 50 any', 'amber 10 within', 'red 10 same', 'red 10 same', 'red 20 any'],
    )
    const table = `
      GEN off off off off off off amber red red amber
      HW off red amber amber amber amber red red amber
      CSE amber amber red amber red red red red
      WAH amber amber amber red red red red
      EXC off red red red red amber
      ELE amber amber red red amber
      CRO red red red amber
      PRT red red red
      RAD red red
      LIFT red`
    for (const [i, line] of table.trim().split('\n').entries()) {
      const [x = '', ...row] = line.trim().split(' ')
      assert.deepEqual(
        STANDARD_TYPES.slice(i).map(y => resolved(cellsOf(proximity), x, y, DEFAULTS).outcome),
        row,
        x,
      )
    }
    const count = (weight: number) =>
      STANDARD_TYPES.flatMap((x, i) =>
        STANDARD_TYPES.slice(i).map(y => weightOf(resolved(cellsOf(proximity), x, y, DEFAULTS).outcome)),
      ).filter(one => one === weight).length
    assert.deepEqual([count(0), count(1), count(2)], [8, 18, 29])
  })

  test('§1 the distance and the levels of every standard cell are those of the specification', () => {
    const expected = (...pair: string[]): string => {
      if (pair.includes('RAD')) return '50 any'
      if (pair.includes('PRT')) return '30 within'
      if (pair.includes('CRO') || pair.includes('LIFT')) return '20 any'
      return pair.includes('HW') && (pair.includes('CSE') || pair.includes('WAH')) ? '10 within' : '10 same'
    }
    for (const x of STANDARD_TYPES)
      for (const y of STANDARD_TYPES) {
        const { distance_m, levels, key } = resolved(cellsOf(proximity), x, y, DEFAULTS)
        assert.deepEqual([`${distance_m} ${levels.mode}`, key], [expected(x, y), `${x}|${y}`])
        if (levels.mode === 'within') assert.equal(levels.max_gap, 1, `${x}|${y}`)
      }
  })

  test('CR-2 a change of one cell leaves the other 100 as they are, and null removes a cell with its mirror', () => {
    const before = cellsOf(proximity)
    const { cells } = mirrored(patched(before, { 'ABC|HW': 'amber' }), DEFAULTS, null)
    assert.equal(Object.keys(cells).length, 103)
    assert.deepEqual([cells['ABC|HW'], cells['HW|ABC']], ['amber', 'amber'])
    for (const [key, cell] of Object.entries(before)) assert.deepEqual(cells[key], cell, key)
    assert.deepEqual(patched(cells, { 'HW|ABC': null }), before)
    const floor = checkRule(matrixRule(patched(before, { '*|*': null })))
    assert.deepEqual([floor.content, floor.faults.map(fault => fault.path)], [null, ['outcome.cells.*|*']])
  })

  test('CR-3 an exact off beats a wildcard; of two wildcards the more severe one decides, then the floor', () => {
    const cells: Cells = { '*|*': 'off', 'RAD|*': 'red', 'RAD|GEN': 'off', '*|HW': 'amber' }
    const outcome = (x: string, y: string) => {
      const { outcome, key } = resolved(cells, x, y, DEFAULTS)
      return `${outcome} by ${key}`
    }
    assert.deepEqual(
      [
        outcome('RAD', 'GEN'),
        outcome('GEN', 'RAD'),
        outcome('RAD', 'NEW'),
        outcome('HW', 'RAD'),
        outcome('GEN', 'HW'),
        outcome('GEN', 'CSE'),
      ],
      ['off by RAD|GEN', 'off by RAD|GEN', 'red by RAD|*', 'red by RAD|*', 'amber by *|HW', 'off by *|*'],
    )
  })

  test('CR-4 two sides that differ are stored with the stricter one and a warning with both paths; an unknown code with the near miss', () => {
    const { content, warnings } = checkRule(
      matrixRule({ '*|*': 'off', 'HW|CSE': 'red', 'CSE|HW': 'amber', 'hw|CSE': 'amber' }),
      types('HW', 'CSE'),
    )
    const cells = content !== null && isMatrix(content.outcome) ? content.outcome.cells : {}
    assert.deepEqual([cells['HW|CSE'], cells['CSE|HW'], cells['hw|CSE'], cells['CSE|hw']], ['red', 'red', 'amber', 'amber'])
    assert.deepEqual(
      warnings.map(one => `${one.code} ${one.path}: ${one.message}`),
      [
        'cells_differ outcome.cells.CSE|HW: differs from outcome.cells.HW|CSE. Both are stored with the stricter one.',
        'mirrored outcome.cells.hw|CSE: is also stored as CSE|hw: a pair of permits has no order.',
        'code_not_on_site outcome.cells.hw|CSE: hw: did you mean HW?',
      ],
    )
    const wide = mirrored({ 'A|B': { outcome: 'red', distance_m: 5 }, 'B|A': { outcome: 'red', levels: { mode: 'any' } } }, DEFAULTS, null)
    assert.deepEqual(wide.cells['A|B'], { outcome: 'red', distance_m: 10, levels: { mode: 'any' } })
  })

  test('§1 keys that aren’t two codes, and a matrix between other things than permits, are refused at their paths', () => {
    const { faults } = checkRule({
      ...matrixRule({ '*|*': 'off', HW: 'red', 'A|B|C': 'red', 'A|B': { outcome: 'red', distance_m: 501 } }),
      a: { kinds: ['permit', 'worker'] },
    })
    assert.deepEqual(
      faults.map(fault => fault.path),
      ['outcome.cells.HW', 'outcome.cells.A|B|C', 'outcome.cells.A|B.distance_m', 'outcome.matrix'],
    )
  })
})

describe('how far a rule reaches', () => {
  const reach = (when: Predicate) => {
    const { reach, faults } = reachOf({ ...rule('r'), when })
    return reach ?? faults.map(fault => `${fault.code} ${fault.path}`)
  }
  const m = (metres: number) => ({ metres, zone: false })

  test('CR-6 a condition that doesn’t limit the distance on every branch is refused at that branch', () => {
    const when = { any: [{ within_m: 5 }, { permit_type_in_a: ['HW'] }] }
    assert.deepEqual(reach(when), ['unbounded_reach when.any[1]'])
    const { content, faults } = checkRule(rule('r', { when }))
    assert.deepEqual([content, faults.map(fault => `${fault.code} ${fault.path}`)], [null, ['unbounded_reach when.any[1]']])
    assert.deepEqual(reach(true), ['unbounded_reach when'])
    assert.deepEqual(reach({ not: { within_m: 5 } }), ['unbounded_reach when'])
    assert.deepEqual(reach({ any: [true, { all: [] }] }), ['unbounded_reach when.any[0]', 'unbounded_reach when.any[1]'])
    assert.deepEqual(reach({ field: 'pair.distance_m', op: 'gte', value: 5 }), ['unbounded_reach when'])
    assert.deepEqual(reach({ field: 'pair.containment', op: 'in', value: ['none', 'overlap'] }), ['unbounded_reach when'])
  })

  test('§1 of all parts the least limit counts, of any part the greatest, and none over 500 m', () => {
    assert.deepEqual(reach({ all: [{ within_m: 5 }, { within_m: 3 }, true] }), m(3))
    assert.deepEqual(reach({ any: [{ within_m: 5 }, { all: [{ within_m: 7 }, { permit_type_in_b: ['HW'] }] }] }), m(7))
    assert.deepEqual(reach({ field: 'pair.distance_m', op: 'between', value: [2, 9] }), m(9))
    assert.deepEqual(reach({ inside: 'either' }), m(0))
    assert.deepEqual(reach({ field: 'pair.containment', op: 'ne', value: 'none' }), m(0))
    assert.deepEqual(reach({ field: 'pair.same_zone', op: 'eq', value: true }), { metres: null, zone: true })
    assert.deepEqual(reach({ all: [{ field: 'pair.same_zone', op: 'eq', value: true }, { within_m: 40 }] }), m(40))
    assert.deepEqual(reach({ any: [{ field: 'pair.same_zone', op: 'eq', value: true }, { within_m: 4 }] }), { metres: 4, zone: true })
    assert.deepEqual(reach({ any: [] }), m(0))
    assert.deepEqual(reach({ within_m: 500 }), m(500))
    assert.deepEqual(reach({ within_m: 500.1 }), ['unbounded_reach when'])
    assert.deepEqual(reachOf(proximity).reach, m(50))
  })

  test('§0.4 every fault of a condition is found with its path, and a rule without a condition gets no warning about it', () => {
    const { faults } = checkRule(
      rule('r', { a: { kinds: [] }, when: { all: [{ within_m: 'x' }, { field: 'c.kind', op: 'eq', value: 'worker' }] } }),
    )
    assert.deepEqual(
      faults.map(fault => `${fault.code} ${fault.path}`),
      ['missing_value a.kinds', 'wrong_type when.all[0].within_m', 'unknown_field when.all[1].field'],
    )
    assert.deepEqual(checkRule(proximity).warnings, [])
  })
})

describe('standard rules', () => {
  test('§1 each standard rule is valid, and its key is unique', () => {
    for (const { system_key, content } of STANDARD_RULES) {
      const { faults, warnings } = checkRule(content, types(...STANDARD_TYPES))
      assert.deepEqual([faults, warnings], [[], []], system_key)
    }
    assert.equal(new Set(STANDARD_RULES.map(one => one.system_key)).size, STANDARD_RULES.length)
    assert.deepEqual(
      STANDARD_RULES.filter(one => !one.enabled).map(one => one.system_key),
      ['one_above_other', 'trade_stacking'],
    )
  })

  test('§0.4 a rule and a reason are explained in words', () => {
    assert.equal(
      explainRule(standard('gate_congestion')),
      'Amber: two deliveries, on the same level, at the same time if they are within 15 m of each other. Each counts from 15 minutes before it starts until 15 minutes after it ends.',
    )
    assert.equal(
      explainRule(standard('trade_stacking')),
      'Amber: two gangs, on the same level, at the same time for 120 minutes or longer if they are in the same zone and their contractors are different.',
    )
    assert.equal(
      explainRule(standard('exclusion_zone_entry')),
      'Red: a gang, a machine or a delivery together with an active area, on the same level, at the same time if the active area is an exclusion zone and they overlap and they don’t have the same contractor and they aren’t on the same work line.',
    )
    const between = (a: SideKind, b: SideKind, when: Predicate) =>
      explainRule({ ...standard('gate_congestion'), a: { kinds: [a] }, b: { kinds: [b] }, time_buffer_minutes: 0, when }).split(' if ')[1]
    for (const [when, words] of [
      [
        { field: 'b.plant_category', op: 'in', value: ['excavator', 'mewp', 'tower_crane'] },
        'the machine is an excavator, a MEWP or a tower crane.',
      ],
      [{ not: { field: 'b.plant_category', op: 'eq', value: 'dumper' } }, 'the machine isn’t a dumper.'],
      [{ field: 'a.permit_types', op: 'disjoint', value: ['HW', 'CSE'] }, 'the gang has no permit for HW or CSE.'],
      [{ field: 'a.permit_types', op: 'disjoint', value: ['HW'] }, 'the gang has no permit for HW.'],
      [{ field: 'a.zone_ids', op: 'is_empty', value: true }, 'the gang is in no zone.'],
      [{ field: 'a.headcount', op: 'gte', value: 6 }, 'the gang’s headcount is at least 6.'],
      [{ field: 'b.lifting', op: 'eq', value: true }, 'the machine is used for lifting.'],
      [{ field: 'pair.contractor_relation', op: 'eq', value: 'b_oversees_a' }, 'the contractor of the machine oversees that of the gang.'],
    ] as const)
      assert.equal(between('worker', 'plant', when), words)
    assert.equal(
      between('worker', 'worker', { field: 'pair.a_above_b', op: 'eq', value: true }),
      'the first gang is above the second gang.',
    )
    const said = (when: Predicate) => explainRule({ ...standard('gate_congestion'), time_buffer_minutes: 0, when }).split(' if ')[1]
    assert.equal(said({ all: [{ within_m: 0 }, { overlaps_minutes: 30 }] }), 'they meet and both are there for 30 minutes or longer.')
    assert.equal(said({ not: { within_m: 5 } }), 'they are more than 5 m apart.')
    assert.equal(said({ inside: 'either' }), 'one is inside the other.')
    assert.equal(said({ contractor_relation: ['same', 'unknown'] }), 'the relation of their contractors is one of same or unknown.')
    assert.equal(
      explainRule(proximity),
      'Two permits, at the same time: the types of the two permits decide. 29 pairs of types are red and 18 amber; all others are off.',
    )
    assert.equal(
      explainRule({ ...standard('gate_congestion'), a: { kinds: ['worker', 'plant'] }, b: { kinds: ['worker', 'plant'] } }).split(',')[0],
      'Amber: any two gangs or machines',
    )
  })

  test('§0.4 the sentence about a rule can be read aloud, whichever of time buffer, shortest time and condition it has', () => {
    const near = { within_m: 5 }
    const says = (time_buffer_minutes: number, min_overlap_minutes: number, when: Predicate) =>
      explainRule({ ...standard('gate_congestion'), time_buffer_minutes, min_overlap_minutes, when }).replace(
        'Amber: two deliveries, on the same level, ',
        '',
      )
    const counts = ' Each counts from 20 minutes before it starts until 20 minutes after it ends.'
    assert.equal(says(0, 0, true), 'at the same time.')
    assert.equal(says(0, 0, near), 'at the same time if they are within 5 m of each other.')
    assert.equal(says(0, 30, true), 'at the same time for 30 minutes or longer.')
    assert.equal(says(0, 30, near), 'at the same time for 30 minutes or longer if they are within 5 m of each other.')
    assert.equal(says(20, 0, true), `at the same time.${counts}`)
    assert.equal(says(20, 0, near), `at the same time if they are within 5 m of each other.${counts}`)
    assert.equal(says(20, 30, true), `at the same time for 30 minutes or longer.${counts}`)
    assert.equal(says(20, 30, near), `at the same time for 30 minutes or longer if they are within 5 m of each other.${counts}`)
    assert.equal(says(1, 0, true), 'at the same time. Each counts from 1 minute before it starts until 1 minute after it ends.')
    assert.equal(says(0, 0, { all: [] }), 'at the same time.')
    assert.equal(says(0, 0, { any: [] }), 'at the same time. The condition is never met, so this rule finds nothing.')
    assert.match(
      explainRule({ ...proximity, time_buffer_minutes: 20 }),
      /all others are off\. Each counts from 20 minutes before it starts/,
    )
  })
})
