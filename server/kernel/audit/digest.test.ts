import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from '../../base/ids.ts'
import { canonical, digestOf } from './door.ts'

describe('digests of the audit log', () => {
  test('§15 the fast serialisation gives the same result as RFC 8785 for every value that a row can contain', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    )
    const change = fc.record({ path: fc.string(), before: value, after: value })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.string(), (changes, salt) => {
        assert.equal(digestOf(2, salt, changes), sha256(salt + canonical(changes)))
      }),
      { numRuns: 2000 },
    )
  })

  test('§15 an erased change has the digest of null, and an additional key in a change gives a different digest', () => {
    assert.equal(digestOf(2, '', null), sha256('null'))
    const change = { path: 'a', before: null, after: 1 }
    assert.notEqual(sha256(canonical([{ ...change, more: 1 }])), digestOf(2, '', [change]))
  })
})
