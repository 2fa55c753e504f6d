import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chainOf, filterOf, lengthOf, queryText, unseenBecause, valueText } from './model.ts'

describe('the audit log', () => {
  test('a day is a day of the site, which has 23 hours when the clocks go forward', () => {
    assert.deepEqual(filterOf({ day: '2026-03-29', who: 'u', done: 'nonsense' }, 'Europe/London'), {
      actor_id: 'u',
      from: '2026-03-29T00:00:00.000Z',
      to: '2026-03-29T23:00:00.000Z',
    })
    assert.equal(queryText({ entity_type: ['permit'], q: 'a b' }), 'entity_type=permit&q=a+b')
  })

  test('a walk along the chain remembers the break, and whether the noted head is still there', () => {
    const start = { checked: 0, broken: null, noted: null, head: null }
    const first = chainOf(start, 'ok, holds', '12;ab', 8)
    assert.deepEqual(first, { checked: 8, broken: null, noted: 'holds', head: '12;ab' })
    assert.deepEqual(chainOf(first, 'broken;seq=3', null, 4), { checked: 12, broken: 3, noted: 'holds', head: '12;ab' })
    assert.equal(chainOf(start, 'ok, differs', '12;ab', 1).noted, 'differs')
  })

  test('§15 all entries of a verified log are counted, with those that this person can’t see', () => {
    const chain = chainOf({ checked: 0, broken: null, noted: null, head: null }, 'ok', '2419;ab', 2408)
    assert.equal(lengthOf(chain), 2419)
    assert.equal(lengthOf({ head: null }), 0)
  })

  test('a long value is cut', () => {
    assert.equal(valueText(null), null)
    assert.deepEqual(['[hidden]', '[erased]', '[unreadable]', 'hidden', null].map(unseenBecause), [
      'hidden',
      'erased',
      'unreadable',
      null,
      null,
    ])
    assert.equal(valueText({ a: 1 }), '{"a":1}')
    assert.equal(valueText('x'.repeat(500))?.length, 401)
  })
})
