import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Chance, chance, seedOf } from '../../tests/chance.ts'
import { box, NOW, PERIOD, permit, point, SITE, standard, stretch } from '../../tests/sides.ts'
import type { Side } from './sides.ts'
import { STANDARD_TYPES } from './standard.ts'
import { indexOf, sweep, sweepOne } from './sweep.ts'

const RULES = [standard('permit_proximity')]

/** Makes more permits than are swept as a whole: many on and across the edges of blocks, which are at every 300 m. */
const permits = (at: Chance, count: number): Side[] =>
  Array.from({ length: count }, (_, i) => {
    const [x, y] = [at.below(1800) - 900, at.below(1800) - 900]
    const onEdge = at.odds(0.2) ? Math.round(x / 300) * 300 : x
    const ground = at.odds(0.5) ? point(onEdge, y) : box(onEdge - 4, y, 2 + at.below(40), 2 + at.below(40))
    const from = at.below(200)
    return permit(`p${i}`, [at.of(STANDARD_TYPES)], [stretch(ground, from, from + 4 + at.below(8), at.below(4))])
  })

describe('a site that is swept block by block', () => {
  for (const wide of [false, true])
    test(`§4.3 the sweep finds each clash once, and those that each side finds alone${wide ? ', also with one permit over the whole site' : ''}`, t => {
      const at = chance(seedOf(300))
      const sides = permits(at, 8200)
      if (wide) sides.push(permit('wide', ['RAD'], [stretch(box(-9000, -9000, 18_000, 18_000), 0, 2)]))
      const index = indexOf(sides, RULES, SITE)
      const all = sweep(index, PERIOD, NOW)
      const found = new Set(all.map(({ a, b, from, rule_id }) => [rule_id, from, ...[a.id, b.id].sort()].join(' ')))
      assert.equal(found.size, all.length, 'each once')
      const sample = [...Array.from({ length: 400 }, () => at.of(sides).id), ...(wide ? ['wide'] : [])]
      for (const id of sample)
        assert.deepEqual(
          all.filter(({ a, b }) => a.id === id || b.id === id),
          sweepOne(index, id, PERIOD, NOW),
          `${id}, seed ${at.seed}`,
        )
      t.diagnostic(`seed ${at.seed}: ${all.length} clashes`)
    })
})
