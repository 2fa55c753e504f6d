import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topicOf } from '../../../shared/topics.ts'
import { chance } from '../../../tests/chance.ts'
import { bytesOf, type EventFrame, framed, isPersonal, merged, replayable } from './domain.ts'

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
  test('RFC 6455 §5.7 a text is one unmasked frame; its head says the length in 7, 16 or 64 bits', () => {
    assert.deepEqual([...framed('Hello')], [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
    const head = (length: number, bytes: number) => [...framed('x'.repeat(length)).subarray(0, bytes)]
    assert.deepEqual(head(125, 2), [0x81, 125])
    assert.deepEqual(head(126, 4), [0x81, 126, 0, 126])
    assert.deepEqual(head(256, 4), [0x81, 126, 1, 0])
    assert.deepEqual(head(65_535, 4), [0x81, 126, 0xff, 0xff])
    assert.deepEqual(head(65_536, 10), [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    assert.deepEqual([...framed('é')], [0x81, 2, 0xc3, 0xa9], 'the length counts bytes')
  })

  test('several frames are written one after another, and a list of them only once', () => {
    const frames = [event(1, 'permits'), event(2, 'permits')]
    assert.deepEqual(bytesOf(frames), Buffer.concat(frames.map(frame => framed(JSON.stringify(frame)))))
    assert.equal(bytesOf(frames), bytesOf(frames))
  })

  test('§12 the topic follows from the kind, and an event about one person has no topic', () => {
    assert.deepEqual(['permit.issued', 'reference_feature.changed', 'membership.ended', 'smart_group.changed'].map(topicOf), [
      'permits',
      'map',
      'site',
      'site',
    ])
    assert.deepEqual(['task.raised', 'user.changed', 'permit.issued'].map(isPersonal), [true, true, false])
  })

  test('§12 back pressure: events of one site and topic become one `changed` with their number', () => {
    const frames = [event(1, 'permits'), { type: 'pong', t: 1 }, event(2, 'map'), event(3, 'permits'), event(4, 'permits', 'b')]
    assert.deepEqual(merged(frames), [
      { type: 'pong', t: 1 },
      { type: 'changed', site_id: 'a', cursor: 1, topic: 'permits', count: 2 },
      { type: 'changed', site_id: 'a', cursor: 3, topic: 'map', count: 1 },
      { type: 'changed', site_id: 'b', cursor: 4, topic: 'permits', count: 1 },
    ])
    assert.deepEqual(merged(merged(frames)), merged(frames))
  })

  test('§12 wherever a connection breaks while merged events are sent, the app continues from its cursor without missing a topic', () => {
    const topics = ['permits', 'map', 'alerts', 'site'] as const
    for (let seed = 1; seed <= 200; seed++) {
      const { below, of } = chance(seed)
      const events = Array.from({ length: 2 + below(30) }, (_, i) => event(i + 1, of(topics)))
      // They are merged again and again while they wait.
      const cut = below(events.length)
      const sent = merged([...merged(events.slice(0, cut)), ...events.slice(cut)])
      for (let got = 1; got <= sent.length; got++) {
        const cursor = Math.max(...sent.slice(0, got).map(frame => Number(frame.cursor)))
        const reported = new Set(sent.slice(0, got).map(frame => frame.topic))
        const missed = events.filter(one => one.cursor <= cursor && !reported.has(one.topic))
        assert.deepEqual(missed, [], `seed ${seed}, ${got} of ${sent.length}`)
      }
      assert.equal(sent.at(-1)?.cursor, events.length)
    }
  })

  test('§12 a cursor can be resumed while everything after it is kept: 15 minutes, 10,000 events', () => {
    assert.equal(replayable(50, 60, 40), true)
    assert.equal(replayable(39, 60, 40), true)
    assert.equal(replayable(38, 60, 40), false)
    assert.equal(replayable(60, 60, 61), true)
    assert.equal(replayable(1, 10_002, 1), false)
    assert.equal(replayable(61, 60, 40), false, 'from before a backup was restored')
  })
})
