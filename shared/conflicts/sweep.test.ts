import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { box, disc, hour, matrixRule, NOW, PERIOD, permit, point, rule, SITE, side, spot, standard, stretch } from '../../tests/sides.ts'
import { metresBetween } from '../geometry/plane.ts'
import type { Clash } from './clashes.ts'
import type { Rule } from './rules.ts'
import type { Side, SiteFacts } from './sides.ts'
import { indexOf, sweep, sweepOne } from './sweep.ts'

const proximity = standard('permit_proximity')
/** Finds all clashes, and checks that each side alone finds its own. */
function clashes(sides: readonly Side[], rules: readonly Rule[] = [proximity], site: SiteFacts = SITE): Clash[] {
  const index = indexOf(sides, rules, site)
  const all = sweep(index, PERIOD, NOW)
  for (const { id } of sides)
    assert.deepEqual(
      sweepOne(index, id, PERIOD, NOW),
      all.filter(clash => clash.a.id === id || clash.b.id === id),
      id,
    )
  return all
}
const hours = (ms: number) => (ms - hour(0)) / 3_600_000
const shown = (list: readonly Clash[]) =>
  list.map(({ a, b, severity, from, to, distance_m }) => `${severity} ${a.id}–${b.id} ${hours(from)}–${hours(to)} ${distance_m} m`)
const hw = (from: number, to: number, level: number | null = 0) => permit('p1', ['HW'], [stretch(point(0), from, to, level)])
const cse = (east: number, from: number, to: number, level: number | null = 0) =>
  permit('p2', ['CSE'], [stretch(point(east), from, to, level)])

describe('conflicts between permits', () => {
  test('CL-1 hot work and confined space entry 6 m apart clash while both are there; 12 m apart, or when their windows only touch, they don’t', () => {
    const found = clashes([hw(8, 12), cse(6, 11, 15)])
    assert.deepEqual(shown(found), ['red p1–p2 11–12 6 m'])
    assert.deepEqual(found[0]?.reasons, [{ severity: 'red', distance_m: 6, types: ['HW', 'CSE'], cell: 'HW|CSE', within_m: 10 }])
    assert.deepEqual(clashes([hw(8, 12), cse(12, 11, 15)]), [])
    assert.deepEqual(clashes([hw(8, 12), cse(6, 12, 16)]), [])
    // Another rule with a buffer doesn’t widen the times of this one.
    assert.deepEqual(clashes([hw(8, 12), cse(6, 12, 16)], [proximity, standard('gate_congestion')]), [])
  })

  test('CL-2 one level apart they clash, two levels apart they don’t, and with an unknown level they do', () => {
    const at = (one: number | null, two: number | null) => shown(clashes([hw(8, 12, one), cse(6, 8, 12, two)])).length
    assert.deepEqual([at(2, 3), at(2, 4), at(2, null), at(null, null)], [1, 0, 1, 1])
    assert.equal(clashes([hw(8, 12, 2), cse(6, 8, 12, 3)])[0]?.level_gap, 1)
  })

  test('CL-3 a parent and its child never conflict; two children of one parent do', () => {
    const place = [stretch(point(0), 8, 12)]
    const rules = [matrixRule({ '*|*': 'red' })]
    const parent = permit('parent', ['GEN'], place)
    const [one, two] = ['one', 'two'].map(id => permit(id, ['HW'], place, { ancestor_ids: ['parent'] }))
    assert.ok(one !== undefined && two !== undefined)
    assert.deepEqual(shown(clashes([parent, one], rules)), [])
    assert.deepEqual(shown(clashes([parent, one, two], rules)), ['red one–two 8–12 0 m'])
  })

  test('CL-5 an expired permit without an end clashes with the permit of tomorrow at its place', () => {
    const expired = permit('expired', ['HW'], [{ ...stretch(point(0), 8, 12), to: Infinity }])
    assert.deepEqual(shown(clashes([expired, permit('tomorrow', ['CSE'], [stretch(point(1), 32, 36)])])), [
      'red expired–tomorrow 32–36 1 m',
    ])
  })

  test('CR-2 a new type conflicts with nothing until it has a cell', () => {
    const sides = [permit('a', ['ABC'], [stretch(point(0), 8, 12)]), permit('h', ['HW'], [stretch(point(5), 8, 12)])]
    assert.deepEqual(clashes(sides), [])
    assert.deepEqual(shown(clashes(sides, [matrixRule({ '*|*': 'off', 'ABC|HW': 'amber' })])), ['amber a–h 8–12 5 m'])
  })

  test('CR-3 an exact off silences one pair of types, and the wildcard still applies to new ones', () => {
    const near = (type: string) => [permit('r', ['RAD'], [stretch(point(0), 8, 12)]), permit('x', [type], [stretch(point(5), 8, 12)])]
    const rules = [matrixRule({ '*|*': 'off', 'RAD|*': 'red', 'RAD|GEN': 'off' })]
    assert.deepEqual([shown(clashes(near('GEN'), rules)), shown(clashes(near('NEW'), rules))], [[], ['red r–x 8–12 5 m']])
  })

  test('§1 of several categories every cell within its own distance and levels is a reason, and the worst is the outcome', () => {
    const both = (distance: number, level: number) =>
      clashes([
        permit('a', ['HW', 'CRO'], [stretch(point(0), 8, 12)]),
        permit('b', ['WAH', 'CSE'], [stretch(point(distance), 8, 12, level)]),
      ]).map(({ severity, reasons }) => [severity, ...reasons.map(reason => `${reason.cell} ${reason.severity}`)])
    assert.deepEqual(both(6, 0), [['red', 'CRO|CSE red', 'CRO|WAH red', 'HW|CSE red', 'HW|WAH amber']])
    assert.deepEqual(both(15, 0), [['red', 'CRO|CSE red', 'CRO|WAH red']])
    assert.deepEqual(both(6, 5), [['red', 'CRO|CSE red', 'CRO|WAH red']])
    assert.deepEqual(both(25, 0), [])
  })

  test('§4.2 an unplaced permit is compared with nothing', () => {
    assert.deepEqual(clashes([hw(8, 12), permit('p2', ['CSE'], [])], [matrixRule({ '*|*': 'red' })]), [])
  })
})

