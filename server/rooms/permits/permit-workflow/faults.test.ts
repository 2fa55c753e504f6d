// What a site can’t build: graphs that are refused, graphs that are saved with a warning, and the standard strict workflow.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EFFECTS, effectsOf } from '../../../../shared/lifecycle/effects.ts'
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import { permitProblems } from '../../../../shared/lifecycle/permit-faults.ts'
import { CHECKLIST, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { SEEDED } from '../kit/domain/seed.ts'
import { effects } from '../permits/actions/effects.ts'
import { graphWarnings, KNOWN } from './domain/registry.ts'

const step = (key: string, action: string, from: string, to: string, actor = 'stage2_band'): Transition => ({
  ...{ key, action, from, to, actor },
  ...{ guards: [], effects: [], requires: [] },
})
const withSteps = (...more: Transition[]): Graph => ({ states: SEEDED.states, transitions: [...SEEDED.transitions, ...more] })
const changed = (key: string, change: Partial<Transition>): Graph => ({
  states: SEEDED.states,
  transitions: SEEDED.transitions.map(t => (t.key === key ? { ...t, ...change } : t)),
})
const problems = (graph: Graph) => permitProblems(graph, KNOWN)
const kinds = (graph: Graph) => problems(graph).map(p => p.kind)
const warned = (graph: Graph) => graphWarnings(graph).map(w => w.code)

describe('permit workflows that are refused', () => {
  test('9.5 a guard whose records the installation doesn’t have isn’t offered, and is refused on save', () => {
    for (const guard of ['receiver_briefed', 'crew_briefed', 'no_open_serious_observation', 'inspections_in_date', 'rams_accepted']) {
      assert.ok(!KNOWN.guards.has(guard), guard)
      const found = problems(changed('approved.issue', { guards: ['no_issue_signature', 'issuer_appointed', guard] }))
      assert.deepEqual(
        found.map(p => [p.kind, p.primitive, p.transition]),
        [['unavailable_primitive', guard, 'approved.issue']],
      )
    }
  })

  test('9.7 an extension step from a state that isn’t live is refused', () => {
    for (const action of ['request_extension', 'approve_extension', 'reject_extension'])
      for (const from of ['expired', 'approved', 'closed'])
        assert.ok(kinds(withSteps(step('late', action, from, from))).includes('extension_not_live'), `${action} from ${from}`)
  })

  test('9.7 a live permit can’t reach withdrawn or rejected, directly or by a detour', () => {
    assert.deepEqual(kinds(withSteps(step('x', 'withdraw', 'issued', 'withdrawn', 'requestor'))), ['live_refused'])
    assert.deepEqual(kinds(withSteps(step('x', 'reject', 'issued', 'rejected'))), ['live_refused'])
    const [round] = problems(changed('expired.hand_back', { to: 'corrections_requested' }))
    assert.equal(round?.kind, 'live_refused')
    assert.deepEqual(round?.path, ['issued.expire', 'expired.hand_back', 'corrections_requested.withdraw'], 'the shortest path is named')
  })

  test('9.7 a live state that can be reached without the issue signature is refused', () => {
    for (const key of ['requested.endorse', 'endorsed.approve', 'draft.submit'])
      assert.ok(kinds(changed(key, { to: 'issued' })).includes('live_unsigned'), key)
    const back = withSteps(step('again', 'submit', 'corrections_requested', 'issued', 'requestor'))
    assert.ok(
      kinds({ ...back, transitions: back.transitions.filter(t => t.key !== 'corrections_requested.submit') }).includes('live_unsigned'),
    )
    const named = changed('approved.countersign', { guards: ['caller_is_receiver'] })
    assert.deepEqual(
      [kinds(named), warned(named)],
      [[], ['issue_signature_kept']],
      'a guard that is left out still applies, and a warning says so',
    )
  })

  test('§3 a permit can’t close by expiring: nobody confirms the checklist then, so Closed counts as unreachable by that step', () => {
    const onlyByTime = changed('issued.expire', { to: 'closed' })
    const graph = { ...onlyByTime, transitions: onlyByTime.transitions.filter(t => t.action !== 'close_out') }
    assert.ok(problems(graph).some(p => p.kind === 'unreachable_state' && p.state === 'closed'))
  })

  test('9.7 only Issued is a live state', () => {
    const marked = (key: string, kind: 'live' | 'normal'): Graph => ({
      ...SEEDED,
      states: SEEDED.states.map(s => (s.key === key ? { ...s, kind } : s)),
    })
    assert.ok(kinds(marked('approved', 'live')).includes('live_state'))
    assert.ok(kinds(marked('issued', 'normal')).includes('live_state'))
  })

  test('9.7 an actor outside the band of a step, and a requirement that a step can’t carry, are saved with a warning', () => {
    const outside = changed('requested.endorse', { actor: 'named_receiver' })
    assert.deepEqual([kinds(outside), warned(outside)], [[], ['actor_kept']])
    // A failed walk-down is handed back by other people than a live permit.
    const LIVE = 'Whatever the workflow says, this step is for “The receiver, or an approver when the receiver is absent”'
    const said = (key: string, actor: string) =>
      graphWarnings(changed(key, { actor }))
        .filter(one => one.code === 'actor_kept')
        .map(one => one.detail.slice(0, one.detail.indexOf('.')))
    assert.deepEqual(said('issued.hand_back', 'closer'), [LIVE])
    assert.deepEqual(said('issued.hand_back', 'walk_down_party'), [LIVE])
    assert.deepEqual(said('approved.hand_back', 'closer'), [
      'Whatever the workflow says, this step is for “The issuer, the receiver or an approver”',
    ])
    const unread = changed('draft.submit', { requires: ['reason'] })
    assert.deepEqual([kinds(unread), warned(unread)], [[], ['requires_unread']])
  })

  test('9.7 a graph whose submits lead straight to approved gets no false warning', () => {
    const direct: Graph = {
      states: SEEDED.states.filter(s => !['requested', 'endorsed', 'rejected'].includes(s.key)),
      transitions: SEEDED.transitions
        .map(t => (t.action === 'submit' ? { ...t, to: 'approved' } : t))
        .filter(t => ![t.from, t.to].some(key => ['requested', 'endorsed', 'rejected'].includes(key))),
    }
    assert.deepEqual([kinds(direct), warned(direct)], [[], []])
    const without = { ...direct, transitions: direct.transitions.filter(t => t.action !== 'countersign' && t.action !== 'issue') }
    assert.ok(warned(without).includes('two_stage_never_live'))
  })

  test('9.6 every effect that a step shows is a real one, and every real effect belongs to a step', () => {
    assert.deepEqual(Object.keys(effects).sort(), [...EFFECTS].sort())
    const shown = new Set(SEEDED.transitions.flatMap(t => t.effects))
    assert.deepEqual([...shown].sort(), [...EFFECTS].sort())
    for (const t of SEEDED.transitions) assert.deepEqual(t.effects, effectsOf(t), t.key)
  })
})

describe('permit workflows on a site', () => {
  const house = useHouse()
  const clone = (w: PermitWorld, body: object = {}) => w.as('hse').post('/permits/workflow/clone', { site_id: w.site_id, ...body })

  test('9.6 a saved graph shows what the engine does on each step, whatever effects were sent', async () => {
    const w = await permitWorld(house)
    const made = await clone(w)
    const { states, transitions } = made.body
    const silenced = transitions.map((t: Transition) => ({ ...t, effects: t.action === 'endorse' ? [] : t.effects }))
    const saved = await w.as('hse').put(`/permits/workflow/${made.body.id}`, { states, transitions: silenced })
    assert.equal(saved.status, 200, saved.text)
    const endorse = saved.body.transitions.find((t: Transition) => t.action === 'endorse')
    assert.deepEqual(endorse.effects, ['sign_stage1', 'tell', 'ask_next_gate'])
    const endorsed = await w.step(await w.at('requested'), 'endorse', w.as('coordinator'))
    assert.equal(endorsed.body.signatures.at(-1).kind, 'stage1_approve')
  })

  test('9.5 a refused save shows the guard and its step', async () => {
    const w = await permitWorld(house)
    const made = await clone(w)
    const { states, transitions } = made.body
    const refused = await w.as('hse').put(`/permits/workflow/${made.body.id}`, {
      states,
      transitions: transitions.map((t: Transition) => (t.action === 'issue' ? { ...t, guards: [...t.guards, 'crew_briefed'] } : t)),
    })
    assert.deepEqual([refused.status, refused.body.error.problems[0].kind], [422, 'unavailable_primitive'])
  })

  test('9.9 a site adopts the strict workflow in one call, and it enforces every safeguard', async () => {
    const w = await permitWorld(house)
    assert.equal(
      (await w.as('coordinator').post('/permits/workflow/clone', { site_id: w.site_id, from: 'strict', publish: true })).status,
      403,
    )
    const taken = await clone(w, { from: 'strict', publish: true })
    assert.deepEqual([taken.status, taken.body.in_force, taken.body.version, taken.body.name], [201, true, 1, 'Strict workflow'])
    assert.deepEqual(taken.body.warnings, [])
    assert.equal((await clone(w, { from: 'strict', publish: true })).body.error.reason, 'key_taken')
    const gateOf = async (permit: { id: string }, verb: string, by = w.as('member')) => (await w.step(permit, verb, by)).body.error?.gate
    const permit = await w.draft({ receiver_id: null })
    const edit = (body: object) => w.as('member').patch(`/permits/applications/${permit.id}`, body)
    assert.equal(await gateOf(permit, 'submit'), 'precheck_unconfirmed')
    const required = (await w.read(permit, w.as('member'))).pre_checks
    const answers = (answer: string, comment?: string) => required.map(({ code }: { code: string }) => ({ code, answer, comment }))
    await edit({ pre_checks: answers('no') })
    assert.equal(await gateOf(permit, 'submit'), 'precheck_unconfirmed', '9.8 “no” is not a confirmation')
    await edit({ pre_checks: answers('not_applicable') })
    assert.equal(await gateOf(permit, 'submit'), 'precheck_unconfirmed', '9.8 “not applicable” needs a reason')
    await edit({ pre_checks: answers('not_applicable', 'Cold work only') })
    assert.equal(await gateOf(permit, 'submit'), 'receiver_named')
    await edit({ receiver_id: w.issuer.user_id })
    assert.equal(await gateOf(permit, 'submit'), 'place_known')
    await edit({ place: { point: { lon: 0, lat: 51.5 } } })
    assert.equal((await w.step(permit, 'submit', w.as('member'))).status, 200)
    await w.step(permit, 'endorse', w.as('coordinator'))
    await w.step(permit, 'approve', w.as('hse'))
    assert.equal(await gateOf(permit, 'issue', w.issuer), 'issuer_is_not_receiver')
    // The type asks for a document only now, so the walk-down waits for it.
    const type = w.types.HW ?? assert.fail('no hot work')
    const asks = { expected_attachments: [{ label: 'Gas test', required: true }] }
    assert.equal((await w.as('hse').patch(`/permits/types/${type.id}`, asks)).status, 200)
    assert.equal(await gateOf(permit, 'issue', w.issuer), 'required_documents_present')
    assert.equal((await w.as('hse').patch(`/permits/types/${type.id}`, { expected_attachments: [] })).status, 200)
    const own = await w.draft({ pre_checks: answers('yes'), place: { point: { lon: 0, lat: 51.5 } } }, w.as('hse'))
    await w.step(own, 'submit', w.as('hse'))
    await w.step(own, 'endorse', w.as('coordinator'))
    assert.equal(await gateOf(own, 'approve', w.as('hse')), 'approver_is_not_requestor')
  })

  test('9.8 the optional guards parent_live and fire_watch_over block a step where a site adds them', async () => {
    const w = await permitWorld(house)
    const made = await clone(w)
    const { states, transitions } = made.body
    const guard: Record<string, string> = { issue: 'parent_live', close_out: 'fire_watch_over' }
    const guarded = transitions.map((t: Transition) => {
      const more = guard[t.action]
      return more === undefined ? t : { ...t, guards: [...t.guards, more] }
    })
    const saved = await w.as('hse').put(`/permits/workflow/${made.body.id}`, { states, transitions: guarded })
    assert.equal(saved.status, 200, saved.text)
    const parent = await w.at('approved', { categories: ['GEN'] })
    const child = await w.at('approved', { parent_id: parent.id })
    const refused = await w.step(child, 'issue', w.issuer)
    assert.deepEqual([refused.body.error.gate, refused.body.error.permit_numbers], ['parent_live', [parent.permit_number]])
    await w.step(parent, 'issue', w.issuer)
    await w.step(parent, 'countersign', w.receiver)
    assert.equal((await w.step(child, 'issue', w.issuer)).status, 200)
    await w.step(child, 'countersign', w.receiver)
    await w.step(child, 'hand-back', w.receiver, { fire_watch_minutes: 30 })
    assert.equal((await w.step(child, 'close-out', w.as('hse'), { checklist: CHECKLIST })).body.error.gate, 'fire_watch_over')
    house.clock('2026-03-16T09:31:00.000Z')
    assert.equal((await w.step(child, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
