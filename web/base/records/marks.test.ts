import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extended, isDrawn, type Mark, markedCaption, markedName, pathOf, penOf, within } from './marks.ts'

const SIZE = { width: 1600, height: 1200 }
const begun = (tool: Mark['tool']): Mark => ({ tool, from: [100, 200], way: [] })

describe('marks on a copy of a photo', () => {
  test('§4 a line keeps its whole way; an arrow and a ring keep only where they end', () => {
    const way = [
      [150, 200],
      [150, 260],
    ] as const
    const [line, arrow, ring] = (['line', 'arrow', 'ring'] as const).map(tool => way.reduce(extended, begun(tool)))
    assert.equal(pathOf([line ?? begun('line')], 10), 'M100 200L150 200L150 260')
    assert.deepEqual(arrow?.way, [[150, 260]])
    assert.deepEqual(ring?.way, [[150, 260]])
  })

  test('§4 an arrow ends with a head at its tip, which is never longer than the arrow', () => {
    const path = pathOf([extended(begun('arrow'), [300, 200])], 10)
    assert.match(path, /^M100 200L300 200M/)
    // Both sides of the head end 7 pens from the tip, one above and one below the shaft.
    const sides = [...path.matchAll(/M(\S+) (\S+)L300 200L(\S+) (\S+)$/g)].flatMap(([, ...values]) => values.map(Number))
    const [x = 0, y = 0, other_x = 0, other_y = 0] = sides
    for (const [side_x, side_y] of [
      [x, y],
      [other_x, other_y],
    ] as const)
      assert.ok(Math.abs(Math.hypot(300 - side_x, 200 - side_y) - 70) < 0.2)
    assert.ok((y - 200) * (other_y - 200) < 0)
    const short = pathOf([extended(begun('arrow'), [120, 200])], 10)
    const [, short_x = ''] = /M(\S+) \S+L120 200L/.exec(short) ?? []
    assert.ok(Number(short_x) >= 100, short)
  })

  test('§4 a ring lies between its corners, in whichever direction it is drawn', () => {
    const path = 'M100 250A100 50 0 0 1 300 250A100 50 0 0 1 100 250Z'
    assert.equal(pathOf([extended(begun('ring'), [300, 300])], 10), path)
    assert.equal(pathOf([{ tool: 'ring', from: [300, 300], way: [[100, 200]] }], 10), path)
  })

  test('§4 a tap isn’t a mark, and a mark stays within the picture', () => {
    const pen = penOf(SIZE)
    assert.equal(isDrawn(begun('ring'), SIZE), false)
    assert.equal(isDrawn(extended(begun('ring'), [100 + pen, 200]), SIZE), false)
    assert.equal(isDrawn(extended(begun('ring'), [100 + pen * 3, 200]), SIZE), true)
    // A line that comes back to where it began is a loop, not a tap.
    const loop = extended(extended(begun('line'), [400, 200]), [100, 200])
    assert.equal(isDrawn(loop, SIZE), true)
    assert.deepEqual(within([-4, 1300], SIZE), [0, 1200])
    assert.equal(pathOf([begun('arrow')], 10), '')
  })

  test('§4 the copy has the name of the photo, says that it is marked once, and is a JPEG', () => {
    assert.equal(markedName('gate.heic'), 'gate (marked).jpg')
    assert.equal(markedName('gate (marked).jpg'), 'gate (marked).jpg')
    assert.equal(markedName('Level 2. Slab poured'), 'Level 2. Slab poured (marked).jpg')
    assert.equal(markedName('.jpg'), '.jpg (marked).jpg')
    assert.equal(markedCaption('Slab poured', 500), 'Slab poured (marked)')
    assert.equal(markedCaption('Slab poured (marked)', 500), 'Slab poured (marked)')
    assert.equal(markedCaption('x'.repeat(500), 500), `${'x'.repeat(491)} (marked)`)
  })
})
