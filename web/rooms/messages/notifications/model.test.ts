import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bytesOf, groupOf, type Message, quietParts, reasonOf } from './model.ts'

const message = (id: string, created_at: string, site_id = 's'): Message => ({ id, created_at, site_id }) as Message

describe('messages', () => {
  test('notifications are grouped by the day of the site, not of the viewer, and by site', () => {
    const rows = [
      message('1', '2026-03-16T15:30:00.000Z'),
      message('2', '2026-03-16T14:30:00.000Z', 'other'),
      message('3', '2026-03-16T12:00:00.000Z'),
    ]
    assert.deepEqual(
      rows.map(one => groupOf(one, 'Asia/Tokyo').key),
      ['2026-03-17 s', '2026-03-16 other', '2026-03-16 s'],
    )
  })

  test('every kind of term has a text, and an unknown one has a general text', () => {
    for (const term of [
      { role: 'hse' },
      { band: 'manage' },
      { gate: 'next' },
      { named: 'receiver_id' },
      { user_id: 'x' },
      { contractor: 'c' },
      { overseers_of: 'c' },
    ])
      assert.notEqual(reasonOf(term), reasonOf({ moon: 'full' }), JSON.stringify(term))
    assert.match(reasonOf({ named: 'receiver_id' }), /receiver/)
    for (const band of ['administer', 'manage', 'contribute', 'coordinate', 'stage1', 'stage2', 'read'])
      assert.doesNotMatch(reasonOf({ band }), new RegExp(`who ${band}\\.`, 'i'), 'a permission level is named in words')
    assert.ok(reasonOf(null).length > 0)
  })

  test('quiet hours across midnight are shown as two parts of a day', () => {
    assert.deepEqual(quietParts({ from: '18:00', to: '06:00' }), [
      { from: 0, to: 0.25 },
      { from: 0.75, to: 1 },
    ])
    assert.deepEqual(quietParts({ from: '06:00', to: '12:00' }), [{ from: 0.25, to: 0.5 }])
    assert.deepEqual(quietParts({ from: '18:00', to: '00:00' }), [{ from: 0.75, to: 1 }])
    assert.deepEqual(quietParts(null), [])
  })

  test('a key is decoded from base64url byte by byte', () => {
    assert.deepEqual([...bytesOf('-_8A')], [251, 255, 0])
  })
})
