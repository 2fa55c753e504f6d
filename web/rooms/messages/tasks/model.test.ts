import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byAttention, holdOf, inOrder, reasonOf } from './model.ts'

const taken = (user_id: string, at = '2026-03-16T09:00:00.000Z', taking = true) => ({ user_id, name: user_id, at, taking })
const task = (id: string, due_at: string | null, acknowledged_by: ReturnType<typeof taken>[] = [], overdue = false) => ({
  id,
  due_at,
  overdue,
  acknowledged_by,
})

describe('the order of tasks', () => {
  test('tasks assigned to me come first, then unassigned ones, each by due time; those without one last', () => {
    const tasks = [
      task('other', '2026-03-16T08:00:00.000Z', [taken('x')], true),
      task('whenever', null),
      task('later', '2026-03-16T12:00:00.000Z'),
      task('sooner', '2026-03-16T11:00:00.000Z'),
      task('mine', null, [taken('me')]),
    ]
    assert.deepEqual(
      inOrder(tasks, 'me').map(one => one.id),
      ['mine', 'sooner', 'later', 'whenever', 'other'],
    )
  })

  test('tasks that count only later are in a separate list', () => {
    const at = (attention_at: string) => ({ attention_at })
    const [now, soon] = [at('2026-03-16T09:00:00.000Z'), at('2026-03-16T09:00:01.000Z')]
    assert.deepEqual(byAttention([soon, now], Date.parse('2026-03-16T09:00:00.000Z')), { now: [now], later: [soon] })
  })

  test('seeing a task doesn’t assign it, and a task is assigned to the last person who took it', () => {
    assert.equal(holdOf(task('a', null, [taken('me', '2026-03-16T09:00:00.000Z', false)]), 'me'), 'free')
    const both = [taken('me', '2026-03-16T09:00:00.000Z'), taken('x', '2026-03-16T10:00:00.000Z')]
    assert.equal(holdOf(task('a', null, both), 'me'), 'other')
  })

  test('9.13 the reason of a hand-back is in the task to close the permit out, and a correction reason in the task to correct it', () => {
    type Action = 'hand_back' | 'request_corrections' | 'approve' | 'countersign'
    const card = (action: Action, note: string | null) => ({
      last_decision: { action, by: { id: 'x', name: 'Hal Safety', role: 'hse' }, at: '2026-03-16T09:00:00.000Z', note },
    })
    const close = { kind: 'close_out_permit' }
    assert.equal(reasonOf(close, card('hand_back', 'The sprinkler main leaks')), 'The sprinkler main leaks')
    assert.equal(reasonOf(close, card('hand_back', null)), null)
    assert.equal(reasonOf(close, card('countersign', 'Understood')), null)
    assert.equal(reasonOf({ kind: 'correct_permit' }, card('request_corrections', 'Name the fire watch')), 'Name the fire watch')
    assert.equal(reasonOf({ kind: 'correct_permit' }, card('hand_back', 'The hydrant is locked')), 'The hydrant is locked')
    assert.equal(reasonOf({ kind: 'endorse_permit' }, card('request_corrections', 'Name the fire watch')), null)
    assert.equal(reasonOf(close, undefined), null)
  })
})
