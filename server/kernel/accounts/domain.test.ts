import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { commonPasswords } from './actions/passwords.ts'
import { LONGEST, type PasswordFacts, passwordFault } from './domain.ts'

const facts: PasswordFacts = { shortest: 15, email: 'ana.ruiz@example.com', sites: ['Riverside Quarter'], common: commonPasswords() }
const fault = (password: string, more: Partial<PasswordFacts> = {}) => passwordFault(password, { ...facts, ...more })

describe('the password rule', () => {
  test('§5 a password of 14 characters is too short, 15 are enough, and 129 are too many', () => {
    assert.match(fault('fourteen chars') ?? '', /at least 15 characters; it has 14/)
    assert.equal(fault('fifteen charact'), null)
    assert.equal(fault('kelp barn tax window'.padEnd(LONGEST, 'ö4')), null)
    assert.match(fault('kelp barn tax window'.padEnd(LONGEST + 1, 'ö4')) ?? '', /at most 128/)
    assert.equal(fault('kelp-bar', { shortest: 8 }), null)
  })

  test('§5 characters are counted as code points after NFC: a letter with its accent is one, and so is an emoji', () => {
    assert.match(fault(`${'e\u0301'.repeat(7)} kelp x`.slice(0, 20)) ?? '', /it has 13/)
    assert.equal(fault('🧱🏗️ kran bagger 🚧🚜'), null)
    assert.match(fault('👷'.repeat(14)) ?? '', /it has 14/)
  })

  test('§5 any Unicode characters and spaces are allowed, and a passphrase of words is accepted', () => {
    for (const good of [
      'wet paint on the door',
      'correct horse battery staple',
      'Zwölf Boxkämpfer jagen',
      'слово не воробей тут',
      '雨の日は現場が静かになる気がする',
      '8362947105628349',
    ])
      assert.equal(fault(good), null, good)
  })

  test('§5 a common password is refused, also repeated, as a keyboard run, or with a year or a few characters added', () => {
    for (const bad of [
      'passwordpassword',
      'Password12345678',
      'qwertyuiopasdfgh',
      '123456789012345',
      'aaaaaaaaaaaaaaaa',
      'abcdefghijklmnop',
      'abcabcabcabcabcabc',
      'iloveyou2!iloveyou2!',
      'Liverpool2026!!!!',
      'zyxwvutsrqponmlk',
      '1qaz2wsx3edc4rfv',
      'Welcome-Password1',
      'sunshinefootball',
    ])
      assert.match(fault(bad) ?? 'taken', /easy to guess/, bad)
    assert.match(fault('12345678', { shortest: 8 }) ?? '', /easy to guess/)
  })

  test('§5 a password that contains the address or the name of the site is refused, however it is written', () => {
    assert.match(fault('my ana.ruiz@example.com 1') ?? '', /email address/)
    assert.match(fault('ANARUIZ is my name here') ?? '', /email address/)
    assert.equal(fault('banana bread in march', { email: 'ana@example.com' }), null, 'a short name is not searched for')
    assert.match(fault('I work at River-side QUARTER') ?? '', /name of the site/)
    assert.equal(fault('I work at River-side QUARTER', { sites: [] }), null)
  })

  test('the built-in list contains more than ten thousand passwords of eight or more characters, in lower case and without duplicates, and states its source', () => {
    const lines = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const words = lines.filter(line => !line.startsWith('# '))
    assert.ok(words.length > 10_000, String(words.length))
    assert.equal(new Set(words).size, words.length)
    assert.ok(words.every(word => word.length >= 8 && word === word.toLowerCase()))
    assert.match(lines[1] ?? '', /MIT/)
  })
})
