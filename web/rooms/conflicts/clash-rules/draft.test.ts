import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STANDARD_RULES } from '../../../../shared/conflicts/standard.ts'
import { NO_REFS } from '../../../../shared/predicates/language.ts'
import { canHaveMatrix, changesOf, checkedDraft, draftOf, newBody, withNote } from './draft.ts'
import { activationOf, type Consequence, type Rule, severityOf, sourceOf } from './model.ts'

const FLAG = { allowed: true, because: [] }
const ruleOf = (key: string, more: Partial<Rule> = {}): Rule => {
  const { content, ...rest } = STANDARD_RULES.find(one => one.system_key === key) ?? assert.fail('There is such a rule.')
  return {
    ...{ id: key, site_id: 's', profile_id: 'p', origin_id: key, version: 1, system_key: key, system_revision: 1, is_customised: false },
    ...{ name: rest.name, description: rest.description, enabled: rest.enabled },
    ...{ ...content, a: { kinds: [...content.a.kinds] }, b: { kinds: [...content.b.kinds] } },
    ...{ reach_m: 10, reach_zone: false, explanation: '', problems: [], warnings: [], updated_at: '2026-03-16T09:00:00.000Z' },
    permissions: { can_edit: true, can_delete: true, edit: FLAG, delete: FLAG },
    ...more,
  }
}
const faults = (draft: ReturnType<typeof draftOf>) =>
  checkedDraft(null, draft, NO_REFS, 'isn’t JSON.').faults.map(({ path, code }) => `${path} ${code}`)

describe('the form of a clash rule', () => {
  test('§1 what wasn’t touched isn’t sent, and of the matrix only changed cells are', () => {
    const rule = ruleOf('permit_proximity')
    const draft = draftOf(rule)
    assert.deepEqual(changesOf(rule, draft), {})
    assert.deepEqual(changesOf(rule, { ...draft, note: 'Only a note' }), {}, 'a note alone is no change')
    const changed = { ...draft, cells: { 'CSE|HW': 'off' } as const, buffer: '15' }
    assert.deepEqual(changesOf(rule, changed), { time_buffer_minutes: 15, outcome: { cells: { 'CSE|HW': 'off', 'HW|CSE': 'off' } } })
    assert.deepEqual(changesOf(rule, { ...draft, distance: '12' }), { outcome: { default_distance_m: 12 } })
    assert.deepEqual(withNote({ enabled: true }, ' Near miss '), { enabled: true, change_note: 'Near miss' })
    assert.deepEqual(withNote({ enabled: true }, '  '), { enabled: true })
  })

  test('§1 a new rule is sent whole; a new matrix has a floor', () => {
    const permits = { ...draftOf(null), name: ' Permits ', a: ['permit' as const], b: ['permit' as const], when: true }
    assert.deepEqual([canHaveMatrix(permits), canHaveMatrix({ ...permits, b: ['permit', 'plant'] })], [true, false])
    const body = newBody('site', 'profile', { ...permits, outcome: 'matrix', cells: { 'HW|HW': 'red' } })
    assert.deepEqual(
      [body.name, body.profile_id, body.outcome],
      ['Permits', 'profile', { matrix: 'permit_type', default_distance_m: 10, cells: { '*|*': 'off', 'HW|HW': 'red' } }],
    )
  })

  test('CR-6 the browser finds the same faults as the service, each at its path', () => {
    const draft = { ...draftOf(null), json: '{"any":[{"within_m":5},{"permit_type_in_a":["HW"]}]}' }
    assert.deepEqual(faults(draft), ['when.any[1] unbounded_reach'])
    assert.deepEqual(faults({ ...draft, json: '{"any":[' }), ['when wrong_type'])
    assert.deepEqual(faults({ ...draft, json: '"near"' }), ['when wrong_type'])
    assert.deepEqual(faults({ ...draft, json: null, a: [] }), ['a.kinds missing_value'])
  })
})

describe('rules and profiles in the app', () => {
  test('§1 a rule is standard, customised or the site’s own, and amber, red or by permit type', () => {
    assert.deepEqual(
      [ruleOf('gate_congestion'), ruleOf('gate_congestion', { is_customised: true }), ruleOf('gate_congestion', { system_key: null })].map(
        sourceOf,
      ),
      ['standard', 'customised', 'own'],
    )
    assert.deepEqual(
      ['gate_congestion', 'under_the_hook', 'permit_proximity'].map(key => severityOf(ruleOf(key))),
      ['amber', 'red', 'matrix'],
    )
  })

  test('§2 before a profile is activated, the rules that start, stop and differ are known; a copy is compared with its origin', () => {
    const now = [ruleOf('gate_congestion'), ruleOf('under_the_hook'), ruleOf('trade_stacking'), ruleOf('people_and_plant')]
    const next = [
      ruleOf('gate_congestion', { id: 'copy', when: { within_m: 25 } }),
      ruleOf('under_the_hook', { enabled: false }),
      ruleOf('trade_stacking', { enabled: true }),
      // Made from the standard rules, not copied: another origin, but the same standard rule.
      ruleOf('people_and_plant', { origin_id: 'another' }),
    ]
    assert.deepEqual(activationOf({ rules: now, consequences: [] }, { rules: next, consequences: [] }), {
      starts: ['Gangs in one zone'],
      stops: ['Under the hook'],
      differs: ['Deliveries at one gate'],
      means: [],
    })
  })

  test('§2 §3 before a profile is activated, the rules whose clashes mean something else for the work are known', () => {
    const [gate, plant] = [ruleOf('gate_congestion'), ruleOf('people_and_plant')]
    const [gate_copy, plant_copy] = [ruleOf('gate_congestion', { id: 'gate copy' }), ruleOf('people_and_plant', { id: 'plant copy' })]
    const set = (rule: Rule, instruction: string): Consequence => ({
      ...{
        site_id: 'site',
        clash_rule_id: rule.id,
        rule_name: rule.name,
        version: 1,
        is_default: false,
        effect: 'slows',
        affected: 'later',
      },
      ...{ task_lead_hours: null, blocker_category: 'access_space', loss_share_percent: 50, instruction },
      permissions: { can_edit: true, can_reset: true, edit: FLAG, reset: FLAG },
    })
    const now = { rules: [gate, plant], consequences: [set(gate, 'Wait at the lay-by'), set(plant, 'Stop')] }
    const means = (consequences: Consequence[]) => activationOf(now, { rules: [gate_copy, plant_copy], consequences }).means
    assert.deepEqual(means([set(gate_copy, 'Wait at the lay-by'), set(plant_copy, 'Stop')]), [])
    assert.deepEqual(means([set(gate_copy, 'Wait outside'), set(plant_copy, 'Stop')]), ['Deliveries at one gate'])
    assert.deepEqual(means([set(gate_copy, 'Wait at the lay-by'), { ...set(plant_copy, 'Stop'), is_default: true }]), [
      'People near moving plant',
    ])
  })
})
