import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { HUES } from './layers.ts'

const CSS = readFileSync(new URL('../../permits/permits/permits.css', import.meta.url), 'utf8')

describe('the colours of the map', () => {
  test('9.25 no status is orange, which is only for what waits for the person who looks', () => {
    assert.deepEqual(
      Object.entries(HUES).filter(([, hue]) => hue.startsWith('mine')),
      [],
    )
  })

  test('9.25 each status has the colour of its card', () => {
    const cards = [...CSS.matchAll(/((?:&\.\w+,?\s*)+)\{\s*--hue: var\(--([\w-]+)\)/g)].flatMap(([, statuses = '', hue = '']) =>
      [...statuses.matchAll(/&\.(\w+)/g)].map(([, status = '']) => [status, hue] as const),
    )
    assert.deepEqual(Object.fromEntries(cards.toSorted()), Object.fromEntries(Object.entries(HUES).toSorted()))
  })
})
