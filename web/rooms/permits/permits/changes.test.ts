import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { didOf } from './changes.ts'

describe('the history of a permit', () => {
  test('an approved extension request isn’t shown as an approved permit, and a bulk close-out and a copy are shown in words', () => {
    const did = (cause: string, changed = 0) => didOf({ cause }, changed)
    assert.equal(did('permit.approve'), 'approved it')
    assert.equal(did('permit_extension.approve', 1), 'approved an extension request')
    assert.equal(did('permit.close_out_bulk'), 'closed it out')
    assert.equal(did('permit.close_out'), 'closed it out')
    assert.equal(did('permit.reissue'), 'created it as a copy of another permit')
    assert.deepEqual([did('permit.edit'), did('permit.edit', 2)], ['saved it without changes', 'changed 2 fields'])
  })
})
