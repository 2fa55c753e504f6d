import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

/** The numbered rules of the specification, and the pattern of each in the titles of tests. */
const RULES: [string, RegExp][] = [
  // permits.md, Rules tying operations together
  ...upTo(10).map((n): [string, RegExp] => [`R${n}`, new RegExp(`\\bR${n}\\b`)]),
  // permits.md, Spreadsheet import rules: "import rule 6", "rule 8", "rules 4 and 7"
  ...upTo(8).map((n): [string, RegExp] => [`import rule ${n}`, new RegExp(`\\brules? (?:\\d and )?${n}\\b`)]),
]

/** Rules that no title contains yet, each with the reason. */
const AWAITED: Record<string, string> = {}

describe('the rules of the specification', () => {
  const titles = globSync(['server/**/*.test.ts', 'shared/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
    .filter(file => !file.endsWith('house/rules.test.ts'))
    .flatMap(file => [
      // The title follows the call that defines the test, or, in a table of tests, `title`.
      ...readFileSync(`${root}${file}`, 'utf8').matchAll(/\b(?:test|describe|step|title)(?:\(|:)\s*(['"`])((?:\\.|(?!\1).)*)\1/g),
    ])
    .map(found => found[2] ?? '')
  const named = (pattern: RegExp) => titles.some(title => pattern.test(title))

  test('each numbered rule is in the title of a test', () => {
    assert.ok(titles.length > 300, 'the titles are found')
    assert.deepEqual(
      RULES.filter(([rule, pattern]) => !(rule in AWAITED) && !named(pattern)).map(([rule]) => rule),
      [],
    )
  })

  test('a rule with a test is no longer in the list of rules without one', () => {
    assert.deepEqual(
      Object.keys(AWAITED).filter(rule => RULES.every(([name, pattern]) => name !== rule || named(pattern))),
      [],
    )
  })
})
