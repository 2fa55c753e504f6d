// What the runner says at the end: how many tests there were, and on demand where the time went.
import { counted } from '../../shared/text.ts'
import type { Outcome } from './lanes.ts'

const LISTED = 40

/** Counts the tests of a run. */
export function summary(outcomes: readonly Outcome[]): string {
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  return `${counted(outcomes.length, 'file')}, ${counted(
    sum(one => one.suites),
    'suite',
  )}: ${counted(
    sum(one => one.passed),
    'test',
  )} passed, ${sum(one => one.failed.length)} failed, ${sum(one => one.skipped)} skipped`
}

/** Returns whether the output of a run says that tests ran, and that all of them passed. A pattern that matches no title runs none. */
export const allPassed = (said: string): boolean => /^[\d,]+ files?, .*: [1-9][\d,]* tests? passed, 0 failed, 0 skipped\b/m.test(said)

/** Lists the files and tests that took longest; for a file, also how much of its time its own process was busy. */
export function slowest(outcomes: readonly Outcome[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
  const files = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, LISTED)
  const tests = outcomes
    .flatMap(({ file, slow }) => slow.map(([title, ms]) => ({ file, title, ms })))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, LISTED)
  return [
    'The slowest files (seconds in all, seconds in which the process was busy):',
    ...files.map(({ file, ms, busy_ms }) => `${seconds(ms)}${seconds(busy_ms)}  ${file}`),
    'The slowest tests (seconds):',
    ...tests.map(({ file, title, ms }) => `${seconds(ms)}  ${file}: ${title}`),
  ].join('\n')
}