describe('one clash for each unbroken time', () => {
  const gang = (footprint: Side['footprint'], id = 'gang') => side('worker', id, footprint)
  const near = rule('near')

  test('CL-4 a gang on ten days next to one permit has ten clashes, one for each day', () => {
    const rules = [rule('near', { a: { kinds: ['worker'] }, b: { kinds: ['permit'] } })]
    const days = Array.from({ length: 10 }, (_, day) =>
      side('worker', `day${day}`, [stretch(point(2), day * 24 + 8, day * 24 + 16)], {}, { lineage_id: 's' }),
    )
    const found = clashes([...days, permit('p', ['HW'], [stretch(point(0), 0, 400)])], rules)
    assert.equal(found.length, 10)
    assert.deepEqual(new Set(found.map(clash => `${clash.a.lineage_id} ${clash.b.lineage_id}`)), new Set(['s p']))
  })

  test('§0.1 stretches that follow each other are one clash with the facts of the worst one; a gap makes two', () => {
    const moving = gang([stretch(point(4), 8, 10), stretch(point(2), 10, 11), stretch(point(3), 13, 14)], 'a')
    const found = clashes([moving, gang([stretch(point(0), 0, 24)], 'b')], [near])
    assert.deepEqual(shown(found), ['amber a–b 8–11 2 m', 'amber a–b 13–14 3 m'])
    const nearest = found[0]?.nearest.map(([lon, lat]) => ({ lon, lat }))
    assert.ok(nearest?.[0] !== undefined && nearest[1] !== undefined)
    assert.ok(Math.abs(metresBetween(nearest[0], nearest[1]) - 2) < 0.001)
    const [lon, lat] = spot(2, 0)
    assert.ok(metresBetween(nearest[0], { lon, lat }) < 0.001, 'the first point is of a')
  })

  test('§1 a time buffer widens both sides, and times that only touch don’t overlap', () => {
    const lorries = (gap_minutes: number) => [
      side('delivery', 'd1', [stretch(point(0), 10, 10.25)]),
      side('delivery', 'd2', [stretch(point(14), 10.25 + gap_minutes / 60, 11)]),
    ]
    const gate = [standard('gate_congestion')]
    assert.deepEqual(shown(clashes(lorries(29), gate)).length, 1)
    assert.deepEqual(shown(clashes(lorries(30), gate)), [])
    assert.deepEqual(shown(clashes(lorries(15), gate)), ['amber d1–d2 10.25–10.5 14 m'])
  })

  test('§1 a shortest common time counts the time of the sides, however many stretches it has', () => {
    const least = [rule('r', { min_overlap_minutes: 120 })]
    const parts = gang([stretch(point(1), 8, 9), stretch(point(2), 9, 10)], 'a')
    assert.equal(clashes([parts, gang([stretch(point(0), 8, 12)], 'b')], least).length, 1)
    assert.equal(clashes([parts, gang([stretch(point(0), 8.1, 12)], 'b')], least).length, 0)
    const minutes = [rule('r', { when: { all: [{ within_m: 5 }, { overlaps_minutes: 120 }] } })]
    assert.equal(clashes([parts, gang([stretch(point(0), 8, 12)], 'b')], minutes).length, 1)
    assert.equal(clashes([parts, gang([stretch(point(0), 8.1, 12)], 'b')], minutes).length, 0)
  })

  test('§0.4 a rule tries both sides as a, and the clash keeps their roles', () => {
    const above = [standard('one_above_other')]
    const [low, high] = [
      (id: string) => side('worker', id, [stretch(point(0), 8, 12, 1)], { contractor_id: 'x' }),
      (id: string) => side('worker', id, [stretch(point(1), 8, 12, 2)], { contractor_id: 'y' }),
    ]
    assert.ok(low !== undefined && high !== undefined)
    const found = clashes([low('a'), high('b')], above)
    assert.deepEqual(shown(found), ['amber b–a 8–12 1 m'])
    const [lon = 0, lat = 0] = found[0]?.nearest[0] ?? []
    const [east, north] = spot(1, 0)
    assert.ok(metresBetween({ lon, lat }, { lon: east, lat: north }) < 0.001, 'the first point is of the higher gang')
    assert.deepEqual(shown(clashes([high('a'), low('b')], above)), ['amber a–b 8–12 1 m'])
    const third = side('worker', 'c', [stretch(point(1), 8, 12, 5)], { contractor_id: 'y' })
    assert.deepEqual(clashes([low('a'), third], above), [])
  })
})

