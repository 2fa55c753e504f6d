import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Schemas } from '../../../base/api.ts'
import { type BoardPages, before, keptPages, patchedPages, sharedPages } from './board-pages.ts'

type Card = Schemas['PermitCard']

const card = (id: string, start_at: string | null, more: Record<string, unknown> = {}): Card =>
  ({
    id,
    start_at,
    version: 1,
    updated_at: '2026-03-16T09:00:00.000Z',
    soon: false,
    contractor: { id: 'acme', name: 'Acme' },
    permissions: { endorse: { allowed: false, because: [] }, can_endorse: false },
    ...more,
  }) as unknown as Card // only the fields that pages use

/** Cuts a list into pages of this size as the service does, and returns the first `here` of them. */
function cutInto(cards: readonly Card[], size: number, here = Number.POSITIVE_INFINITY): BoardPages {
  const rows = [...cards].sort((a, b) => (before(a, b) ? -1 : 1))
  const pages: BoardPages['pages'] = []
  for (let at = 0; at < rows.length || at === 0; at += size)
    pages.push({ rows: rows.slice(at, at + size), next: at + size < rows.length ? String(at + size) : null })
  return { pages: pages.slice(0, here), pageParams: pages.slice(0, here).map((_, i) => String(i)) }
}
const idsOf = ({ pages }: BoardPages) => pages.flatMap(page => page.rows.map(row => row.id))
const fleet = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), start_at: fc.option(fc.constantFrom('2026-01', '2026-02', '2026-03')) }),
  { selector: one => one.id, minLength: 1, maxLength: 30 },
)

describe('pages of the board', () => {
  test('updated permits are where the service would put them, and removed ones are no longer listed, exactly as after a full refetch', () => {
    fc.assert(
      fc.property(fleet, fleet, fc.integer({ min: 1, max: 7 }), (was, is, size) => {
        const pages = cutInto(
          was.map(one => card(one.id, one.start_at)),
          size,
        )
        const now = is.map(one => card(one.id, one.start_at, { version: 2 }))
        const ids = [...new Set([...was, ...is].map(one => one.id))]
        const patched = patchedPages(pages, ids, now)
        assert.deepEqual(idsOf(patched), idsOf(cutInto(now, 1000)))
        // Only the first half is updated; the other half stays as it was.
        const half = ids.filter((_, i) => i % 2 === 0)
        const mixed = [
          ...now.filter(one => half.includes(one.id)),
          ...was.filter(one => !half.includes(one.id)).map(one => card(one.id, one.start_at)),
        ]
        assert.deepEqual(
          idsOf(
            patchedPages(
              pages,
              half,
              now.filter(one => half.includes(one.id)),
            ),
          ),
          idsOf(cutInto(mixed, 1000)),
        )
      }),
    )
  })

  test('while pages are still to come, their permits are left to them, and no permit appears twice', () => {
    const all = ['9', '8', '7', '6', '5', '4'].map(id => card(id, '2026-01'))
    const pages = cutInto(all, 2, 2)
    assert.deepEqual(idsOf(patchedPages(pages, ['4'], [card('4', '2026-01', { version: 2 })])), ['9', '8', '7', '6'])
    assert.deepEqual(idsOf(patchedPages(pages, ['4'], [card('4', '2026-02', { version: 2 })])), ['4', '9', '8', '7', '6'])
    assert.deepEqual(idsOf(patchedPages(pages, ['8', '65'], [card('65', '2026-01')])), ['9', '7', '65', '6'])
  })

  test('a late response does not restore an older version', () => {
    const pages = cutInto([card('1', '2026-01', { version: 5 }), card('2', '2026-01')], 10)
    const [row] = patchedPages(pages, ['1'], [card('1', '2026-03', { version: 4 })]).pages[0]?.rows.filter(one => one.id === '1') ?? []
    assert.equal(row?.version, 5)
  })

  test('after a refetch, unchanged permits stay the same objects; changes in version, flags, warning or contractor make new ones', () => {
    const pages = cutInto(
      ['1', '2', '3', '4'].map(id => card(id, '2026-01')),
      2,
    )
    const again = structuredClone(pages)
    assert.equal(sharedPages(pages, again), pages)
    const changes = [
      { version: 2 },
      { soon: true },
      { contractor: { id: 'acme', name: 'Acme Ltd' } },
      { permissions: { endorse: { allowed: true, because: [] }, can_endorse: true } },
      { updated_at: '2026-03-16T09:00:01.000Z' },
    ]
    for (const change of changes) {
      const other = structuredClone(pages)
      Object.assign(other.pages[1]?.rows[0] as Card, change)
      const shared = sharedPages(pages, other)
      assert.equal(shared.pages[0], pages.pages[0])
      assert.notEqual(shared.pages[1]?.rows[0], pages.pages[1]?.rows[0], JSON.stringify(change))
      assert.equal(shared.pages[1]?.rows[1], pages.pages[1]?.rows[1])
    }
  })

  test('a further page is accepted as it arrives, and the device stores the first two', () => {
    const all = cutInto(
      ['1', '2', '3', '4', '5'].map(id => card(id, '2026-01')),
      2,
    )
    const two = { pages: all.pages.slice(0, 2), pageParams: all.pageParams.slice(0, 2) }
    assert.equal(sharedPages(two, all), all)
    assert.deepEqual(keptPages(all), two)
    assert.notEqual(keptPages(all).pages.at(-1)?.next, null, 'it knows that there are more')
  })
})
