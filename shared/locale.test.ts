import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localeAsked, localeOf } from './locale.ts'

test('a language tag is returned in its usual spelling, and null for anything else', () => {
  assert.equal(localeOf('EN-gb'), 'en-GB')
  assert.equal(localeOf('zh-hant-tw'), 'zh-Hant-TW')
  for (const text of ['', ' ', '*', 'en_GB', 'e', 'en-', 'en GB', 'x'.repeat(500), '\ud800']) assert.equal(localeOf(text), null, text)
})

test('the first known language of a header counts', () => {
  assert.equal(localeAsked('de-CH, de;q=0.9, en;q=0.8'), 'de-CH')
  assert.equal(localeAsked('*, fr;q=0.5'), 'fr')
  for (const header of [undefined, '', '*', ';;;', ',,', 'q=1']) assert.equal(localeAsked(header), null, header)
})

test('dates can be written in every language that is returned, whatever the header', () => {
  const parts = fc.constantFrom('en', 'de-DE', 'x', '*', '-', '_', ',', ';', 'q=0.5', ' ', 'u-ca-islamic', 'zzzz')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map(list => list.join('')),
      ),
      header => {
        const locale = localeAsked(header)
        if (locale !== null) new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(0)
      },
    ),
    { numRuns: 1000 },
  )
})
