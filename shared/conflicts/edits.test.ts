import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance, seedOf, times } from '../../tests/chance.ts'
import { LAYOUT_RULES, layoutOf } from '../../tests/layouts.ts'
import { box, hour, NOW, permit, SITE, standard, stretch } from '../../tests/sides.ts'
import { type Clash, inOrder } from './clashes.ts'
import { timeline } from './places.ts'
import { indexOf, sweep, sweepOne } from './sweep.ts'

const PERIOD = { from: hour(-48), to: hour(96) }

describe('conflicts after edits', () => {
  test('CL-6 after 1,000 random edits the clashes that were found one by one equal those of a rebuild', t => {
    const at = chance(seedOf(913, 'changes'))
    const edits = times('CONFLICT_EDITS', 1000)
    const { site, sides: pool } = layoutOf(at, 400)
    const there = new Map(pool.slice(0, 30).map(side => [side.id, side]))
    const index = indexOf([...there.values()], LAYOUT_RULES, site)
    let stored: Clash[] = sweep(index, PERIOD, NOW)
    let most = 0
    for (let n = 0; n < edits; n++) {
      const ids = [...there.keys()]
      const id = ids.length > 0 && (ids.length > 60 || at.odds(0.7)) ? at.of(ids) : at.of(pool).id
      const before = there.get(id)
      if (before !== undefined && at.odds(0.3)) {
        there.delete(id)
        index.remove(id)
      } else {
        // A new place and time; sometimes other types, a parent or a link as well.
        const next = at.of(pool)
        const relative = at.odds(0.2) && ids.length > 0 ? [at.of(ids)] : []
        const side = { ...next, id, lineage_id: id, ancestor_ids: relative, facts: { ...next.facts, id, label: id } }
        there.set(id, side)
        index.put(side)
      }
      stored = [...stored.filter(clash => clash.a.id !== id && clash.b.id !== id), ...sweepOne(index, id, PERIOD, NOW)]
      most = Math.max(most, stored.length)
      if (n % 50 === 49 || n === edits - 1)
        assert.deepEqual(
          stored.sort(inOrder),
          sweep(indexOf([...there.values()], LAYOUT_RULES, site), PERIOD, NOW),
          `after ${n + 1} edits, seed ${at.seed}`,
        )
    }
    t.diagnostic(`seed ${at.seed}: up to ${most} clashes at once`)
    assert.ok(most > 50)
  })

  test('P4 four times the permits at the same density: at most 4.8 times the comparisons', () => {
    const comparisons = (count: number): number => {
      const at = chance(917)
      const span = Math.sqrt(count) * 20
      const sides = Array.from({ length: count }, (_, i) => {
        const from = at.below(336)
        return permit(`p${i}`, ['RAD'], [stretch(box(at.next() * span, at.next() * span, 8, 5), from, from + 12)])
      })
      const index = indexOf(sides, [standard('permit_proximity')], SITE)
      let met = 0
      timeline(
        [...index.sides.values()].flatMap(side => side.pieces),
        index.rules,
        () => {
          met++
        },
      )
      return met
    }
    const [few, many] = [comparisons(2000), comparisons(8000)]
    assert.ok(few > 500 && many < few * 4.8, `${few} and ${many}`)
  })

  test('§4.3 the result doesn’t depend on the order in which sides are added', () => {
    const at = chance(seedOf(914, 'changes'))
    const { site, sides } = layoutOf(at, 60)
    const shuffled = sides.map(side => ({ side, key: at.next() })).sort((a, b) => a.key - b.key)
    assert.deepEqual(
      sweep(indexOf(sides, LAYOUT_RULES, site), PERIOD, NOW),
      sweep(
        indexOf(
          shuffled.map(one => one.side),
          LAYOUT_RULES,
          site,
        ),
        PERIOD,
        NOW,
      ),
      `seed ${at.seed}`,
    )
  })
})
