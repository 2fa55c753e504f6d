import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashPassword, passwordFits } from './door.ts'

describe('hashes of passwords', () => {
  test('10.4 a password is checked exactly as typed: its case, its spaces, and its last character of 128', async () => {
    const typed = ` Kelp ${'ü'.repeat(122)}`
    assert.equal([...typed].length, 128)
    const hash = await hashPassword(typed)
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await passwordFits(typed, hash), true)
    for (const other of [typed.trim(), typed.toLowerCase(), typed.slice(0, -1), `${typed.slice(0, -1)}u`, `${typed} `, ''])
      assert.equal(await passwordFits(other, hash), false, other)
    assert.notEqual(hash, await hashPassword(typed), 'each hash has a salt of its own')
    assert.equal(await passwordFits(typed, null), false)
  })
})
