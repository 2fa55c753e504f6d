import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyOf, startOf, withStyle } from './label-typed.ts'
import { byText, labelName, labelsWith, plateSize } from './labels.ts'
import { layersOf } from './layers.ts'
import type { LabelStyles } from './looks.ts'
import { nearTo } from './model.ts'
import type { TextLabel } from './signs.ts'

const plain = {
  ...{ key: 'note', name: 'Note', text_colour: '#111111', halo_colour: '#ffffff', halo_px: 2, background: null, border_colour: null },
  ...{ weight: 'regular', italic: false, uppercase: false, size_px: 14, padding_px: 2, sort: 0 },
} as const
const warning = {
  ...plain,
  key: 'warning',
  background: '#b42318',
  text_colour: '#ffffff',
  weight: 'bold',
  uppercase: true,
  size_px: 20,
} as const
const styles = { styles: [plain, warning], layers: {} } as unknown as LabelStyles // the parts of the styles that are read
const POINT = { lon: -0.02, lat: 51.5 }
const label = (more: object = {}) =>
  ({
    ...{ id: 'a', text: 'One way', style_key: 'note', size_px: 14, rotation_deg: 0, anchor: 'center', min_zoom: 0, max_zoom: 24 },
    ...{ contractor_id: null, start_at: '2026-03-16T09:00:00.000Z', end_at: null, notes: null, place: { point: POINT } },
    ...more,
  }) as unknown as TextLabel // the parts of a label that are read

describe('the map: text labels', () => {
  test('§6 each label is drawn in its own style; one whose style isn’t known is drawn as a note', () => {
    const layer = layersOf('light', false, styles).find(one => one.id === 'words') as unknown as {
      layout: Record<string, unknown>
      paint: Record<string, unknown>
    } // a layer with text
    const byStyle = (note: unknown, other: unknown) => ['match', ['get', 'style'], 'note', note, 'warning', other, note]
    assert.deepEqual(
      layer.layout['text-font'],
      byStyle(
        ['literal', ['IBM Plex Sans Regular', 'IBM Plex Sans', 'sans-serif']],
        ['literal', ['IBM Plex Sans Bold', 'IBM Plex Sans', 'sans-serif']],
      ),
    )
    assert.deepEqual(layer.layout['text-transform'], byStyle('none', 'uppercase'))
    assert.deepEqual(layer.layout['icon-image'], byStyle('', ['concat', 'plate-warning', ['get', 'fit']]))
    assert.deepEqual(layer.paint['text-color'], byStyle('#111111', '#ffffff'))
    assert.deepEqual(layer.layout['text-size'], ['get', 'size'])
    assert.deepEqual([layer.layout['text-rotate'], layer.layout['icon-rotate']], Array(2).fill(['get', 'turn']))
    const dark = layersOf('dark', false, styles).find(one => one.id === 'words') as unknown as typeof layer // as above
    assert.deepEqual(dark.paint['text-color'], byStyle('#ffffff', '#ffffff'), 'a halo swaps with the text, a background stays')
  })

  test('§6 until the styles are loaded, labels are drawn in the theme’s own text', () => {
    const layer = layersOf('light', false, null).find(one => one.id === 'words') as unknown as { layout: Record<string, unknown> } // with text
    assert.deepEqual(layer.layout['text-font'], ['literal', ['IBM Plex Sans Bold', 'IBM Plex Sans', 'sans-serif']])
    assert.equal(layer.layout['icon-image'], '')
  })

  test('§6 the size of new words follows their style until the person chooses another', () => {
    const all = styles?.styles ?? []
    const start = startOf(null, { point: POINT }, all)
    assert.deepEqual([start.size_px, start.style_key, start.place], ['14', 'note', { point: POINT }])
    assert.deepEqual(withStyle(start, 'warning', all), { style_key: 'warning', size_px: '20' })
    assert.deepEqual(withStyle({ ...start, size_px: '33' }, 'warning', all), { style_key: 'warning' })
  })

  test('§6 what is typed becomes numbers; a start that is left out is now, and only people who can write for others name a contractor', () => {
    const typed = { ...startOf(null, { point: POINT }, []), text: ' One way\n', rotation_deg: '-30', contractor_id: 'c' }
    const body = bodyOf(typed, false)
    assert.deepEqual([body.text, body.rotation_deg, body.size_px, body.min_zoom, body.max_zoom], ['One way', -30, 14, 0, 24])
    assert.deepEqual(['start_at' in body, 'contractor_id' in body], [false, false])
    assert.equal(bodyOf(typed, true).contractor_id, 'c')
    assert.equal(bodyOf(startOf(label(), null, []), true).start_at, '2026-03-16T09:00:00.000Z')
  })

  test('§6 while a label is moved or turned, only that label changes', () => {
    const all = [label(), label({ id: 'b', rotation_deg: 10 })]
    assert.equal(labelsWith(all, null), all)
    assert.equal(labelsWith(all, { id: 'another', to: [1, 2], turn: null }), all)
    const [a, b] = labelsWith(all, { id: 'b', to: [1, 2], turn: 40 })
    assert.equal(a, all[0])
    assert.deepEqual([b?.rotation_deg, b?.place.point], [40, { lon: 1, lat: 2 }])
    assert.equal(labelsWith(all, { id: 'b', to: [1, 2], turn: null })[1]?.rotation_deg, 10)
  })

  test('§6 the box behind turned words has about their size, however long they are', () => {
    assert.equal(plateSize({ text: 'One way', size_px: 20 }), '-80x24')
    assert.equal(plateSize({ text: 'One way\nfor lorries', size_px: 20 }), '-128x48')
    assert.equal(plateSize({ text: 'x', size_px: 8 }), '-16x10')
    assert.equal(plateSize({ text: 'Long '.repeat(20).trim(), size_px: 72 }), '-512x92', 'three lines, in the proportions of the text')
  })

  test('§6 a label that is drawn only further in is shown there when it is chosen in the list', () => {
    assert.equal(nearTo([0, 0], 21)?.zoom, 21)
    assert.equal(nearTo([0, 0], 3)?.zoom, nearTo([0, 0])?.zoom)
  })

  test('§6 the list has labels in the order of their text, each by its first line', () => {
    const all = [label({ id: 'a', text: 'No access\nbefore 09:00' }), label({ id: 'b', text: 'Haul road' })]
    assert.deepEqual(byText(all).map(labelName), ['Haul road', 'No access'])
  })
})
