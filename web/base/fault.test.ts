import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asFault } from './fault.ts'

describe('faults', () => {
  test('a call that can’t reach the service says so, and nothing about the page: the person may be saving a form on it', () => {
    const fault = asFault(new TypeError('Failed to fetch'))
    assert.deepEqual([fault.unreached, fault.code], [true, 'unreached'])
    assert.equal(fault.message, 'The service can’t be reached. Check your connection, then try again.')
  })
})
