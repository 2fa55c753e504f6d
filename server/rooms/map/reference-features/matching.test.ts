import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { levelsFrom } from './domain/levels.ts'
import { finderOf, type NamedFeature, type PlaceTexts } from './domain/matching.ts'

const feature = (kind: NamedFeature['kind'], id: string, name: string, more: Partial<NamedFeature> = {}): NamedFeature => ({
  kind,
  id,
  name,
  code: null,
  aliases: [],
  levels: [],
  building_id: null,
  level_from: null,
  level_to: null,
  parent_area_id: null,
  ...more,
})
const levels = (from: number, to: number) => levelsFrom(Array.from({ length: to - from + 1 }, (_, i) => ({ index: from + i })))

const A = feature('building', 'A', 'Block A', { code: 'BLK-A', aliases: ['Tower One'], levels: levels(-1, 4), parent_area_id: 'P1' })
const B = feature('building', 'B', 'Block B', { code: 'BLK-B', levels: levels(0, 2) })
const AB = feature('building', 'AB', 'Link A/B', { levels: levels(1, 1) })
const SITE = [
  feature('area', 'P1', 'Phase 1', { code: 'P1' }),
  feature('area', 'P2', 'Phase 2'),
  A,
  B,
  AB,
  feature('zone', 'north', 'North yard', { code: 'Z1', aliases: ['Yard N'] }),
  feature('zone', 'riserA', 'Riser 1', { building_id: 'A', level_from: 0, level_to: 2 }),
  feature('zone', 'riserB', 'Riser 1', { building_id: 'B', level_from: 1, level_to: 1 }),
  feature('zone', 'plant', 'Plant room', { code: 'PR', building_id: 'A', level_from: -1, level_to: -1 }),
  feature('zone', 'towerzone', 'Tower One', { code: 'TZ' }),
]
const find = finderOf(SITE)
const at = (location: string | null, zone: string | null = null, level: string | null = null) => find({ location, zone, level })
const place = (...texts: Parameters<typeof at>) => at(...texts).place
const why = (...texts: Parameters<typeof at>) => at(...texts).why ?? ''

