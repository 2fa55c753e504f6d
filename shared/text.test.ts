import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slugOf } from './text.ts'

describe('keys made from labels', () => {
  test('9.15 a label in any script has a key that is always the same and differs from that of another label', () => {
    const labels = [
      '动火作业许可',
      '高空作业',
      'تصريح العمل',
      'ריתוך',
      'Огневые работы',
      'ความปลอดภัย',
      '🔥',
      '🔥🔥',
      '🇬🇧',
      'Plan 计划',
      'Plan 图纸',
      'Straße',
    ]
    const keys = labels.map(slugOf)
    for (const [i, key] of keys.entries()) assert.match(key, /^[a-z0-9_]{1,60}$/, labels[i])
    assert.equal(new Set(keys).size, labels.length)
    assert.deepEqual(labels.map(slugOf), keys)
    assert.equal(slugOf(' ОГНЕВЫЕ работы '), slugOf('Огневые работы'))
  })

  test('labels in Latin letters keep the keys that they have always had', () => {
    assert.equal(slugOf('Fire watch named'), 'fire_watch_named')
    assert.equal(slugOf('Gas test < 10 °C, “hot”'), 'gas_test_10_c_hot')
    assert.equal(slugOf('Château étroit'), 'chateau_etroit')
    assert.equal(slugOf('...'), '')
    assert.ok(slugOf(`${'a'.repeat(80)} 计划`).length <= 60)
  })
})
