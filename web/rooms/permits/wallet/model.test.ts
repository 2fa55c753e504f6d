import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byUrgency, callOf, changedFields, countOf, untilOf } from './model.ts'

const NOON = Date.parse('2026-03-16T12:00:00.000Z')
const no = { allowed: false, because: [] }
const yes = { allowed: true, because: [] }

function permit(change: Record<string, unknown> = {}, may: readonly string[] = []) {
  const permissions = { countersign: no, issue: no, ...Object.fromEntries(may.map(step => [step, yes])) }
  const plain = { status: 'issued', awaiting_countersign: false, handed_back_at: null, start_at: '2026-03-16T10:00:00.000Z' }
  // biome-ignore lint/suspicious/noExplicitAny: only the fields under test are given.
  return { ...plain, end_at: '2026-03-16T18:00:00.000Z', permissions, ...change } as any
}

describe('the wallet by the phone’s clock', () => {
  test('web.md Wallet: a live permit is over in the very minute of its end, even without a connection', () => {
    assert.equal(callOf(permit({ end_at: '2026-03-16T12:00:00.001Z' }), NOON), 'live')
    assert.equal(callOf(permit({ end_at: '2026-03-16T12:00:00.000Z' }), NOON), 'over')
    assert.equal(callOf(permit({ status: 'expired' }), NOON), 'over')
  })

  test('site-and-people.md §16 a live permit that an alert stops never says that work can go ahead', () => {
    const by = { id: 'a', title: 'Crane failure' }
    assert.equal(callOf(permit({ stopped_by_alert: by }), NOON), 'alert')
    assert.equal(callOf(permit({ stopped_by_alert: by, start_at: '2026-03-16T13:00:00.000Z' }), NOON), 'alert')
    assert.equal(callOf(permit({ stopped_by_alert: by, end_at: '2026-03-16T11:00:00.000Z' }), NOON), 'over')
    assert.equal(callOf(permit({ stopped_by_alert: by, status: 'approved' }), NOON), 'waits')
  })

  test('U5 only a permit that allows work says how much time is left; any other one says when its window ends', () => {
    const says = (change: Record<string, unknown>) => {
      const one = permit(change)
      return countOf(callOf(one, NOON), one, NOON)?.says ?? null
    }
    assert.equal(says({}), 'left')
    assert.equal(says({ stopped_by_alert: { id: 'a', title: 'Crane failure' } }), 'window')
    assert.equal(says({ status: 'approved' }), 'window')
    assert.equal(says({ stopped: [{ id: 'b', name: 'Block B' }] }), 'window')
    assert.equal(says({ start_at: '2026-03-16T13:00:00.000Z' }), 'until')
    assert.equal(says({ end_at: '2026-03-16T11:00:00.000Z' }), 'over')
    assert.equal(says({ handed_back_at: '2026-03-16T11:00:00.000Z' }), null)
  })

  test('a permit that was signed early doesn’t allow work to start', () => {
    assert.equal(callOf(permit({ start_at: '2026-03-16T12:00:00.001Z' }), NOON), 'not_yet')
    assert.equal(callOf(permit({ start_at: '2026-03-16T12:00:00.000Z' }), NOON), 'live')
  })

  test('a handed-back permit doesn’t allow work, during its window or after it', () => {
    assert.equal(callOf(permit({ handed_back_at: '2026-03-16T11:00:00.000Z' }), NOON), 'handed_back')
    assert.equal(callOf(permit({ status: 'expired', handed_back_at: '2026-03-16T11:00:00.000Z' }), NOON), 'handed_back')
    // After a failed walk-down a permit is handed back too, and can be signed again.
    assert.equal(callOf(permit({ status: 'approved', handed_back_at: '2026-03-16T11:00:00.000Z' }, ['issue']), NOON), 'issue')
  })

  test('an approved permit asks for my signature when the service says that it is mine; otherwise it waits', () => {
    assert.equal(callOf(permit({ status: 'approved' }, ['countersign']), NOON), 'countersign')
    assert.equal(callOf(permit({ status: 'approved' }, ['issue']), NOON), 'issue')
    assert.equal(callOf(permit({ status: 'approved' }), NOON), 'waits')
  })

  test('permits that are over come first, in whatever order they were loaded; the others keep the order of the service', () => {
    const [a, b, c] = [permit({ id: 'a' }), permit({ id: 'b', end_at: '2026-03-16T11:00:00.000Z' }), permit({ id: 'c' })]
    assert.deepEqual(
      byUrgency([a, b, c], NOON).map(one => one.id),
      ['b', 'a', 'c'],
    )
  })

  test('the remaining time is never rounded up, and never negative', () => {
    assert.deepEqual(untilOf('2026-03-16T13:00:59.000Z', NOON), { days: 0, hours: 1, minutes: 0 })
    assert.deepEqual(untilOf('2026-03-18T13:30:00.000Z', NOON), { days: 2, hours: 1, minutes: 30 })
    assert.deepEqual(untilOf('2026-03-16T11:00:00.000Z', NOON), { days: 0, hours: 0, minutes: 0 })
  })

  test('web.md 3: the changes since the permit was read are listed, and nothing else', () => {
    const seen = { permit_id: 'p', controls: 'Fire blankets', hazards: ['Fire'], place: null }
    assert.deepEqual(changedFields(seen, { ...seen }), [])
    assert.deepEqual(changedFields(seen, { ...seen, controls: 'Two watches', hazards: ['Fire', 'Fume'] }), ['controls', 'hazards'])
  })
})
