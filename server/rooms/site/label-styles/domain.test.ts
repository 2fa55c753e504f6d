import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentFaults, documentFrom, LAYERS, REGISTRY, SHIPPED, warningsOf } from './domain.ts'

const note = { key: 'note' }

describe('label styles', () => {
  test('§7 the standard document is valid and readable, and labels every layer with fields of its registry', () => {
    assert.deepEqual(documentFaults(SHIPPED), [])
    assert.deepEqual(warningsOf(SHIPPED), [])
    assert.deepEqual(
      SHIPPED.styles.map(style => style.key),
      ['note', 'title', 'warning', 'route', 'restriction'],
    )
    for (const name of LAYERS) {
      const { fields, visible, min_zoom } = SHIPPED.layers[name]
      assert.ok(visible && min_zoom > 0 && fields.every(field => field in REGISTRY[name]), name)
    }
    assert.deepEqual(documentFrom(SHIPPED), SHIPPED)
  })

  test('§7 a property that is left out gets its default; a layer whose standard style is missing is drawn as a note', () => {
    const { styles, layers } = documentFrom({
      styles: [note, { key: 'big', size_px: 40, text_colour: '#ABCDEF' }],
      layers: { zone: { visible: false, style_key: 'big' } },
    })
    assert.deepEqual(
      styles.map(style => [style.key, style.name, style.size_px, style.text_colour, style.sort]),
      [
        ['note', 'note', 14, '#1f2933', 0],
        ['big', 'big', 40, '#abcdef', 1],
      ],
    )
    assert.deepEqual([layers.zone.visible, layers.zone.style_key, layers.zone.min_zoom, layers.alert.style_key], [false, 'big', 17, 'note'])
  })

  test('§7 a missing note, a double key, a layer with an unknown style, and zooms that exclude each other are refused', () => {
    const faults = documentFaults(
      documentFrom({
        styles: [{ key: 'a' }, { key: 'b' }, { key: 'a' }],
        layers: { poi: { style_key: 'gone' }, plant: { min_zoom: 20, max_zoom: 18 } },
      }),
    )
    assert.deepEqual(
      faults.map(f => f.path),
      ['styles[2].key', 'styles', 'layers.plant.min_zoom', 'layers.poi.style_key'],
    )
  })

  test('§7 text under 4.5 : 1 on its halo or background gives a warning', () => {
    const warned = warningsOf(
      documentFrom({
        styles: [
          note,
          { key: 'pale', text_colour: '#999999' },
          { key: 'box', text_colour: '#777777', background: '#ffffff', halo_colour: '#000000' },
          { key: 'ok', text_colour: '#767676' },
          { key: 'bare', halo_px: 0 },
        ],
      }),
    )
    assert.deepEqual(
      warned.map(w => [w.code, w.style_key, w.contrast]),
      [
        ['low_contrast', 'pale', 2.84],
        ['low_contrast', 'box', 4.47],
        ['no_ground', 'bare', null],
      ],
    )
    assert.match(warned[1]?.detail ?? '', /with its background is 4\.47:1/)
  })
})
