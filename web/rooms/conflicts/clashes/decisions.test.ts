import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asNow, contractorOwner, type Decision, faultsOf, flagFor, itemOf, latestDue, movedSince } from './decisions.ts'
import type { Episode } from './types.ts'

const NOW = Date.parse('2026-03-16T09:00:00.000Z')
const SIDE = {
  kind: 'worker' as const,
  id: 'w',
  label: 'Gang',
  contractor_id: null,
  lineage_id: 'w',
  basis: 'own' as const,
  types: [],
  title: null,
  hidden: false,
  planned_later: false,
}
const YES = { allowed: true, because: [] }
const NO = { allowed: false, because: [{ code: 'clash_accept_red', detail: 'Only an H&S person can.' }] }
const PERMISSIONS: Episode['permissions'] = {
  ...{ can_settle: true, can_resolve: true, can_declare_blocker: true },
  ...{ settle: YES, resolve: YES, declare_blocker: YES },
}
const episode = (id: string, more: Partial<Episode> = {}): Episode => ({
  ...{ id, key: id, version: 1, rule_id: 'r', rule_name: 'Rule', status: 'open', severity: 'amber', peak_severity: 'amber' },
  ...{ least_distance_m: 3, first_at: '2026-03-17T08:00:00.000Z', last_at: null, next_at: '2026-03-17T08:00:00.000Z', clash_count: 1 },
  ...{ elapsed_minutes: 0, opened_at: '2026-03-16T08:00:00.000Z', ended_at: null, end_reason: null, reopened_count: 0 },
  ...{ a: SIDE, b: SIDE, place: { building_id: null, level_index: null, zone_id: null }, stance: null, in_hand: false, overdue: false },
  consequence: { effect: 'none', affected: 'both', task_lead_hours: null, instruction: '' },
  ...{ blocker_ids: [], blockers: [], stoppable: [], updated_at: '2026-03-16T08:00:00.000Z' },
  permissions: PERMISSIONS,
  ...more,
})
const GIVEN: Decision = { reason: 'Screens', controls: '', owner: 'ivy', due_at: '2026-03-16T16:00:00.000Z' }

describe('decisions about clashes', () => {
  test('§4.5 who resolves a clash is a person or a contractor, with a time; who settles it gives a reason, and controls only to accept it', () => {
    const one = episode('e', { version: 4 })
    const about = { episode_id: 'e', episode_version: 4, reason: 'Screens' }
    assert.deepEqual(itemOf(one, 'resolving', GIVEN), { ...about, kind: 'resolving', owner_user_id: 'ivy', due_at: GIVEN.due_at })
    assert.deepEqual(itemOf(one, 'resolving', { ...GIVEN, owner: contractorOwner('acme') }), {
      ...{ ...about, kind: 'resolving', owner_contractor_id: 'acme', due_at: GIVEN.due_at },
    })
    assert.deepEqual(itemOf(one, 'accepted', GIVEN), { ...about, kind: 'accepted' })
    assert.deepEqual(itemOf(one, 'accepted', { ...GIVEN, controls: 'Watch' }), { ...about, kind: 'accepted', controls: 'Watch' })
    assert.deepEqual(itemOf(one, 'not_a_clash', { ...GIVEN, controls: 'Watch' }), { ...about, kind: 'not_a_clash' })
  })

  test('§4.5 all of several are resolved before the first of them starts, and within a day if one is there now', () => {
    const at = (next_at: string | null) => ({ next_at })
    assert.equal(latestDue([], NOW), null)
    assert.equal(latestDue([at('2026-03-18T08:00:00.000Z'), at('2026-03-17T12:00:00.000Z')], NOW), '2026-03-17T12:00:00.000Z')
    assert.equal(latestDue([at('2026-03-16T08:00:00.000Z'), at('2026-03-20T08:00:00.000Z')], NOW), '2026-03-17T09:00:00.000Z')
    assert.equal(latestDue([at(null)], NOW), '2026-03-17T09:00:00.000Z')
  })

  test('§4.7 a fault belongs to the clash at its index, or to the field if it is the same for every clash', () => {
    const found = new Map([
      ['items[0].reason', 'is required'],
      ['items[1].reason', 'is required'],
      ['items[1].due_at', 'is later than the start of the clash.'],
      ['items[7].due_at', 'is in no list'],
      ['site_id', 'is wrong'],
    ])
    const { fields, items } = faultsOf(found, ['one', 'two'])
    assert.deepEqual(Object.fromEntries(fields), { reason: 'is required', 'items[7].due_at': 'is in no list', site_id: 'is wrong' })
    assert.deepEqual([...items], [['two', [{ field: 'due_at', message: 'is later than the start of the clash.' }]]])
    assert.deepEqual(Object.fromEntries(faultsOf(new Map([['due_at', 'must be in the future.']]), ['one']).fields), {
      due_at: 'must be in the future.',
    })
  })

  test('§4.7 clashes that have changed or ended since they were shown are named; the others stay as they are', () => {
    const seen = [episode('one'), episode('two'), episode('three')]
    const now = [episode('three'), episode('two', { version: 2, severity: 'red' })]
    assert.deepEqual(
      [...movedSince(seen, now)],
      [
        ['one', 'gone'],
        ['two', 'changed'],
      ],
    )
    assert.deepEqual(
      asNow(seen, now).map(one => [one.id, one.version]),
      [
        ['two', 2],
        ['three', 1],
      ],
    )
    assert.equal(movedSince(seen, seen).size, 0)
  })

  test('§4.5 whether a clash can be settled and whether it can be resolved are two questions', () => {
    const red = episode('e', { permissions: { ...PERMISSIONS, can_settle: false, settle: NO } })
    assert.deepEqual(
      [flagFor(red, 'accepted').allowed, flagFor(red, 'not_a_clash').allowed, flagFor(red, 'resolving').allowed],
      [false, false, true],
    )
  })
})
