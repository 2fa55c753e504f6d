import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contrast } from '../../../base/theme/contrast.ts'
import { THEMES } from '../../../base/theme/themes.ts'
import { bodyOf, sampleOf, startOf, withStyle } from './label-typed.ts'
import { byText, labelName, labelsWith, plateSize, withOwnColours } from './labels.ts'
import { layersOf } from './layers.ts'
import { type LabelStyles, ownInk, ownLook } from './looks.ts'
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
    ...{ contractor_id: null, colour: null, start_at: '2026-03-16T09:00:00.000Z', end_at: null, notes: null, place: { point: POINT } },
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
    const unlessOwn = (own: unknown, rest: unknown) => ['case', ['has', 'colour'], own, rest]
    assert.deepEqual(layer.paint['text-color'], unlessOwn(['get', 'colour'], byStyle('#111111', '#ffffff')))
    assert.deepEqual(layer.paint['text-halo-color'], unlessOwn(['get', 'day'], byStyle('#ffffff', '#ffffff')))
    assert.deepEqual(layer.layout['text-size'], ['get', 'size'])
    assert.deepEqual([layer.layout['text-rotate'], layer.layout['icon-rotate']], Array(2).fill(['get', 'turn']))
    const dark = layersOf('dark', false, styles).find(one => one.id === 'words') as unknown as typeof layer // as above
    assert.deepEqual(dark.paint['text-halo-color'], unlessOwn(['get', 'night'], byStyle('#111111', '#ffffff')))
    assert.deepEqual(
      dark.paint['text-color'],
      unlessOwn(['get', 'colour'], byStyle('#ffffff', '#ffffff')),
      'a halo swaps with the text, a background stays',
    )
  })

  test('§6 a label with its own colour is drawn in it, with a halo that makes it legible in every theme; its contractor’s colour isn’t its own', () => {
    for (const colour of ['#000000', '#ffffff', '#ffff00', '#767676', '#777777', '#c00000'])
      for (const theme of THEMES) {
        const ink = ownInk(colour, 0, theme)
        assert.equal(ink.text, colour)
        assert.ok(contrast(ink.text, ink.halo) >= 4.5 && ink.halo_px > 0, `${colour} ${theme} ${ink.halo}`)
      }
    const all = [
      label({ id: 'a', colour: '#c00000' }),
      label({ id: 'b', colour: '#00c000', contractor_id: 'c' }),
      label({ id: 'd', colour: '#0000c0', contractor_id: 'c' }),
      label({ id: 'e', colour: null }),
    ]
    const own = (contractors?: { id: string; colour: string }[]) => withOwnColours(all, contractors).map(one => one.colour)
    assert.deepEqual(own([{ id: 'c', colour: '#00c000' }]), ['#c00000', null, '#0000c0', null])
    assert.deepEqual(own(), ['#c00000', null, null, null], 'until the contractors are loaded')
    assert.deepEqual([ownLook('#ffff00'), ownLook(null)], [{ colour: '#ffff00', day: '#000000', night: '#000000' }, {}])
  })

  test('§6 the form shows the words in their style, size, direction and colour while they are typed', () => {
    const all = styles?.styles ?? []
    const typed = { ...startOf(null, null, all), text: ' One way ', style_key: 'warning', size_px: '33', rotation_deg: '-30' }
    const sample = sampleOf(typed, all)
    assert.deepEqual([sample?.text, sample?.turn, sample?.colour, sample?.style.size_px], ['One way', -30, null, 33])
    assert.equal(sample?.style.background, warning.background)
    const half = sampleOf({ ...typed, size_px: '', rotation_deg: '-', style_key: 'removed', colour: '#c00000' }, all)
    assert.deepEqual([half?.turn, half?.colour, half?.style], [0, '#c00000', plain], 'half typed, in a style that was removed')
    assert.equal(sampleOf(typed, []), null)
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
