import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeLog } from './log.ts'

describe('the log of the process', () => {
  const logged = (write: (log: ReturnType<typeof makeLog>) => void): string => {
    let text = ''
    write(makeLog('info', { write: line => (text += line) }))
    return text
  }

  test('10.4 each entry is one line of JSON in UTC, whatever a caller puts into it', () => {
    const forged = 'x\n{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"forged"}\r\n\u2028\u001b[31m'
    const text = logged(log => log.warn({ said: forged, err: new Error(forged) }, forged))
    assert.equal(text.trimEnd().split('\n').length, 1)
    const entry = JSON.parse(text)
    assert.deepEqual([entry.level, entry.said, entry.msg, entry.err.message], ['warn', forged, forged, forged])
    assert.match(entry.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(!text.includes('\u001b') && !text.includes('\r'))
  })

  test('10.4 a password, token or authorization header that is logged by mistake is censored', () => {
    const text = logged(log =>
      log.info({ password: 's3cret', token: 's3cret', authorization: 's3cret', body: { password: 's3cret', token: 's3cret' } }, 'x'),
    )
    assert.ok(!text.includes('s3cret'), text)
    assert.equal(text.match(/\[out\]/g)?.length, 5)
  })
})
