import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Maximum number of type assertions (`value as Type`; not `as const`). Reduce it with each one that is no longer needed; narrow values with `shared/narrow.ts`. */
const ASSERTIONS = 86
/** Returns every node of a file that is an assertion or the type `any`, with the lines that they end on. */
function looseTypes(file: string): { assertions: number[]; any: number } {
  const text = readFileSync(`${root}${file}`, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const found: { assertions: number[]; any: number } = { assertions: [], any: 0 }
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && node.type.getText() !== 'const')
      found.assertions.push(source.getLineAndCharacterOfPosition(node.end).line)
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.any++
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('what types assert instead of check', () => {
  const files = globSync(['server/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}', 'tools/**/*.ts'], { cwd: root }).filter(
    file => !file.includes('.gen.') && !file.endsWith('.test.ts'),
  )
  const found = new Map(files.map(file => [file, looseTypes(file)]))

  test('11.2 the number of type assertions only falls, and nothing has the type any', () => {
    const total = [...found.values()].reduce((sum, { assertions }) => sum + assertions.length, 0)
    assert.ok(total <= ASSERTIONS, `${total} type assertions, at most ${ASSERTIONS} are allowed`)
    assert.ok(total > ASSERTIONS - 10, `${total} type assertions: reduce the maximum to that number`)
    assert.deepEqual(
      files.filter(file => (found.get(file)?.any ?? 0) > 0),
      [],
    )
  })
})
