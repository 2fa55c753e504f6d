import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topicOf } from '../../../shared/topics.ts'
import { type EventFrame, isPersonal, merged, replayable } from './domain.ts'

const event = (cursor: number, topic: EventFrame['topic'], site_id = 'a'): EventFrame => ({
  type: 'event',
  site_id,
  cursor,
  topic,
  kind: 'permit.issued',
  entity_type: 'permit',
  ids: [],
  more: false,
  at: '',
  actor_id: null,
  request_id: '',
})

describe('live, decided', () => {
  test('§12 the topic follows from the kind, and an event about one person has no topic', () => {
    assert.deepEqual(['permit.issued', 'reference_feature.changed', 'membership.ended', 'smart_group.changed'].map(topicOf), [
      'permits',
      'map',
      'site',
      'site',
    ])
    assert.deepEqual(['task.raised', 'user.changed', 'permit.issued'].map(isPersonal), [true, true, false])
  })

  test('§12 back pressure: events of one site and topic become one `changed` with their number and the last cursor', () => {
    const frames = [event(1, 'permits'), { type: 'pong', t: 1 }, event(2, 'map'), event(3, 'permits'), event(4, 'permits', 'b')]
    assert.deepEqual(merged(frames), [
      { type: 'pong', t: 1 },
      { type: 'changed', site_id: 'a', cursor: 2, topic: 'map', count: 1 },
      { type: 'changed', site_id: 'a', cursor: 3, topic: 'permits', count: 2 },
      { type: 'changed', site_id: 'b', cursor: 4, topic: 'permits', count: 1 },
    ])
    assert.deepEqual(merged(merged(frames)), merged(frames))
  })

  test('§12 a cursor can be resumed while everything after it is kept: 15 minutes, 10,000 events', () => {
    assert.equal(replayable(50, 60, 40), true)
    assert.equal(replayable(39, 60, 40), true)
    assert.equal(replayable(38, 60, 40), false)
    assert.equal(replayable(60, 60, 61), true)
    assert.equal(replayable(1, 10_002, 1), false)
  })
})
