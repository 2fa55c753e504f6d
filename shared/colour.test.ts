import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { farthestColours, oklab } from './colour.ts'

const apart = (one: string, other: string) => Math.hypot(...oklab(one).map((part, i) => part - (oklab(other)[i] ?? 0)))

describe('colours', () => {
  test('§6 the colours that are offered are far from those in use, far from each other, and never look like an alarm', () => {
    const used = ['#128189', '#128185', '#9a75da']
    const offered = farthestColours(used, 4)
    assert.equal(new Set(offered).size, 4)
    offered.forEach((colour, i) => {
      for (const other of [...used, ...offered.slice(0, i)]) assert.ok(apart(colour, other) > 0.1, `${colour} and ${other}`)
      const [, a, b] = oklab(colour)
      const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
      assert.ok(hue <= 16 || hue >= 43.5, `${colour} has the hue ${hue}`)
    })
    // The first is the farthest: no other candidate has more room around it.
    const room = (colour: string) => Math.min(...used.map(other => apart(colour, other)))
    assert.ok(farthestColours([], 40).every(other => room(other) <= room(offered[0] ?? '') + 1e-9))
  })

  test('§6 a site without contractors gets colours that differ from each other, too', () => {
    const offered = farthestColours([], 4)
    for (const one of offered) for (const other of offered) assert.ok(one === other || apart(one, other) > 0.1)
  })
})
