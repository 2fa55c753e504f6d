import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SideKind } from '../../../../shared/predicates/entity.ts'
import { againstOf, examplesOf, limitsOf, linesOf, type Match } from './previewed.ts'

const side = (label: string) => ({ kind: 'worker' as const, id: label, label, title: null, contractor_id: null })
const match = (label: string): Match => ({
  ...{ severity: 'red', from_at: '2026-03-17T08:00:00.000Z', to_at: null, a: side(label), b: side('B'), distance_m: 1, nearest: null },
})

describe('the preview of a clash rule', () => {
  test('§1 a new rule isn’t compared, a rule that is off is said to be off, and a saved one is compared in pairs', () => {
    const counts = (added: number, removed: number, changed: number) => ({ against_current: { added, removed, changed } })
    assert.deepEqual(againstOf(null, counts(3, 0, 0)), { kind: 'new' })
    assert.deepEqual(againstOf({ enabled: false }, counts(3, 0, 0)), { kind: 'off' })
    assert.deepEqual(againstOf({ enabled: true }, counts(0, 0, 0)), { kind: 'same' })
    assert.deepEqual(againstOf({ enabled: true }, counts(1, 2, 3)), { kind: 'differs', added: 1, removed: 2, changed: 3 })
  })

  test('§1 §4.2 what wasn’t looked at is said: a part of the period, and permits without a place if the rule compares permits', () => {
    const content = (a: SideKind, b: SideKind) => ({ a: { kinds: [a] }, b: { kinds: [b] } })
    assert.deepEqual(limitsOf({ partial: true }, content('worker', 'permit'), 2), ['partial', 'unplaced'])
    assert.deepEqual(limitsOf({ partial: false }, content('worker', 'plant'), 2), [])
    assert.deepEqual(limitsOf({ partial: false }, content('permit', 'permit'), 0), [])
  })

  test('§1 the first clashes are shown, the others of the sample can be, and those beyond it are counted', () => {
    const sample = ['1', '2', '3'].map(match)
    const found = examplesOf({ matches: { red: 2, amber: 5, episodes: 4, sample } }, 2)
    assert.deepEqual([found.first.map(one => one.a.label), found.more.map(one => one.a.label), found.beyond], [['1', '2'], ['3'], 4])
  })

  test('§1 each example has a line on the map, but for those with a hidden side, which are counted', () => {
    const nearest = [
      { lon: -0.02, lat: 51.505 },
      { lon: -0.021, lat: 51.506 },
    ]
    const sample: Match[] = [{ ...match('1'), nearest }, match('2'), { ...match('3'), severity: 'amber', nearest }]
    const ends = { from: [-0.02, 51.505], to: [-0.021, 51.506] }
    assert.deepEqual(linesOf({ matches: { red: 2, amber: 1, episodes: 3, sample } }), {
      lines: [
        { severity: 'red', ...ends },
        { severity: 'amber', ...ends },
      ],
      without: 1,
    })
  })
})
