import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { t } from './words.ts'

describe('texts of the app', () => {
  test('9.26 a name that runs from right to left is isolated in a sentence; others are not', () => {
    assert.equal(t('settings.up', { name: 'מעקה 3' }), 'Move \u2068מעקה 3\u2069 up')
    assert.equal(t('settings.up', { name: 'درج 3' }), 'Move \u2068درج 3\u2069 up')
    for (const name of ['Stair 3', '三号楼梯', '']) assert.equal(t('settings.up', { name }), `Move ${name} up`)
  })
})
