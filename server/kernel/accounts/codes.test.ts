import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant } from '../../../shared/time.ts'
import { appUrl, newRecoveryCodes, newSecret, recoveryHash, stepOfCode, typedCode } from './actions/codes.ts'

/** The secret of the test vectors of RFC 6238, appendix B: "12345678901234567890". */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** Seconds since 1970, and the last six of the eight digits that the RFC lists for SHA-1. */
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

describe('codes of the second factor', () => {
  test('10.4 the codes are those of RFC 6238, and a code is valid in its own thirty seconds and the thirty before and after', () => {
    for (const [seconds, code] of RFC_CODES) {
      const step = Math.floor(seconds / 30)
      const at = (second: number) => stepOfCode(RFC_SECRET, code, instant(second * 1000))
      assert.equal(at(seconds), step, code)
      const [begin, end] = [step * 30, step * 30 + 29]
      assert.deepEqual([at(begin - 30), at(end + 30)], [step, step], `${code}: one step of drift`)
      assert.deepEqual([at(begin - 31), at(end + 31)], [null, null], `${code}: two steps`)
    }
    for (const wrong of ['', '28708', '2870822', '000000', '28708x', ' 87082'])
      assert.equal(stepOfCode(RFC_SECRET, wrong, instant(59_000)), null)
  })

  test('10.4 a secret has 160 random bits, and the app gets it with the name, the digits and the step that it needs', () => {
    const secrets = Array.from({ length: 50 }, newSecret)
    assert.equal(new Set(secrets).size, 50)
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
    const url = new URL(appUrl(RFC_SECRET, 'ana+site@example.com'))
    assert.equal(url.protocol, 'otpauth:')
    assert.match(decodeURIComponent(url.pathname), /Walkdown:ana\+site@example\.com$/)
    assert.deepEqual(
      ['secret', 'issuer', 'algorithm', 'digits', 'period'].map(name => url.searchParams.get(name)),
      [RFC_SECRET, 'Walkdown', 'SHA1', '6', '30'],
    )
  })

  test('10.4 ten recovery codes have 120 bits each, use every letter evenly, and are read however they are typed', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCodes).flat()
    assert.deepEqual([codes.length, new Set(codes).size], [2000, 2000])
    const counts = new Map<string, number>()
    for (const code of codes) {
      assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
      for (const letter of code.replaceAll('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    assert.equal(counts.size, 32)
    for (const [letter, count] of counts) assert.ok(count > 1200 && count < 1800, `${letter}: ${count} of 48,000`)
    const code = '0123-4567-89AB-CDEF-GHJK-MNPQ'
    const hash = recoveryHash(code)
    assert.match(hash, /^[0-9a-f]{64}$/)
    for (const typed of [
      code,
      code.toLowerCase(),
      code.replaceAll('-', ' '),
      ` ${code.replaceAll('-', '–')}\n`,
      'OI23-4567-89AB-CDEF-GHJK-MNPQ',
    ])
      assert.deepEqual(typedCode(typed), { kind: 'recovery_code', hash }, typed)
    for (const typed of ['', 'x', code.slice(0, -1), `${code}0`, code.replace('A', 'U')])
      assert.deepEqual(typedCode(typed), { kind: 'neither' }, typed)
    assert.deepEqual(typedCode('123 456'), { kind: 'code', code: '123456' })
  })
})