describe('standard rules on a site', () => {
  const people = (ground: Parameters<typeof stretch>[0], facts = {}) =>
    side('worker', 'gang', [stretch(ground, 8, 12)], { contractor_id: 'x', ...facts })
  const area = (kind: string, facts = {}, level = 0) =>
    side('active_area', 'area', [stretch(box(0, 0, 10, 10), 8, 12, level)], { area_kind: kind, contractor_id: 'y', ...facts })

  test('§1 exclusion_zone_entry: inside or overlapping, not of the same contractor, not on the same work line', () => {
    const entry = [standard('exclusion_zone_entry')]
    const count = (...sides: Side[]) => clashes(sides, entry).length
    assert.equal(count(people(point(5, 5)), area('exclusion')), 1)
    assert.equal(count(people(disc(12, 5, 3)), area('exclusion')), 1)
    assert.equal(count(people(box(-5, -5, 30, 30)), area('exclusion')), 1)
    assert.equal(count(people(box(10, 0, 5, 10)), area('exclusion')), 0, 'on the other side of the wall')
    assert.equal(count(people(point(5, 5)), area('work')), 0)
    assert.equal(count(people(point(5, 5)), area('exclusion', {}, 1)), 0)
    assert.equal(count(people(point(5, 5), { contractor_id: 'y' }), area('exclusion')), 0)
    assert.equal(count(people(point(5, 5), { contractor_id: null }), area('exclusion')), 1)
    assert.equal(count(people(point(5, 5), { work_line_id: 'l' }), area('exclusion', { work_line_id: 'l' })), 0)
  })

  test('§1 under_the_hook: on any level', () => {
    assert.equal(clashes([people(point(5, 5)), area('lifting', {}, 7)], [standard('under_the_hook')]).length, 1)
  })

  test('§1 people_and_plant: inside the exclusion shape of plant that moves, and not the banksman of the same work line', () => {
    const machine = (plant_category: string, facts = {}) =>
      side('plant', 'm', [stretch(disc(0, 0, 10), 8, 12)], { plant_category, ...facts })
    const count = (...sides: Side[]) => clashes(sides, [standard('people_and_plant')]).length
    assert.equal(count(people(point(9, 0)), machine('excavator')), 1)
    assert.equal(count(people(point(11, 0)), machine('excavator')), 0)
    assert.equal(count(people(point(9, 0)), machine('generator')), 0)
    assert.equal(count(people(point(9, 0), { work_line_id: 'l' }), machine('excavator', { work_line_id: 'l' })), 0)
  })

  test('§1 crane_slew_overlap: exclusion shapes that meet', () => {
    const crane = (id: string, east: number) => side('plant', id, [stretch(disc(east, 0, 30), 8, 12, 9)], { plant_category: 'tower_crane' })
    const slew = [standard('crane_slew_overlap')]
    assert.deepEqual([clashes([crane('a', 0), crane('b', 59)], slew).length, clashes([crane('a', 0), crane('b', 61)], slew).length], [1, 0])
  })

  test('§1 trade_stacking: compared by zone, however far apart, for two hours or more', () => {
    const inZone = (id: string, east: number, zone: string, to = 12) =>
      side('worker', id, [stretch(point(east), 8, to, 0, { zone_ids: [zone] })], { contractor_id: id })
    const stacking = [standard('trade_stacking')]
    assert.deepEqual(shown(clashes([inZone('a', 0, 'z'), inZone('b', 700, 'z'), inZone('c', 1, 'y')], stacking)), ['amber a–b 8–12 700 m'])
    assert.equal(clashes([inZone('a', 0, 'z'), inZone('b', 700, 'z', 9)], stacking).length, 0)
  })

  test('§0.4 fields of a pair: contractors, buildings, zones, permits, dependencies and heights', () => {
    const site: SiteFacts = { ...SITE, oversees: new Map([['x', ['y']]]), dependents: new Map([['l1', ['l2']]]) }
    const one = side(
      'worker',
      'a',
      [stretch(point(0), 8, 12, 0, { building_id: 'b', zone_ids: ['z'], heights: { base_m: 0, top_m: 3 } })],
      { contractor_id: 'x', work_line_id: 'l1' },
      { permit_ids: ['p'] },
    )
    const two = side(
      'worker',
      'b',
      [stretch(point(1), 8, 12, 0, { building_id: 'b', zone_ids: ['y', 'z'], heights: { base_m: 5, top_m: 8 } })],
      { contractor_id: 'y', work_line_id: 'l2' },
      { permit_ids: ['p'] },
    )
    const when = {
      all: [
        { within_m: 5 },
        ...['same_building', 'same_zone', 'shares_permit', 'dependency_linked', 'same_level'].map(name => ({
          field: `pair.${name}`,
          op: 'eq',
          value: true,
        })),
        { contractor_relation: ['a_oversees_b', 'b_oversees_a'] },
        { field: 'pair.vertical_gap_m', op: 'eq', value: 2 },
        { field: 'pair.a_above_b', op: 'eq', value: false },
      ],
    }
    assert.equal(clashes([one, two], [rule('r', { when })], site).length, 1)
  })
})
