import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { layersOf } from './layers.ts'
import { type LabelStyles, labelOf, lookOf, plateOf } from './looks.ts'
import type { Feature } from './model.ts'

const plain = {
  ...{ key: 'note', name: 'Note', text_colour: '#111111', halo_colour: '#ffffff', halo_px: 2, background: null, border_colour: null },
  ...{ weight: 'regular', italic: false, uppercase: false, size_px: 14, padding_px: 2, sort: 0 },
} as const
const layer = { visible: true, min_zoom: 16, max_zoom: 24, style_key: 'note', fields: ['name'], max_chars: 30 }
const styles = (more: Partial<typeof layer> = {}, style: object = {}): LabelStyles =>
  ({
    styles: [plain, { ...plain, key: 'title', weight: 'bold', italic: true, uppercase: true, size_px: 20, ...style }],
    layers: { area: layer, building: { ...layer, style_key: 'title', ...more }, zone: layer },
  }) as unknown as LabelStyles // the parts of a feature that the map uses
const feature = { kind: 'building', code: 'T', name: 'Tower', zone_type: null, contractor_id: 'c' } as Feature
const says = { zone_type: (code: string) => code, contractor: (id: string) => (id === 'c' ? 'ACME' : null) }

describe('the map: label styles', () => {
  test('9.19 a label shows the fields that the site chose, in its order, cut to its length', () => {
    assert.equal(labelOf(feature, styles(), says), 'Tower')
    assert.equal(labelOf(feature, styles({ fields: ['code', 'name', 'contractor_short_name'] }), says), 'T · Tower · ACME')
    assert.equal(labelOf(feature, styles({ max_chars: 4 }), says), 'Tow…')
    assert.equal(labelOf(feature, null, says), 'T · Tower', 'until the styles are loaded')
    const block = { ...feature, code: 'A', name: 'Block A' }
    assert.equal(labelOf(block, styles({ fields: ['code', 'name'] }), says), 'Block A', 'a code that the name contains is said once')
    assert.equal(labelOf(block, styles({ fields: ['code'] }), says), 'A')
    assert.equal(labelOf(block, null, says), 'Block A')
    assert.equal(labelOf({ ...block, name: 'Next to a crane' }, null, says), 'A · Next to a crane', 'an article isn’t a code')
  })

  test('9.19 the map draws each layer in the style that the site chose, and leaves out what the site hides', () => {
    const drawn = (given: LabelStyles) => layersOf('light', false, given).find(one => one.id === 'buildings-label')
    const made = drawn(styles({}, { text_colour: '#123456' })) as unknown as {
      minzoom: number
      layout: Record<string, unknown>
      paint: Record<string, unknown>
    }
    assert.equal(made.minzoom, 16)
    assert.equal(made.layout['text-size'], 20)
    assert.equal(made.layout['text-transform'], 'uppercase')
    assert.deepEqual(made.layout['text-font'], ['IBM Plex Sans Bold Italic', 'IBM Plex Sans', 'sans-serif'])
    assert.equal(made.paint['text-color'], '#123456')
    assert.equal((drawn(styles({ visible: false })) as typeof made).layout.visibility, 'none')
  })

  test('9.19 on a dark map, text and halo swap colours; text with a background keeps its own', () => {
    assert.equal(lookOf('buildings', styles(), 'dark')?.paint?.['text-color'], '#ffffff')
    assert.equal(lookOf('buildings', styles({}, { background: '#ffff00' }), 'dark')?.paint?.['text-color'], '#111111')
    assert.equal(lookOf('buildings', null, 'dark'), null)
  })

  test('9.19 a background or a border of a style is a box behind the text, with its padding', () => {
    const layout = (style: object) => lookOf('buildings', styles({}, style), 'light')?.layout ?? {}
    assert.equal(layout({})['icon-image'], undefined)
    for (const style of [{ background: '#ffff00' }, { border_colour: '#112233' }]) {
      assert.equal(layout({ ...style, padding_px: 6 })['icon-image'], 'plate-title')
      assert.equal(layout({ ...style, padding_px: 6 })['icon-text-fit'], 'both')
    }
    assert.deepEqual(plateOf({ key: 'a', background: null, border_colour: '#112233', padding_px: 6 }), {
      image: 'plate-a',
      background: null,
      border: '#112233',
      padding: 6,
    })
    assert.equal(plateOf({ key: 'a', background: null, border_colour: null, padding_px: 6 }), null)
  })
})
