import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { described, hazardsOf, lastPlaces, titleOf } from './suggestions.ts'

describe('suggestions of a request', () => {
  test('a title is the first line of the work, cut at a word', () => {
    assert.equal(titleOf('\n Weld the rail \nthen paint it'), 'Weld the rail')
    assert.equal(titleOf('  '), null)
    const long = titleOf(`${'drill '.repeat(20)}`) ?? ''
    assert.ok(long.length <= 80 && long.endsWith('drill…'), long)
    assert.ok((titleOf('x'.repeat(300)) ?? '').length <= 80)
  })

  test('the title follows the description until a person writes another one', () => {
    assert.deepEqual(described({ title: 'Weld', description: 'Weld' }, 'Weld it'), { description: 'Weld it', title: 'Weld it' })
    assert.deepEqual(described({ title: 'Rail 3', description: 'Weld' }, 'Weld it'), { description: 'Weld it' })
  })

  test('hazards of several types are offered once; a site’s own type has the general ones', () => {
    assert.deepEqual(
      hazardsOf(['WAH', 'CRO']).filter(one => one === 'Wind'),
      ['Wind'],
    )
    assert.ok(hazardsOf(['BLAST']).includes('Noise'))
  })

  test('the places of the latest permits are suggested without duplicates', () => {
    const at = (location: string | null) => ({ location, place: null })
    assert.deepEqual(
      lastPlaces([at('Roof'), at(null), at('Roof'), at('Pit')]).map(one => one.location),
      ['Roof', 'Pit'],
    )
  })
})
