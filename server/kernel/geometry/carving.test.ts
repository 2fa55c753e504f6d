import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { type Areal, areaOf, type Position, planeAt } from '../../../shared/geometry/plane.ts'
import { boxAt, MIDDLE, ringOf } from '../../../tests/geo.ts'
import { carved, countsOf, covered, grown } from './domain/carving.ts'
import { flaw } from './domain/overlay.ts'

const ALL = { area_m2: 0, width_m: 0 }
const near = (area: number, wanted: number, by = 0.5) => assert.ok(Math.abs(area - wanted) < by, `${area} isn’t ${wanted}`)
const left = (outline: Areal, ...cuts: Areal[]): Areal => {
  const { geometry } = carved(outline, cuts, ALL)
  assert.ok(geometry !== null)
  return geometry
}

describe('cutting shapes out of an outline', () => {
  test('§10 a hole inside, a notch across an edge, a split and a shape outside', () => {
    const yard = boxAt(0, 0, 100)
    const hole = left(yard, boxAt(40, 40, 20))
    near(areaOf(hole), 9600)
    assert.deepEqual(countsOf(hole), { parts: 1, holes: 1, vertices: 8 })
    near(areaOf(left(yard, boxAt(-10, 40, 20))), 9800)
    const split = left(yard, boxAt(-1, 45, 102, 10))
    assert.deepEqual([split.type, countsOf(split).parts], ['MultiPolygon', 2])
    near(areaOf(split), 9000)
    assert.equal(left(yard, boxAt(200, 0, 10)), yard)
    assert.equal(left(yard, boxAt(100, 0, 10)), yard, 'a shape that only touches')
    assert.equal(carved(yard, [boxAt(-5, -5, 120)], ALL).geometry, null)
  })

  test('§10 corners that aren’t cut stay exactly where they were', () => {
    const yard = boxAt(0, 0, 100)
    const cut = left(yard, boxAt(-10, 40, 20))
    const corners = new Set((cut.coordinates as Position[][]).flat().map(String))
    for (const corner of yard.coordinates[0] ?? []) assert.ok(corners.has(String(corner)))
  })

  test('§10 parts that are too small or too narrow are left out and listed', () => {
    const yard = boxAt(0, 0, 100)
    const { geometry, dropped } = carved(yard, [boxAt(-1, 0.4, 102, 10)], { area_m2: 1, width_m: 0.5 })
    near(areaOf(geometry ?? yard), 8960)
    assert.equal(dropped.length, 1)
    near(dropped[0]?.area_m2 ?? 0, 40, 0.1)
    const corner = carved(yard, [boxAt(0.5, -1, 100, 102), boxAt(-1, 0.5, 102, 101)], { area_m2: 1, width_m: 0 })
    assert.deepEqual([corner.geometry, corner.dropped.length], [null, 1])
  })

  test('§10 a shape grows and shrinks by metres, until nothing is left', () => {
    near(areaOf(grown(boxAt(0, 0, 20), 5) ?? boxAt(0, 0, 1)), 400 + 4 * 100 + Math.PI * 25, 1)
    near(areaOf(grown(boxAt(0, 0, 20), -5) ?? boxAt(0, 0, 1)), 100)
    assert.equal(grown(boxAt(0, 0, 8), -5), null)
    const same = boxAt(0, 0, 8)
    assert.equal(grown(same, 0), same)
  })

  const shape = fc
    .record({
      x: fc.integer({ min: -10, max: 100 }),
      y: fc.integer({ min: -10, max: 100 }),
      radii: fc.array(fc.double({ min: 3, max: 30, noNaN: true }), { minLength: 3, maxLength: 9 }),
    })
    .map(({ x, y, radii }): Areal => {
      const corner = (r: number, i: number) =>
        [x + r * Math.cos((2 * Math.PI * i) / radii.length), y + r * Math.sin((2 * Math.PI * i) / radii.length)] as const
      return { type: 'Polygon', coordinates: [ringOf(...radii.map(corner))] }
    })

  test('§10 what is left is valid, covers nothing that was cut out, and has the area that it must have', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 6 }), cuts => {
        const yard = boxAt(0, 0, 90)
        const { geometry } = carved(yard, cuts, ALL)
        if (geometry === null) return
        assert.equal(flaw(geometry), null)
        for (const cut of cuts) assert.ok(covered(geometry, cut) < 0.5)
        const [first] = cuts
        if (cuts.length === 1 && first !== undefined) near(areaOf(geometry), areaOf(yard) - covered(yard, first), 0.5)
        assert.ok(areaOf(geometry) <= areaOf(yard) + 0.1)
      }),
      { numRuns: 150 },
    )
  })

  test('§10 polygons that are hard for overlay algorithms are cut, or are no valid outlines in the first place', () => {
    const folder = fileURLToPath(new URL('../../../tests/data/geo/polygons-planar/', import.meta.url))
    const plane = planeAt(MIDDLE)
    let cut = 0
    for (const name of readdirSync(folder)) {
      const rings: number[][][] = JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))
      const all = rings.flat()
      const [x0, y0] = [Math.min(...all.map(([x = 0]) => x)), Math.min(...all.map(([, y = 0]) => y))]
      const size = Math.max(...all.map(([x = 0, y = 0]) => Math.max(x - x0, y - y0)), 1e-9)
      const closed = rings
        .map(ring => ring.map(([x = 0, y = 0]) => plane.degrees([((x - x0) / size) * 300, ((y - y0) / size) * 300])))
        .map(ring => (String(ring[0]) === String(ring.at(-1)) ? ring : [...ring, ring[0] as Position]))
      const outline: Areal = { type: 'Polygon', coordinates: closed }
      if (all.length < 3 || closed.some(ring => ring.length < 4) || flaw(outline) !== null) continue
      const { geometry } = carved(outline, [boxAt(100, 100, 60), boxAt(130, 90, 200, 20)], ALL)
      cut++
      if (geometry === null) continue
      assert.equal(flaw(geometry), null, name)
      assert.ok(covered(geometry, boxAt(101, 101, 58)) < 0.5, name)
    }
    assert.ok(cut > 15, `${cut} valid outlines`)
  })
})
