import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The most rows of a page (conventions §1, Lists). */
const MOST = 1000

describe('pages that the app asks for', () => {
  test('conventions §1 Lists: the app never asks for more rows at once than a list returns, which would be refused', () => {
    const texts = new Map(
      globSync(['web/**/*.{ts,tsx}', 'shared/**/*.ts'], { cwd: root })
        .filter(file => !/\.test\.ts$|\.gen\.|\.d\.ts$/.test(file))
        .map(file => [file, readFileSync(`${root}${file}`, 'utf8')]),
    )
    const exported = [...texts.values()].join('\n')
    const rowsOf = (limit: string, text: string): number => {
      const own =
        new RegExp(`\\bconst ${limit} = (\\d[\\d_]*)`).exec(text) ?? new RegExp(`\\bexport const ${limit} = (\\d[\\d_]*)`).exec(exported)
      return Number((own?.[1] ?? limit).replaceAll('_', ''))
    }
    const asked = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/\blimit: ([A-Z][A-Z_]*|\d[\d_]*)\b/g)].map(([, limit = '']) => ({ file, limit, rows: rowsOf(limit, text) })),
    )
    assert.ok(asked.length > 30, `${asked.length} places`)
    assert.deepEqual(
      asked.filter(({ rows }) => !(rows > 0 && rows <= MOST)),
      [],
    )
  })
})
