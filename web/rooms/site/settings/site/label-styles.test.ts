import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsWith, keyFor, type Style, withMoved, withoutLayer, withoutStyle, withStyle } from './label-styles.ts'

const style = (key: string, sort: number) => ({ key, name: key, sort }) as Style // the parts that are looked at here
const layer = { visible: true, min_zoom: 14, max_zoom: 24, style_key: 'route', fields: ['name'], max_chars: 30 }
const document = {
  styles: [style('note', 0), style('route', 0), style('title', 5)],
  layers: { area: layer, zone: { ...layer, style_key: 'title' } },
} as unknown as Parameters<typeof withoutStyle>[0] // two of its layers

describe('the settings: label styles', () => {
  test('9.19 a new style gets a key from its name that no other style has', () => {
    assert.equal(keyFor('Crane zone – façade', []), 'crane-zone-facade')
    assert.equal(keyFor('Note', document.styles), 'note-2')
    assert.equal(keyFor('تحذير', [{ key: 'style' }]), 'style-2')
    const long = 'x'.repeat(60)
    assert.deepEqual([keyFor(long, []).length, keyFor(long, [{ key: 'x'.repeat(40) }])], [40, `${'x'.repeat(38)}-2`])
  })

  test('9.19 layers that used a removed style use the note', () => {
    const { styles, layers } = withoutStyle(document, 'route')
    assert.deepEqual(
      styles.map(one => one.key),
      ['note', 'title'],
    )
    assert.deepEqual([layers.area.style_key, layers.zone.style_key], ['note', 'title'])
  })

  test('9.19 a style moves by one position, also where several had the same, and stays at the ends', () => {
    const keys = (key: string, by: -1 | 1) => withMoved(document, key, by).styles.map(one => `${one.key} ${one.sort}`)
    assert.deepEqual(keys('route', -1), ['route 0', 'note 1', 'title 2'])
    assert.deepEqual(keys('route', 1), ['note 0', 'title 1', 'route 2'])
    assert.deepEqual(keys('note', -1), ['note 0', 'route 1', 'title 2'])
  })

  test('9.19 a style is replaced at its position, and added after the last one; a layer that is reset is left out', () => {
    const keys = (at: number) => withStyle(document, at, style('new', 9)).styles.map(one => one.key)
    assert.deepEqual(
      [keys(1), keys(3)],
      [
        ['note', 'new', 'title'],
        ['note', 'route', 'title', 'new'],
      ],
    )
    assert.deepEqual(Object.keys(withoutLayer(document, 'area').layers ?? {}), ['zone'])
  })

  test('9.19 the fields of a label have an order, each appears once, and one that is set to none is removed', () => {
    assert.deepEqual(fieldsWith(['name', 'code'], 0, 'zone_type'), ['zone_type', 'code'])
    assert.deepEqual(fieldsWith(['name'], 1, 'code'), ['name', 'code'])
    assert.deepEqual(fieldsWith(['name', 'code'], 0, 'code'), ['code'])
    assert.deepEqual(fieldsWith(['name', 'code', 'zone_type'], 1, ''), ['name', 'zone_type'])
  })
})
