import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { againAfter, BUSY_TRIES, isBusy, isWorthAgain, retryAfterOf } from './again.ts'

const fault = (status: number, retry_after: number | null = null) => ({ status, retry_after, unreached: status === 0 })

describe('trying again', () => {
  test('10.6 a read that a busy service refused is repeated after the time that it named or a little later, never sooner, and not endlessly', () => {
    const busy = fault(503, 2)
    for (let failures = 0; failures < BUSY_TRIES; failures++) {
      assert.equal(isWorthAgain(failures, busy), true)
      for (const random of [0, 0.3, 0.999]) assert.ok(againAfter(failures, busy, random) >= 2000, `${failures} ${random}`)
    }
    assert.equal(isWorthAgain(BUSY_TRIES, busy), false)
    assert.notEqual(againAfter(1, busy, 0.1), againAfter(1, busy, 0.9), 'a crowd doesn’t return at the same moment')
    assert.ok(againAfter(4, busy, 0.999) > againAfter(0, busy, 0.999), 'and later each time')
    assert.equal(againAfter(0, fault(503, 86_400), 0.5), 30_000)
    assert.ok(againAfter(0, fault(503, 0), 0) >= 1000)
  })

  test('10.6 what isn’t set up or was refused is not repeated as if the service were busy', () => {
    assert.deepEqual([isBusy(fault(503)), isBusy(fault(429, 5)), isBusy(fault(503, 1))], [false, false, true])
    for (const status of [400, 403, 404, 409, 429, 500, 507]) assert.equal(isWorthAgain(0, fault(status)), false, String(status))
    for (const status of [0, 502, 503, 504])
      assert.deepEqual([isWorthAgain(1, fault(status)), isWorthAgain(2, fault(status))], [true, false])
  })

  test('10.6 Retry-After is read in seconds', () => {
    const read = (text: string | null) => retryAfterOf({ get: () => text })
    assert.deepEqual([read('2'), read(null), read('Wed, 21 Oct 2026 07:28:00 GMT'), read('-1'), read('')], [2, null, null, null, null])
  })
})
