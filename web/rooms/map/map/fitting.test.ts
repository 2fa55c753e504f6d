import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cornerOf, paddingFor } from './fitting.ts'

describe('the map: the panel of a selected building', () => {
  test('9.27 on maps of every size, a panel of every height is inside the map and doesn’t cover the building that the map has moved to', () => {
    for (const width of [358, 700, 1400])
      for (let height = 380; height <= 1100; height += 40)
        for (let tall = 60; tall <= height - 120; tall += 20) {
          const [map, panel] = [
            { width, height },
            { width: Math.min(330, width - 16), height: tall },
          ]
          const { top, bottom, left, right } = paddingFor(map, panel)
          assert.ok(top + bottom < height && left + right < width, 'there is room for the building')
          // The tallest building that fits: its top is where the padding ends.
          const corner = cornerOf(map, panel, { x: left + (width - left - right) / 2, y: top })
          assert.ok(corner.top >= 0 && corner.left >= 0 && corner.left + panel.width <= width, 'the panel is inside the map')
          assert.ok(
            corner.top + panel.height <= top,
            `a panel of ${tall} px on a map of ${height} px covers ${corner.top + panel.height - top} px of it`,
          )
        }
  })

  test('9.27 without a panel, a building is in the lower half; a marker’s panel is below it where there is no room above', () => {
    const map = { width: 700, height: 600 }
    assert.equal(paddingFor(map, null).top, 280)
    assert.deepEqual(cornerOf(map, { width: 330, height: 200 }, { x: 10, y: 40 }), { left: 8, top: 62 })
    assert.deepEqual(cornerOf(map, { width: 330, height: 200 }, { x: 690, y: 400 }), { left: 362, top: 178 })
  })
})
