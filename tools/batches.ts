// The batches of the long proofs: how far each proof has come, and which batch is next. Pure; `tools/long.ts` runs them.
import type { Proof } from './proofs.ts'

/** A batch that was run: a line of the journal. */
export type Entry = {
  proof: string
  batch: number
  size: number
  seed: number
  result: 'passed' | 'failed'
  seconds: number
  commit: string
  at: string
  /** The file with what a failed batch printed. */
  output?: string
}

/** How far a proof has come. */
export type Progress = {
  proof: Proof
  /** The sum of the batches that passed. */
  passed: number
  seconds: number
  batches: number
  failures: Entry[]
  /** True if the proof failed three times in a row on this commit, so that it isn't run again until the code changes. */
  stuck: boolean
}

/** Failures in a row after which a proof waits for a new commit. */
const PATIENCE = 3

/** Returns how far each proof has come. */
export function progressOf(proofs: readonly Proof[], journal: readonly Entry[], commit: string): Progress[] {
  return proofs.map(proof => {
    const own = journal.filter(entry => entry.proof === proof.name)
    const good = own.filter(entry => entry.result === 'passed')
    const last = own.slice(-PATIENCE)
    return {
      proof,
      passed: good.reduce((sum, entry) => sum + entry.size, 0),
      seconds: good.reduce((sum, entry) => sum + entry.seconds, 0),
      batches: own.length,
      failures: own.filter(entry => entry.result === 'failed'),
      stuck: last.length === PATIENCE && last.every(entry => entry.result === 'failed' && entry.commit === commit),
    }
  })
}

/** Returns the batch that is next: of the proof that is furthest behind, so that every one of them progresses; null when all are done. */
export function nextBatch(progress: readonly Progress[]): { proof: Proof; size: number; batch: number } | null {
  const open = progress.filter(one => !one.stuck && one.passed < one.proof.total)
  const share = (one: Progress) => one.passed / one.proof.total
  // Of two that are equally far, the one with fewer batches: one that fails doesn't hold up the others.
  const [next] = open.toSorted((a, b) => share(a) - share(b) || a.batches - b.batches)
  if (next === undefined) return null
  return { proof: next.proof, size: Math.min(next.proof.batch, next.proof.total - next.passed), batch: next.batches + 1 }
}

/** Returns the command that repeats a batch. */
export function repeated({ file, only, count, seed, env = {} }: Proof, entry: Pick<Entry, 'size' | 'seed'>): string {
  const given = { ...env, [count]: String(entry.size), ...(seed === null ? {} : { [seed]: String(entry.seed) }) }
  const words = Object.entries(given).map(([name, value]) => `${name}=${value}`)
  return `${words.join(' ')} npm test -- ${file} --only '${only}'`
}

/** Returns the table of `npm run long -- --state`. */
export function stateOf(progress: readonly Progress[]): string {
  const lines = progress.map(({ proof, passed, seconds, failures, stuck }) => {
    const each = proof.each ?? 1
    const count = (n: number) => (n * each).toLocaleString('en')
    const pace = passed === 0 ? '' : `${(seconds / (passed * each)).toPrecision(3)} s each`
    const note = failures.length === 0 ? '' : `, ${failures.length} failed${stuck ? ', stopped until the code changes' : ''}`
    return `${proof.name.padEnd(12)} ${`${count(passed)} of ${count(proof.total)}`.padStart(22)}  ${pace.padEnd(14)} ${proof.says}${note}`
  })
  const failed = progress.flatMap(({ proof, failures }) =>
    failures.map(one => `${proof.name} failed at ${one.at} on ${one.commit}: ${one.output ?? ''}\n  ${repeated(proof, one)}`),
  )
  return [...lines, ...failed].join('\n')
}
