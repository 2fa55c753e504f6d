import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature } from './model.ts'
import { bodyOf, cornersOf, formOf, groundOfCorners, hasHoles, joined, levelsFrom, parted } from './sketching.ts'

const ring = [
  [0, 50],
  [1, 50],
  [1, 51],
  [0, 50],
]

describe('drawing: between the map, typed corners and the service', () => {
  test('typed corners are read back as they were written, latitude first', () => {
    const ground = groundOfCorners('50, 0\n50; 1\n\n51 1')
    assert.deepEqual(ground, { type: 'Polygon', coordinates: [ring] })
    assert.equal(cornersOf(ground as { type: 'Polygon'; coordinates: number[][][] }), '50, 0\n50, 1\n51, 1')
  })

  test('an error shows the line that isn’t a corner; too few corners make no area', () => {
    assert.equal(groundOfCorners('50, 0\nnorth\n51, 1'), 'north')
    assert.equal(groundOfCorners('50, 0\n95, 1\n51, 1'), '95, 1')
    assert.equal(groundOfCorners('50, 0, 3\n51, 1'), '50, 0, 3')
    assert.equal(groundOfCorners('50, 0\n51, 1'), null)
    assert.equal(groundOfCorners(''), null)
  })

  test('one polygon is a polygon, two are several; holes are not drawn, but reported', () => {
    assert.equal(joined([]), null)
    assert.equal(joined([[ring]])?.type, 'Polygon')
    const two = joined([[ring], [ring]])
    assert.equal(two?.type, 'MultiPolygon')
    assert.equal(two === null ? 0 : parted(two).length, 2)
    const holed = { type: 'Polygon' as const, coordinates: [ring, ring] }
    assert.equal(hasHoles(holed), true)
    assert.deepEqual(parted(holed), [[ring]])
  })

  test('levels keep their details; new ones are named; invalid input changes nothing', () => {
    const known = [{ index: 0, name: 'Lobby', aliases: ['G'], floor_elevation_m: 1, height_m: 4 }]
    const levels = levelsFrom(known, -1, 1, index => `L${index}`)
    assert.deepEqual(
      levels.map(level => level.name),
      ['L-1', 'Lobby', 'L1'],
    )
    assert.equal(levelsFrom(known, 3, 1, String), known)
    assert.equal(levelsFrom(known, 0, Number.NaN, String), known)
  })

  test('other names are read one per line, without duplicates, and can contain commas; a zone keeps its contractor unless an empty choice removes it', () => {
    const ground = { type: 'Polygon' as const, coordinates: [ring] }
    const form = { ...formOf(null), name: 'Yard', aliases: ' North yard, east half \n\nLD1\nLD1', contractor_id: 'contractor' }
    const body = bodyOf('zone', form, ground, [], String)
    assert.deepEqual(body.aliases, ['North yard, east half', 'LD1'])
    assert.equal('contractor_id' in body && body.contractor_id, 'contractor')
    assert.equal('contractor_id' in bodyOf('building', form, ground, [], String), false)
    const none = bodyOf('zone', { ...form, contractor_id: '' }, ground, [], String)
    assert.equal('contractor_id' in none ? none.contractor_id : 'absent', null)
  })

  test('a zone outside buildings sends no levels, and an empty code is sent as null', () => {
    const form = { ...formOf(null), name: ' Yard ', level_from: '3' }
    const body = bodyOf('zone', form, { type: 'Polygon', coordinates: [ring] }, [] as Feature['levels'], String)
    assert.deepEqual(
      { name: body.name, code: body.code, from: 'level_from' in body ? body.level_from : 'absent' },
      { name: 'Yard', code: null, from: null },
    )
    assert.equal('levels' in body, false)
  })
})
