// The long proofs: what each runs, at which size and in which batches, and which batch is next. Pure; `tools/long.ts` runs them.

/** A proof whose size is a setting of its test. */
export type Proof = {
  name: string
  says: string
  /** The test file, and the tests in it: a pattern of their titles. */
  file: string
  only: string
  /** The variable that says how many, and the one that says which. */
  count: string
  seed: string | null
  /** The whole size, and the size of one batch, as the variable counts them. */
  total: number
  batch: number
  /** How many of what `says` names each of these is; default 1. */
  each?: number
  env?: Record<string, string>
}

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

/** Every long proof; those of goals.md have its numbers. */
export const PROOFS: readonly Proof[] = [
  {
    name: 'R11',
    says: 'rolling restarts of two nodes under load',
    file: 'tests/race/rolling.test.ts',
    only: 'R11 each node',
    count: 'ROLLS',
    seed: 'SEED',
    total: 200,
    batch: 5,
  },
  {
    name: 'R4',
    says: 'kills of every process of the database under load',
    file: 'tests/race/kills.test.ts',
    only: 'R4 kill',
    count: 'KILLS_ENGINE',
    seed: 'SEED',
    total: 300,
    batch: 15,
  },
  {
    name: 'R3',
    says: 'kills of the server under load',
    file: 'tests/race/kills.test.ts',
    only: 'R3 kill',
    count: 'KILLS_SERVER',
    seed: 'SEED',
    total: 1000,
    batch: 25,
  },
  {
    name: 'R9',
    says: 'alterations of rows, signatures, files and exports',
    file: 'tests/tampering.test.ts',
    only: 'R9 (nothing|rows|signatures|the audit log|bytes|an exported)',
    count: 'R9_TIMES',
    seed: 'SEED',
    total: 200,
    batch: 2,
    each: 500,
  },
  {
    name: 'R5',
    says: 'kills of an import',
    file: 'tests/race/kills.test.ts',
    only: 'R5 an import',
    count: 'KILLS_IMPORT',
    seed: 'SEED',
    total: 500,
    batch: 20,
  },
  {
    name: 'R6',
    says: 'hostile requests to every endpoint',
    file: 'tests/fuzz.test.ts',
    only: '.',
    count: 'FUZZ_REQUESTS',
    seed: 'FUZZ_SEED',
    total: 200_000,
    batch: 20_000,
  },
  {
    name: 'R6-document',
    says: 'requests made from the API document',
    file: 'tests/fuzz-document.test.ts',
    only: '.',
    count: 'FUZZ_DOCUMENT',
    seed: 'FUZZ_SEED',
    total: 200_000,
    batch: 20_000,
  },
  {
    name: 'R1',
    says: 'commands of the lifecycle compared with its model',
    file: 'server/rooms/permits/permits/model.test.ts',
    only: '.',
    count: 'MODEL_COMMANDS',
    seed: 'SEED',
    total: 1_000_000,
    batch: 100_000,
  },
  {
    name: 'R1-http',
    says: 'the same over HTTP',
    file: 'tests/lifecycle.test.ts',
    only: '.',
    count: 'MODEL_HTTP',
    seed: 'SEED',
    total: 50_000,
    batch: 5000,
  },
  {
    name: 'R2',
    says: 'races of each step',
    file: 'tests/race/lifecycle.test.ts',
    only: '.',
    count: 'RACE_ROUNDS',
    seed: null,
    total: 200,
    batch: 10,
  },
  {
    name: 'R14',
    says: 'workflow graphs',
    file: 'server/rooms/permits/permit-workflow/graphs.test.ts',
    only: '.',
    count: 'GRAPHS',
    seed: 'SEED',
    total: 100_000,
    batch: 10_000,
  },
  {
    name: 'nodes',
    says: 'races between two nodes',
    file: 'tests/race/nodes.test.ts',
    only: '.',
    count: 'RACE_ROUNDS',
    seed: null,
    total: 200,
    batch: 10,
  },
  {
    name: 'outbox',
    says: 'kills of the process that delivers events',
    file: 'tests/race/outbox.test.ts',
    only: '.',
    count: 'KILLS_OUTBOX',
    seed: null,
    total: 200,
    batch: 20,
  },
  {
    name: 'sheets',
    says: 'rounds of damaged spreadsheets',
    file: 'server/kernel/imports/fuzz.test.ts',
    only: '.',
    count: 'FUZZ_TIMES',
    seed: null,
    total: 100,
    batch: 10,
  },
  {
    name: 'offline',
    says: 'steps of three days on a phone without a connection',
    file: 'tests/browser/offline.test.ts',
    only: 'U6',
    count: 'OFFLINE_STEPS',
    seed: null,
    total: 200,
    batch: 200,
  },
]

/** How far a proof has come. */
export type Progress = {
  proof: Proof
  /** The sum of the batches that passed. */
  passed: number
  seconds: number
  batches: number
  failures: Entry[]
  /** It failed three times in a row on this commit, so it isn't run again until the code changes. */
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
