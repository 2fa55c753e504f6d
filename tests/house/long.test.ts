// The long proofs: each of them lengthens a test that exists, and a run that was stopped continues where it was.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Entry, nextBatch, progressOf, repeated, stateOf } from '../../tools/batches.ts'
import { PROOFS, type Proof } from '../../tools/proofs.ts'
import type { Outcome } from '../../tools/testing/lanes.ts'
import { allPassed, summary } from '../../tools/testing/summary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const proof = (name: string, total: number, batch: number): Proof => ({
  name,
  says: `things of ${name}`,
  file: `${name}.test.ts`,
  only: name,
  count: 'TIMES',
  seed: 'SEED',
  total,
  batch,
})
const ran = (name: string, size: number, result: Entry['result'] = 'passed', commit = 'abc'): Entry => ({
  proof: name,
  batch: 1,
  size,
  seed: 7,
  result,
  seconds: 10,
  commit,
  at: '2026-03-16T09:00:00.000Z',
})

const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const titlesOf = (file: string) => [...read(file).matchAll(/\btest\(\s*['`](.*)['`],/g)].map(([, title = '']) => title)
/** Returns the patterns that a pattern with one group of alternatives stands for: `R9 (a|b)` is `R9 a` and `R9 b`. */
function alternatives(pattern: string): string[] {
  const [, head = '', parts, tail = ''] = /^(.*?)\((?:\?:)?([^()]*\|[^()]*)\)(.*)$/.exec(pattern) ?? []
  return parts === undefined ? [pattern] : parts.split('|').map(part => `${head}${part}${tail}`)
}
const unmatched = (pattern: string, titles: readonly string[]) =>
  alternatives(pattern).filter(one => !titles.some(title => new RegExp(one).test(title)))

describe('long proofs', () => {
  test('10.4 each proof lengthens a test that exists: its file reads the variables and has a test for each alternative of its pattern', () => {
    for (const { name, file, only, count, seed } of PROOFS) {
      const text = read(file)
      for (const variable of seed === null ? [count] : [count, seed])
        assert.ok(
          [`process.env.${variable} `, `('${variable}'`, ...(variable === 'SEED' ? ['seedOf('] : [])].some(part => text.includes(part)),
          `${name}: ${file} doesn’t read ${variable}`,
        )
      assert.deepEqual(unmatched(only, titlesOf(file)), [], `${name}: ${file} has a test for each alternative of ${only}`)
    }
    assert.equal(new Set(PROOFS.map(one => one.name)).size, PROOFS.length)
  })

  test('10.4 each alternative in the patterns of the mutants matches a title in their tests of tampering', () => {
    const patterns = [...read('tools/mutants.ts').matchAll(/tests: \[((?:'tests\/tamper[^']+',? ?)+)\],\s+only: '([^']+)'/g)].map(
      ([, files = '', only = '']) => ({ files: files.match(/[^', ]+/g) ?? [], only }),
    )
    assert.ok(patterns.length > 0)
    assert.deepEqual(
      patterns.flatMap(({ files, only }) => unmatched(only, files.flatMap(titlesOf))),
      [],
    )
  })

  test('10.4 a batch has passed if tests ran and none failed or was skipped, as the runner’s last line says', () => {
    const outcome: Outcome = { file: 'a.test.ts', passed: 1, skipped: 0, suites: 1, failed: [], report: '', slow: [], ms: 1, busy_ms: 1 }
    const said = (more: Partial<Outcome>) => `▶ something\n\n${summary([{ ...outcome, ...more }])} in 4 s\n`
    assert.equal(allPassed(said({})), true)
    assert.equal(allPassed(said({ passed: 1234 })), true)
    assert.equal(allPassed(said({ passed: 0 })), false)
    assert.equal(allPassed(said({ passed: 10, skipped: 1 })), false)
    assert.equal(allPassed(said({ failed: ['it'] })), false)
    assert.equal(allPassed(''), false)
  })

  test('10.4 a stopped run continues where it was: every proof progresses, and the last batch is only as large as what is left', () => {
    const proofs = [proof('a', 100, 40), proof('b', 10, 5)]
    const journal: Entry[] = []
    const order: string[] = []
    for (;;) {
      const next = nextBatch(progressOf(proofs, journal, 'abc'))
      if (next === null) break
      order.push(`${next.proof.name} ${next.size}`)
      journal.push(ran(next.proof.name, next.size))
    }
    assert.deepEqual(order, ['a 40', 'b 5', 'a 40', 'b 5', 'a 20'])
  })

  test('10.4 a failed batch doesn’t count, and after three in a row the proof waits for another commit while the others continue', () => {
    const proofs = [proof('a', 100, 40), proof('b', 10, 5)]
    const failures = Array.from({ length: 3 }, () => ran('a', 40, 'failed'))
    const [a] = progressOf(proofs, failures, 'abc')
    assert.deepEqual([a?.passed, a?.failures.length, a?.stuck], [0, 3, true])
    assert.equal(nextBatch(progressOf(proofs, failures, 'abc'))?.proof.name, 'b')
    assert.equal(nextBatch(progressOf([proof('a', 100, 40)], failures, 'abc')), null)
    assert.equal(nextBatch(progressOf([proof('a', 100, 40)], failures, 'def'))?.proof.name, 'a')
  })

  test('10.4 the state says how far each proof is, and how to repeat what failed', () => {
    const one = { ...proof('a', 100, 40), each: 500 }
    const state = stateOf(progressOf([one], [ran('a', 40), { ...ran('a', 40, 'failed'), output: 'a-2.txt' }], 'abc'))
    assert.match(state, /^a +20,000 of 50,000 +0\.0005\d* s each +things of a, 1 failed$/m)
    assert.ok(state.includes(repeated(one, { size: 40, seed: 7 })))
    assert.equal(repeated(one, { size: 40, seed: 7 }), `TIMES=40 SEED=7 npm test -- a.test.ts --only 'a'`)
  })
})
