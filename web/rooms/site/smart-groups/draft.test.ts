import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  changesOf,
  copyBody,
  draftOf,
  faultsIn,
  fieldsOf,
  nestingFaults,
  newBody,
  partsOf,
  pinnedFirst,
  predicateIn,
  type SmartGroup,
  sharingOf,
} from './draft.ts'

const FLAG = { allowed: true, because: [] }
const STEEL = { field: 'trade', op: 'eq', value: 'Steel fixer' }
const groupOf = (more: Partial<SmartGroup> = {}): SmartGroup => ({
  ...{ id: 'g', site_id: 's', name: 'Steel', description: null, predicate: STEEL, visibility: 'shared', colour: null, icon: null, sort: 0 },
  ...{ subject: 'entity', explanation: '', warnings: [], used_by: [], owner: { id: 'u', name: 'Cora' }, version: 1 },
  ...{ created_at: '2026-03-16T09:00:00.000Z', updated_at: '2026-03-16T09:00:00.000Z' },
  permissions: { can_edit: true, can_share: true, can_delete: true, edit: FLAG, share: FLAG, delete: FLAG },
  ...more,
})
const paths = (subject: SmartGroup['subject'], predicate: unknown = true) => fieldsOf(subject, predicate).map(field => field.path)

describe('the form of a smart group', () => {
  test('§18 a new group is the person’s own, of things on the site, and is sent whole', () => {
    const body = newBody('s', { ...draftOf(null), name: ' Everything ', description: '  ' })
    assert.deepEqual(body, {
      ...{ site_id: 's', subject: 'entity', name: 'Everything', description: null, predicate: true, visibility: 'private', colour: null },
    })
  })

  test('§18 a condition that wasn’t touched isn’t sent, because changing one that rules use needs their permission', () => {
    const group = groupOf()
    const draft = draftOf(group)
    assert.deepEqual(changesOf(group, draft), {})
    assert.deepEqual(changesOf(group, { ...draft, name: 'Steel fixers' }), { name: 'Steel fixers' })
    assert.deepEqual(changesOf(group, { ...draft, json: '{ "op": "eq", "field": "trade", "value": "Steel fixer" }' }), {})
    assert.deepEqual(changesOf(group, { ...draft, predicate: { all: [STEEL] }, description: 'Rebar', colour: '#b42318' }), {
      ...{ description: 'Rebar', predicate: { all: [STEEL] }, colour: '#b42318' },
    })
    assert.deepEqual(changesOf(groupOf({ description: 'Rebar' }), draft), { description: null })
  })

  test('§18 a condition that the person may not change can be saved as a group of their own', () => {
    const { name, visibility, predicate } = copyBody('s', { ...draftOf(groupOf()), predicate: false }, 'Steel (copy)')
    assert.deepEqual([name, visibility, predicate], ['Steel (copy)', 'private', false])
  })

  test('§18 the form offers the fields of the subject; what nobody chooses by is offered only where a condition has it', () => {
    assert.deepEqual(
      ['trade', 'contractor_id', 'building_id', 'level_index', 'zone_ids', 'group_ids'].filter(path => !paths('entity').includes(path)),
      [],
    )
    assert.deepEqual(
      ['permit_types', 'status', 'receiver_id', 'starts_local', 'zone_ids'].filter(path => !paths('permit').includes(path)),
      [],
    )
    assert.ok(!paths('permit').includes('trade') && !paths('entity').includes('status'))
    assert.deepEqual([paths('entity').includes('id'), paths('permit').includes('kind')], [false, false])
    assert.ok(paths('entity', { not: { field: 'id', op: 'eq', value: '01929f3e-7c1a-7b60-9d5e-000000000001' } }).includes('id'))
    const parent = fieldsOf('permit', true).find(field => field.path === 'parent_id')
    assert.equal(parent?.refers, undefined, 'permits can’t be listed to choose from')
  })

  test('§0.4 faults are found while the condition is written, each with its path; JSON that can’t be read is one', () => {
    const faults = (predicate: unknown, subject: SmartGroup['subject'] = 'entity', json: string | null = null) =>
      faultsIn({ subject, predicate, json }, 'isn’t valid JSON.').map(({ path, code }) => `${path} ${code}`)
    assert.deepEqual(faults(true), [])
    assert.deepEqual(faults(STEEL), [])
    assert.deepEqual(faults(STEEL, 'permit'), ['predicate.field unknown_field'], 'a field of the other subject')
    assert.deepEqual(faults({ all: [STEEL, { field: '', op: '' }] }), ['predicate.all[1].field unknown_field'])
    assert.deepEqual(faults({ field: 'headcount', op: 'gte', value: 'many' }), ['predicate.value wrong_type'])
    assert.deepEqual(faults(STEEL, 'entity', '{"all": ['), ['predicate wrong_type'])
    assert.equal(predicateIn({ predicate: STEEL, json: 'false' }), false)
  })

  test('§18 a loop of groups is found while it is written, at its line, in the words of the service; so is a group of another subject', () => {
    const uses = (...ids: string[]) => ({ all: [{ field: 'group_ids', op: 'overlaps', value: ids }] })
    const seen = [
      { id: 'a', name: 'A', subject: 'entity', predicate: STEEL },
      { id: 'b', name: 'B', subject: 'entity', predicate: uses('a') },
      { id: 'p', name: 'P', subject: 'permit', predicate: true },
    ] as const
    const faults = (predicate: unknown, id: string | null) => nestingFaults({ ...draftOf(null), name: 'A', predicate }, id, seen)
    const message = 'would make the group refer to itself: “A” → “B” → “A”. Choose another group.'
    assert.deepEqual(faults(uses('b'), 'a'), [{ path: 'predicate.all[0].value[0]', code: 'circular_reference', message }])
    assert.deepEqual(
      faults(uses('p'), 'a').map(({ path, code }) => [path, code]),
      [['predicate.all[0].value[0]', 'wrong_type']],
    )
    assert.deepEqual(faults(uses('b'), null), [], 'nothing refers to a new group yet')
    assert.deepEqual(faults(uses('unknown'), 'a'), [], 'the service reports a group that the person doesn’t see')
  })

  test('§18 a newer version says in what it differs from the one that is edited', () => {
    assert.deepEqual(partsOf(groupOf(), groupOf({ version: 2 })), [])
    assert.deepEqual(partsOf(groupOf(), groupOf({ version: 2, visibility: 'private', name: 'Steel fixers' })), ['name', 'visibility'])
  })

  test('0.1 0.3 a person whose role doesn’t include it can’t share groups, and nobody can while the site is locked', () => {
    const here = (held: boolean, locked: boolean) => sharingOf({ can: () => held, locked })
    assert.deepEqual([here(true, false), here(false, false), here(true, true)], [null, 'cant_share', 'locked'])
  })

  test('§18 star to pin: what is pinned comes first in the order in which it was, also from a later page; what was deleted isn’t there, and nothing is there twice', () => {
    const listed = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
    const order = (pins: string[], found: { id: string }[]) => pinnedFirst(pins, found, listed).map(({ id }) => id)
    assert.deepEqual(order([], []), ['a', 'b', 'c'])
    assert.deepEqual(order(['z', 'c', 'gone'], [{ id: 'z' }, { id: 'c' }]), ['z', 'c', 'a', 'b'])
    assert.deepEqual(order(['b'], []), ['b', 'a', 'c'])
  })
})
