import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { longestTurn, packed, useFolder } from '../../../tests/books.ts'
import { guarded } from './actions/guard.ts'
import { problemOf, readWorkbook } from './door.ts'

/** The size for every submission; a longer run multiplies it. */
const TIMES = Number(process.env.FUZZ_TIMES ?? 1)
/** What loops is ended after so long here, so that a run does not wait for it. */
const PATIENCE_MS = 3000
const data = (file: string) => readFileSync(fileURLToPath(new URL(`../../../tests/data/${file}`, import.meta.url)))

/** Numbers that look like chance and are the same every time (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Spoils bytes: flips some, cuts the end off, moves a stretch, or fills one. */
function spoilt(bytes: Uint8Array, next: (below: number) => number): Buffer {
  const out = Buffer.from(bytes)
  const how = next(10)
  if (how === 0) return out.subarray(0, next(out.length))
  if (how === 1) return Buffer.concat([out.subarray(0, next(out.length)), out.subarray(next(out.length))])
  if (how === 2) {
    const from = next(out.length)
    out.fill(next(256), from, from + next(64))
    return out
  }
  for (let i = 1 + next(12); i > 0; i--) out[next(out.length)] = how < 6 ? next(256) : (out[next(out.length)] ?? 0)
  return out
}

describe('imports: damaged at random', () => {
  const folder = useFolder()
  const fates = new Map<string, number>()

  /** A book or a refusal, nothing else; many at a time, for two are read at once. */
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
    assert.ok(milliseconds < whole / 4, `a turn took ${milliseconds} of ${whole} ms`)
  }

  test('§6 a package with any bytes wrong is looked through in no time: thousands of them', async () => {
    const books = ['spreadsheets/write.xlsx', 'spreadsheets/merge_cells.xlsx', 'permits/register-40.xlsx'].map(data)
    const next = chance(20260301)
    let good = 0
    for (let i = 0; i < 3000 * TIMES; i++) {
      const found = await guarded(spoilt(books[i % books.length] ?? Buffer.alloc(0), next))
      if (!('problem' in found)) good++
    }
    // What still passes has its damage where nothing is kept: in gaps, dates or comments of the directory.
    assert.ok(good < 3000 * TIMES * 0.2, `${good} passed`)
  })

  test('§6 .xlsx: bytes flipped and cut off', async () => {
    const book = data('permits/register-40.xlsx')
    const next = chance(1)
    await survive(Array.from({ length: 12 * TIMES }, () => ({ name: 'flipped.xlsx', bytes: spoilt(book, next) })))
  })

  test('§6 .xlsx: parts spoilt and packed again, so that the package itself is sound', async () => {
    const parts = unzipSync(data('permits/register-40.xlsx'))
    const names = Object.keys(parts).filter(name => /sheet1|workbook|styles|Content/.test(name))
    const next = chance(2)
    const files = Array.from({ length: 24 * TIMES }, () => {
      const name = names[next(names.length)] ?? ''
      return { name: 'respoilt.xlsx', bytes: packed({ ...parts, [name]: spoilt(parts[name] ?? new Uint8Array(), next) }) }
    })
    await survive(files)
  })

  test('§6 .xls: bytes flipped and cut off, where nothing can be checked beforehand', async () => {
    const books = ['permits/register-40.xls', 'spreadsheets/write.xls', 'spreadsheets/biff5/text_and_numbers.xls'].map(data)
    const next = chance(3)
    await survive(
      Array.from({ length: 30 * TIMES }, (_, i) => ({
        name: 'flipped.xls',
        bytes: spoilt(books[i % books.length] ?? Buffer.alloc(0), next),
      })),
    )
  })

  test('both ends are met: some are still read, many are refused', () => {
    assert.ok((fates.get('read') ?? 0) > 10, JSON.stringify([...fates]))
    assert.ok((fates.get('damaged') ?? 0) > 10, JSON.stringify([...fates]))
    assert.equal(fates.get('reader_died') ?? 0, 0, JSON.stringify([...fates]))
  })
})
