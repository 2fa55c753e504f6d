import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Graph } from '../../../shared/lifecycle/graph.ts'
import { decide, type Words } from './domain/decide.ts'

const graph = (more: object): Graph =>
  ({
    states: [{ status: 'open' }, { status: 'closed' }],
    transitions: [{ from: 'open', to: 'closed', action: 'close', actor: 'owner', guards: [], effects: [], requires: [], ...more }],
  }) as unknown as Graph // all that a decision reads of a graph

const words: Words<null> = {
  actors: { owner: () => null },
  guards: {
    broken: () => {
      throw new Error('A fact is missing.')
    },
  },
  choosing: {},
  always: [],
  noun: 'gate',
  label: status => status,
}
const refusals = (more: object, with_words: Words<null> = words) =>
  decide(graph(more), with_words, 'open', 'close', null, {}).refusals.map(({ code, context }) => [code, context?.guard])

describe('deciding on a step', () => {
  test('a step that nothing forbids is taken', () => {
    assert.deepEqual(refusals({}), [])
  })

  test('a rule whose check throws refuses the step, and so does an unknown rule', () => {
    assert.deepEqual(refusals({ guards: ['broken'] }), [['invalid_transition', 'broken']])
    assert.deepEqual(refusals({ guards: ['unheard_of'] }), [['invalid_transition', 'unheard_of']])
    assert.deepEqual(refusals({ actor: 'nobody_knows' }), [['invalid_transition', 'nobody_knows']])
    const always = [() => assert.fail('A law breaks.')]
    assert.deepEqual(refusals({}, { ...words, always }), [['invalid_transition', 'law']])
  })

  test('a field that a step requires must be filled in, and an empty text doesn’t count', () => {
    assert.deepEqual(refusals({ requires: ['reason'] }), [['validation_failed', undefined]])
    const said = decide(graph({ requires: ['reason'] }), words, 'open', 'close', null, { reason: '' })
    assert.equal(said.refusals.length, 1)
    assert.deepEqual(decide(graph({ requires: ['reason'] }), words, 'open', 'close', null, { reason: 'Rain' }).refusals, [])
  })
})