describe('matching place texts', () => {
  test('§1 a place is found by name, code or alias, whatever its case, spaces and punctuation', () => {
    for (const text of ['Block A', 'BLOCK  A', 'block-a', 'BlockA', 'blk a', 'BLK-A ', ' Block A.'])
      assert.deepEqual(place(text), { building_id: 'A' }, text)
    assert.deepEqual(place('yard n'), { zone_id: 'north' })
    assert.deepEqual(place(null, 'Z1'), { zone_id: 'north' })
  })

  test('§1 `Block A / Level 3` gives building and level; level 9 of a five-storey building stays unresolved', () => {
    for (const text of [
      'Block A / Level 3',
      'Block A, L3',
      'Block A - 3F',
      'BLK-A|03',
      'Level 3, Block A',
      'Block A L3',
      'Block A Level 03',
      'block a / 3',
      'Phase 1 / Block A / L3',
    ])
      assert.deepEqual(place(text), { building_id: 'A', level_index: 3 }, text)
    assert.deepEqual(at('Block A / Level 9'), { place: null, matched: false, why: 'Building Block A (BLK-A) has no level 9.' })
    assert.deepEqual(place('Block A', null, 'Level 3'), { building_id: 'A', level_index: 3 })
    assert.deepEqual(place('Block A', null, '-1'), { building_id: 'A', level_index: -1 })
    assert.equal(place('Block A', null, 'Level 9'), null)
    assert.deepEqual(place('Block A / Level 3', null, 'L03'), { building_id: 'A', level_index: 3 }, 'the same thing twice counts once')
    assert.match(why('Block A / Level 3', null, 'L02'), /two levels of building Block A \(BLK-A\): 3 and 2/)
    assert.deepEqual(place('Link A/B / Level 1'), { building_id: 'AB', level_index: 1 }, 'a name with a separator in it')
  })

  test('§1 two matches stay unresolved, and both are named', () => {
    const said = why('Tower One')
    assert.match(said, /“Tower One” matches two places: building Block A \(BLK-A\) and zone Tower One \(TZ\)/)
    assert.match(why(null, 'Riser 1'), /zone Riser 1 of Block A and zone Riser 1 of Block B/)
    assert.match(why('Block A / Block B'), /two buildings: building Block A \(BLK-A\) and building Block B/)
    assert.match(why('Block A', 'Block B'), /two buildings/)
  })

  test('§1 the other columns of the row can rule out all but one match', () => {
    assert.deepEqual(place('Block A', 'Riser 1'), { building_id: 'A', zone_id: 'riserA' })
    assert.deepEqual(place('Block B', 'Riser 1'), { building_id: 'B', level_index: 1, zone_id: 'riserB' })
    assert.deepEqual(place(null, 'Riser 1', 'L1') === null, true, 'level 1 is in both')
    assert.deepEqual(place(null, 'Riser 1', 'L2'), { building_id: 'A', level_index: 2, zone_id: 'riserA' })
    assert.deepEqual(place('Tower One / L4'), { building_id: 'A', level_index: 4 }, 'the zone of this name has no levels')
  })

  test('§1 a zone implies its building; a text that contradicts it stays unresolved', () => {
    assert.deepEqual(place('plant room'), { building_id: 'A', level_index: -1, zone_id: 'plant' })
    assert.match(why('Block B', 'Plant room'), /is in building Block A .*, not in building Block B/)
    assert.match(why('Plant room', null, 'L2'), /is on levels -1 to -1, not on 2/)
    assert.deepEqual(place('Block A', 'North yard'), { building_id: 'A', zone_id: 'north' }, 'a building inside a zone of the site')
    assert.match(why('North yard', null, 'L2'), /is outdoors and has no level “L2”/)
    assert.deepEqual(place('North yard', null, 'Ground'), { zone_id: 'north' })
  })

  test('§1 an area alone isn’t a place, and a contradicting area is refused', () => {
    assert.match(why('Phase 1'), /is an area: a place must be a building or a zone/)
    assert.deepEqual(place('Phase 1', 'Block A'), { building_id: 'A' })
    assert.match(why('Phase 2 / Block A'), /isn’t in area Phase 2/)
  })

  test('§1 unknown words and levels without a building stay unresolved, and a row without a place is no fault', () => {
    assert.match(why('Block C'), /“Block C” isn’t a building or zone on this site/)
    assert.match(why('Block A / north side'), /isn’t a building or zone/)
    assert.match(why('Level 3'), /a level, but no building is named/)
    assert.match(why('Block A', '3'), /“3” isn’t a building or zone/, 'a bare number in the zone column isn’t a level')
    assert.match(why('Block A 3'), /isn’t a building or zone/, 'a bare number after a name can be part of it')
    assert.match(why('Block A', null, 'roof'), /isn’t a level/)
    for (const texts of [[null], ['', ' ', null], ['…', '-']] as Parameters<typeof at>[])
      assert.deepEqual(at(...texts), { place: null, matched: false, why: null })
  })

  test('§1 whatever a row says, it gives a place of the frame, or else a reason', () => {
    const words = [
      'Block A',
      'Block B',
      'Riser 1',
      'L1',
      'Level 9',
      'G',
      '/',
      ',',
      ' - ',
      'x',
      'Phase 1',
      'Tower One',
      '-1',
      'Plant room',
      '\n',
    ]
    const cell = fc.option(
      fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 })), { maxLength: 6 }).map(parts => parts.join(' ')),
    )
    fc.assert(
      fc.property(cell, cell, cell, (location, zone, level) => {
        const texts: PlaceTexts = { location, zone, level }
        const answer = find(texts)
        assert.deepEqual(finderOf(SITE)(texts), answer, 'remembering changes nothing')
        assert.equal(answer.matched, answer.place !== null)
        if (answer.place === null) return
        const building = SITE.find(f => f.id === answer.place.building_id)
        assert.ok(answer.place.building_id === undefined || building?.kind === 'building')
        assert.ok(answer.place.level_index === undefined || building?.levels.some(l => l.index === answer.place.level_index))
        assert.ok(answer.place.building_id !== undefined || answer.place.zone_id !== undefined)
      }),
      { numRuns: 500 },
    )
  })

  test('a cell of a thousand words is matched quickly', () => {
    assert.equal(at(Array(1000).fill('Block A').join(' / ')).matched, false)
    assert.equal(at('Riser 1 / Riser 1 / Riser 1 / Riser 1 / Riser 1 / Riser 1', 'Riser 1 Riser 1').matched, false)
  })

  // Locations from two real registers: building permits in Calgary, and film permits in New York.
  const ADDRESSES = [
    ['12782 CANSO CR SW', 'CANYON MEADOWS'],
    ['283B HOMESTEAD DR NE', 'HOMESTEAD'],
    ['228 20 AV NW', 'TUXEDO PARK'],
    ['2616 TORONTO CR NW', 'ST. ANDREWS HEIGHTS'],
    ['#2800 300 5 AV SW', 'DOWNTOWN COMMERCIAL CORE'],
    ['2300 6 ST NE', 'WINSTON HEIGHTS/MOUNTVIEW'],
    ['126R KEYSTONE CREEK PL NE', 'KEYSTONE HILLS'],
    ['3106 4 ST NW', 'MOUNT PLEASANT'],
  ] as const
  const CITY = ADDRESSES.flatMap(([address, community]) => [
    feature('area', community, community),
    feature('building', address, address, { parent_area_id: community, levels: levels(-1, 3) }),
  ])

  test('§1 locations in real registers are found once their buildings are drawn, and not before', () => {
    const before = finderOf([])
    const after = finderOf(CITY)
    for (const [address, community] of ADDRESSES) {
      const written = { location: `${address}, ${community}`, zone: null, level: null }
      assert.deepEqual(before(written).place, null)
      assert.deepEqual(after(written).place, { building_id: address }, written.location)
      assert.deepEqual(after({ ...written, level: 'L03' }).place, { building_id: address, level_index: 3 })
      assert.match(after({ ...written, level: '4' }).why ?? '', /has no level 4/)
      assert.deepEqual(after({ location: address.toLowerCase(), zone: community, level: null }).place, { building_id: address })
      assert.equal(after({ location: community, zone: null, level: null }).place, null, 'a community isn’t a place')
    }
    const crossed = after({ location: '228 20 AV NW, CANYON MEADOWS', zone: null, level: null })
    assert.match(crossed.why ?? '', /isn’t in area CANYON MEADOWS/)
    assert.equal(after({ location: '2288 20 AV NW, TUXEDO PARK', zone: null, level: null }).place, null, 'a house number isn’t rounded')
    const zip = finderOf([feature('zone', 'z1', 'ZIP 10019'), feature('zone', 'z2', 'Bryant Park', { aliases: ['10018'] })])
    const found = (location: string) => zip({ location, zone: null, level: null })
    assert.deepEqual(found('ZIP 10019').place, { zone_id: 'z1' })
    for (const location of ['ZIP 10002, 10013, 11038, 11201', 'ZIP 11222'])
      assert.match(found(location).why ?? '', /isn’t a building or zone/)
    assert.match(found('ZIP 10019, 10018').why ?? '', /The text refers to two zones: zone ZIP 10019 and zone Bryant Park/)
  })

  test('§1 the finder is pure: thousands of rows, in any order and with any number of finders, give one result for each text, and the frame doesn’t change', () => {
    const frozen = JSON.stringify(CITY)
    const rows: PlaceTexts[] = Array.from({ length: 8000 }, (_, i) => {
      const [address, community] = ADDRESSES[i % ADDRESSES.length] ?? ADDRESSES[0]
      return { location: i % 3 === 0 ? `${address}, ${community}` : address, zone: null, level: i % 7 === 0 ? null : `L${(i % 11) - 1}` }
    })
    const [one, other] = [finderOf(CITY), finderOf(structuredClone(CITY).reverse())]
    const forward = rows.map(row => JSON.stringify(one(row)))
    const backward = rows.toReversed().map(row => JSON.stringify(other(row)))
    assert.deepEqual(forward, backward.reverse())
    assert.deepEqual([...new Set(forward.map(answer => JSON.parse(answer).matched))].sort(), [false, true])
    assert.equal(JSON.stringify(CITY), frozen)
  })
})
