import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressOf } from './finding.ts'
import { spotOfZone, startOfZone } from './zones.ts'

describe('where an empty map starts', () => {
  test('9.20 each time zone of a region starts near its city, and never at the scale of the world', () => {
    assert.deepEqual(spotOfZone('Europe/London'), [0, 52])
    assert.deepEqual(spotOfZone('America/Argentina/Ushuaia'), [-68, -55])
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const [region = ''] = zone.split('/')
      if (!zone.includes('/') || ['Etc', 'SystemV'].includes(region)) continue
      const { view } = startOfZone(zone)
      assert.ok(view.zoom >= 5, zone)
    }
    assert.ok(startOfZone('UTC').view.zoom >= 2)
  })

  test('9.20 the address of a site is searched on one line', () => {
    assert.equal(
      addressOf({ address_lines: ['12 Quay Road', ''], postal_code: 'LS1 4AP', locality: 'Leeds' }),
      '12 Quay Road, LS1 4AP, Leeds',
    )
    assert.equal(addressOf({ address_lines: [], postal_code: null, locality: null }), '')
    assert.equal(addressOf(undefined), '')
  })
})
