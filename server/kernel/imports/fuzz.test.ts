import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { longestTurn, packed, useFolder } from '../../../tests/books.ts'
import { guarded } from './actions/guard.ts'
import { problemOf, readWorkbook } from './door.ts'

/** 1 is the size in `npm test`; a longer run multiplies it. */
const TIMES = Number(process.env.FUZZ_TIMES ?? 1)
/** A file that makes the library loop is abandoned after this time, so that a run doesn't wait for it. */
const PATIENCE_MS = 3000
const data = (file: string) => readFileSync(fileURLToPath(new URL(`../../../tests/data/${file}`, import.meta.url)))

/** Pseudo-random numbers, the same every time (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Damages bytes: changes some, cuts the end off, moves a stretch, or fills one. */
function damaged(bytes: Uint8Array, next: (below: number) => number): Buffer {
  const out = Buffer.from(bytes)
  const how = next(10)
  if (how === 0) return out.subarray(0, next(out.length))
  if (how === 1) return Buffer.concat([out.subarray(0, next(out.length)), out.subarray(next(out.length))])
  if (how === 2) {
    const from = next(out.length)
    out.fill(next(256), from, Math.min(out.length, from + next(64)))
    return out
  }
  for (let i = 1 + next(12); i > 0; i--) out[next(out.length)] = how < 6 ? next(256) : (out[next(out.length)] ?? 0)
  return out
}

describe('imports: damaged at random', () => {
  const folder = useFolder()
  const fates = new Map<string, number>()

  /** Each file must be read or refused, and nothing else; many are sent at once, and two are read at a time. */
  const survive = async (files: { name: string; bytes: Buffer }[]) => {
    const began = performance.now()
    const { milliseconds } = await longestTurn(async () => {
      for (let from = 0; from < files.length; from += 20) {
        await Promise.all(
          files.slice(from, from + 20).map(async ({ name, bytes }, i) => {
            const path = await folder.put(`${from + i}-${name}`, bytes)
            const fate = await readWorkbook({ path, filename: name, patience_ms: PATIENCE_MS }).then(
              () => 'read',
              error => problemOf(error) ?? assert.fail(`${from + i} ${name}: ${error.stack}`),
            )
            fates.set(fate, (fates.get(fate) ?? 0) + 1)
          }),
        )
      }
    })
    const whole = performance.now() - began
    assert.ok(milliseconds < whole / 4, `one turn of the event loop took ${milliseconds} of ${whole} ms`)
  }

  test('§6 thousands of packages with wrong bytes are checked quickly, and most are refused', async () => {
    const books = ['spreadsheets/write.xlsx', 'spreadsheets/merge_cells.xlsx', 'permits/register-40.xlsx'].map(data)
    const next = chance(20260301)
    let good = 0
    for (let i = 0; i < 3000 * TIMES; i++) {
      const found = await guarded(damaged(books[i % books.length] ?? Buffer.alloc(0), next))
      if (!('problem' in found)) good++
    }
    // Packages that still pass are damaged where no content is stored: in gaps, dates or comments of the directory.
    assert.ok(good < 3000 * TIMES * 0.2, `${good} passed`)
  })

  test('§6 .xlsx workbooks with changed bytes or a missing end are read or refused', async () => {
    const book = data('permits/register-40.xlsx')
    const next = chance(1)
    await survive(Array.from({ length: 12 * TIMES }, () => ({ name: 'flipped.xlsx', bytes: damaged(book, next) })))
  })

  test('§6 .xlsx workbooks with damaged parts in a sound package are read or refused', async () => {
    const parts = unzipSync(data('permits/register-40.xlsx'))
    const names = Object.keys(parts).filter(name => /sheet1|workbook|styles|Content/.test(name))
    const next = chance(2)
    const files = Array.from({ length: 24 * TIMES }, () => {
      const name = names[next(names.length)] ?? ''
      return { name: 'damaged.xlsx', bytes: packed({ ...parts, [name]: damaged(parts[name] ?? new Uint8Array(), next) }) }
    })
    await survive(files)
  })

  test('§6 .xls workbooks with changed bytes or a missing end, which nothing can check beforehand, are read or refused', async () => {
    const books = ['permits/register-40.xls', 'spreadsheets/write.xls', 'spreadsheets/biff5/text_and_numbers.xls'].map(data)
    const next = chance(3)
    await survive(
      Array.from({ length: 30 * TIMES }, (_, i) => ({
        name: 'flipped.xls',
        bytes: damaged(books[i % books.length] ?? Buffer.alloc(0), next),
      })),
    )
  })

  test('some of these files are still read, and many are refused', () => {
    assert.ok((fates.get('read') ?? 0) > 10, JSON.stringify([...fates]))
    assert.ok((fates.get('damaged') ?? 0) > 10, JSON.stringify([...fates]))
    assert.equal(fates.get('reader_died') ?? 0, 0, JSON.stringify([...fates]))
  })
})
