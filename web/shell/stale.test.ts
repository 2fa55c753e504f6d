import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { stale } from './rooms.ts'

describe('which queries an event makes stale', () => {
  test('an event of a step contains the id of its permit: lists can update just that permit, and an open permit is refetched', () => {
    const [lists, one] = stale.by({ topic: 'permits', kind: 'permit.endorsed', entity_type: 'permit', ids: ['p1'], more: false })
    assert.deepEqual([lists?.names.includes('permits'), lists?.ids, one], [true, ['p1'], { names: ['permit p1'], ids: null }])
    assert.equal(
      stale.by({ topic: 'permits', kind: 'permit.expired', entity_type: 'permit', ids: ['p1'], more: true })[0]?.ids,
      null,
      'there are more',
    )
  })

  test('a step of a permit doesn’t make settings stale, and a changed setting is refetched', () => {
    const [lists] = stale.by({ topic: 'permits', kind: 'permit.endorsed', entity_type: 'permit', ids: ['p1'] })
    assert.deepEqual(
      ['settings', 'workflow', 'rules'].filter(name => lists?.names.includes(name)),
      [],
    )
    assert.deepEqual(stale.by({ topic: 'site', kind: 'notification_rule.changed', entity_type: 'notification_rule', ids: ['r1'] }), [
      { names: ['rules'], ids: null },
    ])
  })

  test('merged events make everything of their topic stale', () => {
    const [merged] = stale.by({ topic: 'site' })
    for (const name of ['members', 'contractors', 'rules', 'site']) assert.ok(merged?.names.includes(name), name)
    assert.ok(stale.by({ topic: 'permits' })[0]?.names.includes('permit'), 'whichever permit is open')
    assert.deepEqual(stale.by({ topic: 'weather' }), [{ names: ['weather'], ids: null }])
  })

  test('every name is the name of a query', () => {
    const web = globSync('web/**/*.{ts,tsx}', { exclude: ['**/*.test.ts'] }).map(file => readFileSync(file, 'utf8'))
    const asked = new Set(web.flatMap(text => [...text.matchAll(/(?:queryKey: |ME = )\['([\w-]+)'/g)].map(([, name]) => name)))
    assert.deepEqual(
      stale.everything.filter(name => !asked.has(name)),
      [],
    )
  })
})
