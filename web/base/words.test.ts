import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { en } from '../words/en.ts'
import { addWords, hasWord, readable, t as tFirst, tOf as tOfFirst } from './words.ts'

const { t, tOf } = addWords({ 'test.up': 'Move {name} up', 'test_kind.tall': 'Tall one' })

describe('texts of the app', () => {
  test('9.26 a name that runs from right to left is isolated in a sentence; others are not', () => {
    assert.equal(t('test.up', { name: 'מעקה 3' }), 'Move \u2068מעקה 3\u2069 up')
    assert.equal(t('test.up', { name: 'درج 3' }), 'Move \u2068درج 3\u2069 up')
    for (const name of ['Stair 3', '三号楼梯', '']) assert.equal(t('test.up', { name }), `Move ${name} up`)
  })

  test('910 a part that is loaded later reads its own texts and the first ones; the types let no other part read its texts', () => {
    assert.deepEqual(
      [t('common.cancel'), tOf('test_kind', 'tall'), tOf('role', 'member')],
      ['Cancel', 'Tall one', tOfFirst('role', 'member')],
    )
    // @ts-expect-error A part that doesn't load this text would show its key.
    tFirst('test.up')
    // @ts-expect-error The same for texts of values.
    tOfFirst('test_kind', 'tall')
    assert.deepEqual([hasWord('nav.board'), hasWord('nav.nowhere')], [true, false])
    assert.deepEqual([tOf('test_kind', 'not_so_tall'), readable('not_so_tall')], ['Not so tall', 'Not so tall'])
  })

  test('910 a key has one text, whichever part of the app brings it', async () => {
    const root = fileURLToPath(new URL('..', import.meta.url))
    const texts = new Map<string, unknown>(Object.entries(en))
    const files = globSync('rooms/**/{texts,*-texts}.ts', { cwd: root })
    assert.ok(files.length > 15, 'they are found')
    for (const file of files)
      for (const part of Object.values<Record<string, unknown>>(await import(`${root}${file}`)))
        for (const [key, text] of Object.entries(part)) {
          assert.equal(key in en, false, `${key} is a first text, and in ${file}`)
          assert.deepEqual(text, texts.get(key) ?? text, `${key} in ${file}`)
          texts.set(key, text)
        }
    const lengths = [...texts].filter(([, text]) => /^\{"one":"\{n\} (minute|hour|day)( by default)?","/.test(JSON.stringify(text)))
    assert.deepEqual(
      lengths.map(([key]) => key).sort(),
      ['length.days', 'length.hours', 'length.minutes'],
      'and a length of time is said by one text everywhere',
    )
  })
})
