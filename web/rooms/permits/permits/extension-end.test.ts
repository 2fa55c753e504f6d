import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanEnd } from './extension-end.ts'

const END = '2026-03-16T18:00:00.000Z'
const at = (severity: 'red' | 'amber', from_at: string | null) => ({ severity, from_at })

describe('how far a permit can be extended', () => {
  test('§4.6 until the first red conflict that an extension adds; amber ones and hidden ones offer no time', () => {
    const [seven, eight] = ['2026-03-16T19:00:00.000Z', '2026-03-16T20:00:00.000Z']
    assert.equal(cleanEnd([at('red', eight), at('amber', END), at('red', seven)], END), seven)
    assert.equal(cleanEnd([at('amber', seven)], END), null)
    assert.equal(cleanEnd([at('red', seven), at('red', null)], END), null)
    assert.equal(cleanEnd([at('red', END)], END), null, 'it begins where the permit ends')
    assert.equal(cleanEnd([], END), null)
  })
})
