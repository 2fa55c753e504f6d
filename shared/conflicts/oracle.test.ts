import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import geodesic from 'geographiclib-geodesic'
import { chance, seedOf, times } from '../../tests/chance.ts'
import { expectedOf, LAYOUT_RULES, layoutOf } from '../../tests/layouts.ts'
import { hour, NOW } from '../../tests/sides.ts'
import { type Position, planeAt } from '../geometry/plane.ts'
import { MINUTE } from '../time.ts'
import { measureGap, newContact } from './gap.ts'
import { shapeOf } from './shapes.ts'
import { indexOf, sweep, sweepOne } from './sweep.ts'

const PERIOD = { from: hour(-48), to: hour(96) }
const wgs84 = geodesic.Geodesic.WGS84
/** The distance in metres by Karney’s algorithm, which is right to nanometres. */
const karney = ([x1, y1]: Position, [x2, y2]: Position): number => wgs84.Inverse(y1, x1, y2, x2).s12 ?? Number.NaN

describe('distances on the ground', () => {
  test('§4.2 a distance of up to 100 m, anywhere within 5 km of the middle of a site, is right to a millimetre', t => {
    const at = chance(seedOf(911, 'changes'))
    let worst = 0
    for (let n = 0; n < 5000; n++) {
      const centre = { lon: at.next() * 360 - 180, lat: at.next() * 160 - 80 }
      const plane = planeAt(centre)
      const [x, y] = [at.next() * 7000 - 3500, at.next() * 7000 - 3500]
      const [bearing, length] = [at.next() * 2 * Math.PI, at.next() * 100]
      const a = plane.degrees([x, y])
      const b = plane.degrees([x + length * Math.cos(bearing), y + length * Math.sin(bearing)])
      const contact = newContact()
      measureGap(shapeOf({ type: 'Point', coordinates: a }, plane), shapeOf({ type: 'Point', coordinates: b }, plane), Infinity, contact)
      worst = Math.max(worst, Math.abs(contact.d - karney(a, b)))
    }
    t.diagnostic(`seed ${at.seed}: the largest error of 5,000 distances is ${(worst * 1000).toFixed(4)} mm`)
    assert.ok(worst < 0.001, `${worst} m, seed ${at.seed}`)
  })
})

describe('conflicts compared with a second comparison', () => {
  const layouts = times('CONFLICT_LAYOUTS', 600)

  test('P4 random layouts: the same clashes as JSTS minute by minute, with distances within a millimetre, and each side alone finds its own', t => {
    const at = chance(seedOf(912, 'changes'))
    let [compared, close, worst] = [0, 0, 0]
    for (let n = 0; n < layouts; n++) {
      const { site, sides, projection } = layoutOf(at, 6 + at.below(8))
      const index = indexOf(sides, LAYOUT_RULES, site)
      const found = sweep(index, PERIOD, NOW)
      const { found: expected, unsure } = expectedOf(sides, LAYOUT_RULES, projection)
      const mine = found.map(clash => ({
        key: [clash.rule_id, ...[clash.a.id, clash.b.id].sort()].join(' '),
        severity: clash.severity,
        from: (clash.from - hour(0)) / MINUTE,
        to: (clash.to - hour(0)) / MINUTE,
        distance_m: clash.distance_m,
      }))
      const shown = (list: readonly { key: string; severity: string; from: number; to: number }[]) =>
        list
          .filter(one => !unsure.has(one.key))
          .map(({ key, severity, from, to }) => `${key} ${severity} ${from}–${to}`)
          .sort()
      const where = `layout ${n}, seed ${at.seed}`
      assert.deepEqual(shown(mine), shown(expected), where)
      for (const one of expected) {
        const same = mine.find(({ key, from }) => key === one.key && from === one.from)
        if (same === undefined || unsure.has(one.key)) continue
        worst = Math.max(worst, Math.abs(same.distance_m - one.distance_m))
      }
      const { id } = at.of(sides)
      assert.deepEqual(
        sweepOne(index, id, PERIOD, NOW),
        found.filter(clash => clash.a.id === id || clash.b.id === id),
        where,
      )
      compared += expected.length
      close += unsure.size
    }
    t.diagnostic(
      `seed ${at.seed}: ${compared} clashes of ${layouts} layouts, ${close} left out because they are within 2 mm of a limit; distances differ by at most ${(worst * 1000).toFixed(3)} mm`,
    )
    assert.ok(worst <= 0.001, `${worst} m, seed ${at.seed}`)
    assert.ok(compared > layouts && close < compared / 50, `${compared} compared, ${close} left out`)
  })
})
