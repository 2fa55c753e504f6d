import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SideKind } from '../../../../shared/predicates/entity.ts'
import { againstOf, examplesOf, limitsOf, lineKeyOf, linesOf, type Match, nothingOf } from './previewed.ts'

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
    const ends = { key: '-0.02,51.505 -0.021,51.506', from: [-0.02, 51.505], to: [-0.021, 51.506] }
    assert.deepEqual(linesOf({ matches: { red: 2, amber: 1, episodes: 3, sample } }), {
      lines: [
        { severity: 'red', ...ends },
        { severity: 'amber', ...ends },
      ],
      without: 1,
    })
    assert.deepEqual(sample.map(lineKeyOf), [ends.key, null, ends.key], 'matches at the same places are selected together')
  })

  test('§1 a rule that finds nothing says why: nothing of these kinds is there, only one thing is, or what is there doesn’t clash', () => {
    const side = (...kinds: SideKind[]) => ({ kinds })
    const content = { a: side('worker', 'plant'), b: side('plant', 'permit') }
    const nothing = (a: number, b: number, all: number) => nothingOf({ compared: { a, b, all } }, content)
    assert.deepEqual(nothing(0, 0, 0), { kind: 'none', kinds: ['worker', 'plant', 'permit'] })
    assert.deepEqual(nothing(2, 0, 2), { kind: 'none', kinds: ['plant', 'permit'] })
    assert.deepEqual(nothing(1, 1, 1), { kind: 'one' })
    assert.deepEqual(nothing(2, 1, 3), { kind: 'no_clash' })
  })
})
