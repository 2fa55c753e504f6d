import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { oklab } from '../../../../shared/colour.ts'
import {
  colourOf,
  contractorIndex,
  contrast,
  loopThrough,
  nameKey,
  naming,
  overseeing,
  sameContractor,
  shadesOf,
  shortNameOf,
  similarColours,
  textOn,
} from './domain.ts'

const colour = (name: string) => colourOf(createHash('sha256').update(nameKey(name).key, 'utf8').digest())

describe('contractors: names and colours', () => {
  test('§6 "Acme Scaffolding Ltd" and "ACME SCAFFOLDING LIMITED" are one contractor with one colour', () => {
    assert.equal(nameKey('Acme Scaffolding Ltd').key, 'acme scaffolding')
    assert.equal(nameKey('ACME  SCAFFOLDING LIMITED').key, 'acme scaffolding')
    assert.equal(colour('Acme Scaffolding Ltd'), '#128189')
    assert.equal(colour('Bauer & Söhne GmbH'), '#128185')
    assert.equal(colour('Northgate Steel'), '#9a75da')
  })

  test('§6 legal forms are equal only within one country', () => {
    const same = (a: string, b: string) => sameContractor(nameKey(a), nameKey(b))
    for (const form of ['Ltd', 'Limited', 'plc', 'L.L.P.']) assert.ok(same('Holt', `Holt ${form}`), form)
    assert.ok(same('Holt Ltd', 'Holt plc'))
    assert.ok(!same('Holt AB', 'Holt AG'))
    assert.ok(same('Holt', 'Holt AB'))
    assert.equal(nameKey('Ltd').key, 'ltd', 'a name’s only word stays')
    assert.equal(nameKey('…').key, '')
  })

  test('§6 every derived colour contrasts with white and near-black, and never looks like an alarm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), digest => {
        const made = colourOf(digest)
        const [, a, b] = oklab(made)
        const hue = (Math.atan2(b, a) * 180) / Math.PI
        // Rounding to 8 bits changes the hue by at most one degree.
        const turned = (hue + 360) % 360
        return (
          contrast(made, '#ffffff') >= 3 &&
          contrast(made, '#1e1e1e') >= 3 &&
          !(turned > 16 && turned < 43.5) &&
          contrast(made, textOn(made)) >= 4.5
        )
      }),
      { numRuns: 10_000 },
    )
  })

  test('§6 similar_to lists contractors whose colours can be mistaken for each other', () => {
    const all = [
      { id: 'acme', colour: '#128189' },
      { id: 'bauer', colour: '#128185' },
      { id: 'northgate', colour: '#9a75da' },
    ]
    const similar = similarColours(shadesOf(all), all)
    assert.deepEqual(similar.get('acme'), ['bauer'])
    assert.deepEqual(similar.get('bauer'), ['acme'])
    assert.deepEqual(similar.get('northgate'), [])
    assert.deepEqual([...similarColours(shadesOf(all), all.slice(1, 2))], [['bauer', ['acme']]], 'a page of one is compared with all')
  })

  test('§6 imports find a contractor by name, then alias, then key; two with the same key are both returned', () => {
    const acme = { id: 'a', name: 'Acme Ltd', names: ['ACME SCAFF'] }
    const other = { id: 'b', name: 'Acme plc', names: [] }
    assert.deepEqual(contractorIndex([acme, other]).find('acme  ltd'), [acme])
    assert.deepEqual(contractorIndex([acme, other]).find('Acme Scaff'), [acme])
    assert.deepEqual(contractorIndex([acme, other]).find('Acme'), [acme, other])
    assert.deepEqual(contractorIndex([acme, other]).find('Zenith'), [])
  })

  test('§6 a taken name or alias is refused, and so is a similar one unless it is confirmed', () => {
    const acme = { id: 'a', name: 'Acme Ltd', names: ['Scaffs'] }
    const reason = (names: string[], confirmed = false, own: string | null = null) => naming(names, own, [acme], confirmed)?.context?.reason
    assert.equal(reason(['ACME LTD']), 'key_taken')
    assert.equal(reason(['New', 'scaffs'], true), 'key_taken')
    assert.equal(reason(['Acme Limited']), 'similar_name')
    assert.equal(reason(['Acme Limited'], true), undefined)
    assert.equal(reason(['Acme Ltd'], false, 'a'), undefined)
  })

  test('§6 C over A is a loop with the path A, B, C', () => {
    const pairs = [
      { overseer_id: 'A', subordinate_id: 'B' },
      { overseer_id: 'B', subordinate_id: 'C' },
    ]
    assert.deepEqual(loopThrough(pairs, 'C', 'A'), ['A', 'B', 'C'])
    assert.equal(overseeing(pairs, 'C', 'A', id => id)?.context?.reason, 'oversight_cycle')
    assert.equal(
      overseeing(pairs, 'A', 'C', id => id),
      null,
    )
  })

  test('a short name consists of initials', () => {
    assert.equal(shortNameOf('Acme Scaffolding Ltd'), 'AS')
    assert.equal(shortNameOf('Bauer & Söhne GmbH'), 'BS')
    assert.equal(shortNameOf('Northgate'), 'NOR')
  })
})
