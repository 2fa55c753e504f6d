import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { instant } from '../../../shared/time.ts'
import { during, empty, falling, inOrder, shownVersion, stretches, tidied, type Version } from './domain.ts'

const day = (n: number) => instant(Date.UTC(2026, 0, 1) + n * 86_400_000)

/** Makes a history from changes: each splits the version that is active on its day. */
function history(changes: readonly { at: number; digest: string }[], ended: number | null): Version[] {
  let versions: Version[] = [{ id: 'v1', number: 1, valid_from: day(0), valid_to: null, digest: 'a' }]
  for (const { at, digest } of changes) {
    const found = falling(versions, day(at))
    if (found.where !== 'in') continue
    const number = versions.length + 1
    const made = { id: `v${number}`, number, valid_from: day(at), valid_to: found.version.valid_to, digest }
    versions = [...versions.map(v => (v.id === found.version.id ? { ...v, valid_to: day(at) } : v)), made]
  }
  if (ended === null) return versions
  const last = falling(versions, day(ended))
  if (last.where !== 'in') return versions
  return versions.filter(v => v.valid_from <= day(ended)).map(v => (v.id === last.version.id ? { ...v, valid_to: day(ended) } : v))
}

const histories = fc
  .tuple(fc.array(fc.record({ at: fc.nat(20), digest: fc.constantFrom('a', 'b', 'c') }), { maxLength: 15 }), fc.option(fc.nat(20)))
  .map(([changes, ended]) => history(changes, ended))

describe('versions', () => {
  test('§1 versions follow each other without a gap, and at most one is active', () => {
    fc.assert(
      fc.property(histories, fc.nat(25), (versions, n) => {
        const lasting = inOrder(versions.filter(v => !empty(v)))
        for (const [i, v] of lasting.entries()) if (i > 0) assert.equal(lasting[i - 1]?.valid_to, v.valid_from)
        assert.ok(versions.filter(v => during(v, day(n))).length <= 1)
        const found = shownVersion(versions, day(n))
        assert.ok(found !== null)
        if (!found.ended) assert.ok(during(found.version, day(n)) || day(n) < (lasting[0]?.valid_from ?? ''))
      }),
    )
  })

  test('§1 a change between two versions leaves the later one unchanged', () => {
    const versions = history(
      [
        { at: 10, digest: 'b' },
        { at: 5, digest: 'c' },
      ],
      null,
    )
    assert.deepEqual(
      inOrder(versions).map(v => [v.number, v.valid_from, v.valid_to]),
      [
        [1, day(0), day(5)],
        [3, day(5), day(10)],
        [2, day(10), null],
      ],
    )
  })

  test('§1 tidying changes nothing that is shown at any instant, and tidying again changes nothing', () => {
    fc.assert(
      fc.property(histories, versions => {
        const plan = tidied(versions)
        const gone = new Set([...plan.removed, ...plan.joined.flatMap(j => j.gone)])
        const after = versions
          .filter(v => !gone.has(v.id))
          .map(v => ({
            ...v,
            valid_to: plan.joined.find(j => j.keep === v.id)?.valid_to ?? (plan.joined.some(j => j.keep === v.id) ? null : v.valid_to),
          }))
        const shown = (list: Version[], n: number) => {
          const one = shownVersion(list, day(n))
          return one === null ? null : { digest: one.version.digest, ended: one.ended, ...stretches(list).get(one.version.id) }
        }
        for (let n = -1; n < 25; n++) assert.deepEqual(shown(after, n), shown(versions, n))
        assert.deepEqual(tidied(after), { removed: [], joined: [] })
      }),
    )
  })

  test('a record that ended at the instant at which it began keeps one version', () => {
    const versions = history([{ at: 0, digest: 'b' }], 0)
    assert.equal(versions.every(empty), true)
    assert.equal(tidied(versions).removed.length, 1)
    assert.deepEqual([shownVersion(versions, day(0))?.ended, shownVersion(versions, day(0))?.version.number], [true, 2])
  })
})
