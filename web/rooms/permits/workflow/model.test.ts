import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SEEDED } from '../../../../server/rooms/permits/kit/domain/seed.ts'
import { REGISTRY } from '../../../../server/rooms/permits/permit-workflow/domain/registry.ts'
import {
  arrowsOf,
  differences,
  idleSteps,
  isSame,
  litBy,
  problemsOf,
  registryOf,
  warningsOf,
  withChange,
  withoutState,
  withoutStep,
  withState,
  withStep,
} from './model.ts'

describe('a workflow that is being edited', () => {
  const registry = registryOf(REGISTRY)
  const kinds = (graph: typeof SEEDED) => problemsOf(graph, registry).map(problem => [problem.kind, problem.state ?? problem.transition])

  test('the standard workflow has no fault with the names of the service', () => {
    assert.deepEqual(problemsOf(SEEDED, registry), [])
    assert.equal(idleSteps(warningsOf(SEEDED, REGISTRY.actors)).size, 0)
  })

  test('a state without a way out is a deadlock, shown by the shortest path that leads there', () => {
    const cut = ['expired.close_out', 'expired.hand_back', 'expired.reissue'].reduce(withoutStep, SEEDED)
    const [problem] = problemsOf(cut, registry)
    assert.deepEqual([problem?.kind, problem?.state], ['deadlock', 'expired'])
    const lit = litBy(problem)
    assert.deepEqual([...lit.steps].at(-1), 'issued.expire')
    assert.equal([...lit.steps][0], 'draft.submit')
    assert.equal(lit.state, 'expired')
  })

  test('removing a state removes its steps; if the state is added again, it can’t be reached', () => {
    const without = withoutState(SEEDED, 'rejected')
    assert.deepEqual(kinds(without), [])
    assert.equal(
      without.transitions.some(step => step.to === 'rejected'),
      false,
    )
    const back = withState(without, { key: 'rejected', label: 'Rejected', kind: 'terminal' })
    assert.deepEqual(kinds(back), [['unreachable_state', 'rejected']])
  })

  test('a new step is like the standard one between the same states, with its own key', () => {
    const { graph, key } = withStep(withoutStep(SEEDED, 'requested.endorse'), SEEDED, 'requested', 'endorsed')
    assert.equal(key, 'requested.endorse')
    assert.ok(isSame(graph, SEEDED))
    assert.equal(withStep(SEEDED, SEEDED, 'requested', 'endorsed').key, 'requested.endorse-2')
  })

  test('a new step between states that the standard workflow doesn’t connect keeps its own ends', () => {
    const { graph, key } = withStep(SEEDED, SEEDED, 'approved', 'rejected')
    const step = graph.transitions.find(one => one.key === key)
    assert.deepEqual([key, step?.from, step?.to, step?.actor], ['approved.reject', 'approved', 'rejected', 'acting_gate'])
    assert.deepEqual(problemsOf(graph, registry), [])
  })

  test('another action sets its own actor and guards, and changes the key', () => {
    const { graph, key } = withChange(SEEDED, SEEDED, 'requested.reject', { action: 'withdraw' })
    const step = graph.transitions.find(one => one.key === key)
    assert.deepEqual([key, step?.to, step?.actor, step?.requires], ['requested.withdraw-2', 'rejected', 'requestor', []])
    assert.equal(graph.transitions.length, SEEDED.transitions.length)
  })

  test('differences are listed by step and by part; the order of guards doesn’t count', () => {
    const changed = withChange(SEEDED, SEEDED, 'endorsed.approve', { guards: ['red_conflicts_acknowledged', 'approver_is_not_requestor'] })
    const found = differences(withoutStep(changed.graph, 'draft.withdraw'), SEEDED)
    assert.deepEqual(
      found.map(one => [one.kind, 'step' in one ? one.step.key : '', 'parts' in one ? one.parts : []]),
      [
        ['step_changed', 'endorsed.approve', ['guards']],
        ['step_removed', 'draft.withdraw', []],
      ],
    )
    const turned = withChange(SEEDED, SEEDED, 'approved.issue', {
      guards: [...(SEEDED.transitions.find(step => step.key === 'approved.issue')?.guards ?? [])].reverse(),
    })
    assert.ok(isSame(turned.graph, SEEDED))
  })

  test('without a countersign step the arrow of issue leads to issued, as in the engine', () => {
    const { arrows, staying } = arrowsOf(withoutStep(SEEDED, 'approved.countersign'))
    const live = arrows.find(arrow => arrow.from === 'approved' && arrow.to === 'issued')
    assert.deepEqual(
      live?.steps.map(step => step.action),
      ['issue'],
    )
    assert.equal(staying.get('approved'), undefined)
    assert.equal(arrowsOf(SEEDED).staying.get('approved')?.[0]?.action, 'issue')
  })
})
