import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apartFrom, seenFrom, signsFrom, wordsFrom } from './crowding.ts'
import type { Spot } from './model.ts'
import type { TextLabel } from './signs.ts'
import { reachShapes, tokenShapes } from './token-sources.ts'
import type { Token } from './tokens.ts'
import { wordShapes } from './word-sources.ts'

/** Returns positions on 600 × 400 m. */
const spread = (count: number): Spot[] =>
  Array.from({ length: count }, (_, n) => [-0.09 + ((n * 379) % 997) * 8.68e-6, 51.506 + ((n * 613) % 991) * 3.63e-6])
const gang = (n: number, [lon, lat]: Spot) =>
  // The parts of a record that the map uses.
  ({
    ...{ token: 'worker', id: `g${n}`, name: 'Fixers', headcount: 6, radius_m: 2, no_permit: false, off_place: false, permits: [] },
    ...{ place: { point: { lon, lat } }, colour: '#128189' },
  }) as unknown as Token

describe('many workers and machines on the map', () => {
  test('§0.9 a few are always signs; the more there are on the same ground, the closer people zoom in to see signs instead of dots', () => {
    assert.equal(apartFrom(spread(300)), 0)
    const zooms = [301, 1000, 5000, 20_000].map(count => apartFrom(spread(count)))
    assert.deepEqual(
      zooms,
      zooms.toSorted((a, b) => a - b),
    )
    assert.equal(apartFrom(spread(5000)), 18)
    assert.ok((zooms[0] ?? 0) >= 15 && (zooms[3] ?? 0) <= 20)
    assert.equal(apartFrom(Array.from({ length: 1000 }, (): Spot => [0, 51])), 20, 'at one point they are never apart')
  })

  test('§0.9 none of 5,000 is left out: each is a shape of the source, and the selected one is a sign at every zoom', () => {
    const tokens = spread(5000).map((spot, n) => gang(n, spot))
    const shapes = tokenShapes(tokens, 'g7', new Map())
    assert.equal(shapes.length, 5000)
    const from = signsFrom(tokens)
    assert.equal(from, 18)
    for (const { properties } of shapes) assert.equal(properties.from, properties.id === 'g7' ? 0 : from)
    const few = tokenShapes(tokens.slice(0, 20), null, new Map())
    assert.ok(few.every(({ properties }) => properties.from === 0))
  })

  test('§6 none of 2,000 text labels is left out: zoomed out each is a dot, further in it is words, as far as its own zooms allow', () => {
    const labels = spread(2000).map(([lon, lat], n) => {
      const words = { id: `t${n}`, text: 'No access', style_key: 'note', size_px: 14, rotation_deg: 0, anchor: 'center', colour: null }
      return { ...words, min_zoom: n === 1 ? 20 : 0, max_zoom: 24, place: { point: { lon, lat } } } as unknown as TextLabel // the parts that are drawn
    })
    const shapes = wordShapes(labels, 't7').map(({ properties: { id, dot, from, to } }) => ({ id, dot, from, to }))
    assert.equal(shapes.length, 2000)
    const apart = wordsFrom(labels)
    assert.equal(apart, 18)
    assert.deepEqual(shapes[0], { id: 't0', dot: 0, from: apart, to: 25 })
    assert.deepEqual(shapes[1], { id: 't1', dot: 20, from: 20, to: 25 })
    assert.deepEqual(shapes[7], { id: 't7', dot: 0, from: 0, to: 25 }, 'the selected one is always words')
    assert.ok(wordShapes(labels.slice(0, 300), null).every(({ properties }) => properties.from === properties.dot))
  })

  test('§0.2 ground that a sign hides is drawn from the zoom at which it is larger than the sign', () => {
    assert.equal(seenFrom(2, 51.5), 18)
    assert.equal(seenFrom(12, 51.5), 15)
    assert.ok(seenFrom(500, 51.5) < 11)
    const ground = (chosen: string | null) => reachShapes([gang(1, [-0.09, 51.5])], chosen).map(({ properties }) => properties.from)
    assert.deepEqual([ground(null), ground('g1')], [[18], [0]], 'that of the selected one always')
  })
})
