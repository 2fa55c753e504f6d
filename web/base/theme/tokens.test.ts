import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contrast } from './contrast.ts'
import { THEMES } from './themes.ts'
import { COLOURS, PAIRS } from './tokens.ts'

describe('the colours of the app', () => {
  test('black on white is 21 : 1, and a colour on itself 1 : 1', () => {
    assert.equal(Math.round(contrast('oklch(0 0 0)', 'oklch(1 0 0)') * 10) / 10, 21)
    assert.equal(contrast('oklch(0.5 0.1 20)', 'oklch(0.5 0.1 20)'), 1)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  })

  for (const theme of THEMES) {
    test(`web.md, Look: every pair of the ${theme} theme is legible (WCAG 2.2 AA; outdoor text 7 : 1)`, () => {
      const poor = PAIRS.flatMap(({ over, on, kind }) => {
        const least = kind === 'part' ? 3 : theme === 'outdoor' ? 7 : 4.5
        const ratio = contrast(COLOURS[theme][over], COLOURS[theme][on])
        return ratio >= least ? [] : [`${over} on ${on}: ${ratio.toFixed(2)}, not ${least}`]
      })
      assert.deepEqual(poor, [])
    })
  }
})
