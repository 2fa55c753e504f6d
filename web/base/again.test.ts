import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { againAfter, BUSY_TRIES, isBusy, isWorthAgain, isWorthSendingAgain, retryAfterOf } from './again.ts'

const fault = (status: number, retry_after: number | null = null) => ({ status, retry_after, unreached: status === 0 })

describe('trying again', () => {
  test('10.6 a read that a busy service refused is repeated after the time that the service gave or a little later, never sooner, and not endlessly', () => {
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

  test('10.6 a call to something that isn’t set up, or that was refused, is not repeated as if the service were busy', () => {
    assert.deepEqual([isBusy(fault(503)), isBusy(fault(429, 5)), isBusy(fault(503, 1))], [false, false, true])
    for (const status of [400, 403, 404, 409, 429, 500, 507]) assert.equal(isWorthAgain(0, fault(status)), false, String(status))
    for (const status of [0, 502, 503, 504])
      assert.deepEqual([isWorthAgain(1, fault(status)), isWorthAgain(2, fault(status))], [true, false])
  })

  test('10.6 Retry-After is read in seconds', () => {
    const read = (text: string | null) => retryAfterOf({ get: () => text })
    assert.deepEqual([read('2'), read(null), read('Wed, 21 Oct 2026 07:28:00 GMT'), read('-1'), read('')], [2, null, null, null, null])
  })

  test('740 a form’s call is sent again twice, only to a busy service, and only where sending it twice has one effect', async () => {
    const call = (headers: Record<string, string>) => ({ headers: new Headers(headers) })
    const answer = (status: number, headers: Record<string, string>, error: object = { code: 'unavailable' }) =>
      new Response(JSON.stringify({ error }), { status, headers })
    const busy = (error?: object) => answer(503, { 'retry-after': '2' }, error)
    const keyed = call({ 'idempotency-key': 'k' })
    const versioned = call({ 'if-match': '"3"' })
    for (const one of [keyed, versioned])
      assert.deepEqual(await Promise.all([1, 2, 3].map(failures => isWorthSendingAgain(failures, one, busy()))), [true, true, false])
    assert.equal(await isWorthSendingAgain(1, call({}), busy()), false, 'a read, or a call that could take effect twice')
    for (const other of [answer(503, {}), answer(429, { 'retry-after': '2' }), answer(507, { 'retry-after': '60' }), answer(409, {})])
      assert.equal(await isWorthSendingAgain(1, keyed, other), false)
    const doubt = { code: 'unavailable', in_doubt: true }
    assert.deepEqual(
      await Promise.all([keyed, versioned].map(one => isWorthSendingAgain(1, one, busy(doubt)))),
      [true, false],
      'perhaps it was saved: then only a key makes it safe',
    )
    const page = new Response('<h1>Busy</h1>', { status: 503, headers: { 'retry-after': '2' } })
    assert.equal(await isWorthSendingAgain(1, versioned, page), false, 'not from the service: what it did is unknown')
  })
})
