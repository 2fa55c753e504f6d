import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeWords } from './change-words.ts'

describe('changes of a rule in words', () => {
  test('§1 each kind of change is said in words', () => {
    const said: [string, unknown, unknown, string][] = [
      ['name', 'Old', 'New', 'Name: “Old” → “New”'],
      ['description', '', 'Why', 'Description: none → “Why”'],
      ['enabled', false, true, 'Switched on'],
      ['a', { kinds: ['worker'] }, { kinds: ['worker', 'plant'] }, 'First side: a gang → a gang or a machine'],
      ['levels', { mode: 'same' }, { mode: 'within', max_gap: 2 }, 'Levels: on the same level → at most 2 levels apart'],
      ['time_buffer_minutes', 0, 1, 'Time before and after: 0 minutes → 1 minute'],
      ['min_overlap_minutes', 0, 120, 'Shortest overlap: 0 minutes → 120 minutes'],
      ['when', { within_m: 5 }, true, 'Condition: They are within 5 m of each other → Always'],
      ['outcome', { severity: 'amber' }, { severity: 'red' }, 'Severity: amber → red'],
      ['outcome.default_distance_m', 10, 15, 'Usual distance: 10 m → 15 m'],
      ['outcome.matrix', null, 'permit_type', 'By permit type'],
      [
        'outcome.cells.CSE|HW',
        'red',
        { outcome: 'amber', distance_m: 50, levels: { mode: 'any' } },
        'CSE with HW: red → amber within 50 m, on any levels',
      ],
      ['outcome.cells.*|RAD', 'red', null, 'any type with RAD: red → follows “any type”'],
    ]
    for (const [path, before, after, words] of said) assert.equal(changeWords(path, before, after), words)
  })

  test('§1 a condition is said with the names of what it refers to', () => {
    const id = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'
    const refs = { ids: new Map([['contractor', new Map([[id, 'Acme']])]]), codes: new Map() }
    const when = { field: 'a.contractor_id', op: 'eq', value: id }
    assert.match(changeWords('when', true, when, { refs }), /Condition: Always → The contractor of the first is Acme/)
  })

  test('§1 what a condition asks of one of the two is said of the first or the second, also when it is denied', () => {
    const said: [object, string][] = [
      [{ field: 'a.lifting', op: 'eq', value: true }, 'The first is used for lifting'],
      [{ field: 'b.lifting', op: 'eq', value: false }, 'The second isn’t used for lifting'],
      [{ field: 'b.exclusive', op: 'eq', value: true }, 'The second keeps others out'],
      [{ field: 'a.has_live_permit', op: 'eq', value: false }, 'The first has no live permit'],
      [{ field: 'b.plant_category', op: 'eq', value: 'tower_crane' }, 'The plant category of the second is '],
      [{ field: 'a.headcount', op: 'gte', value: 6 }, 'The headcount of the first is '],
    ]
    for (const [when, words] of said) {
      const now = changeWords('when', true, when)
      assert.ok(now.startsWith(`Condition: Always → ${words}`), now)
      assert.doesNotMatch(now, /[()]/)
    }
  })
})
