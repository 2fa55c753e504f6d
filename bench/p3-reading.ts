// The reading half of P3: a register of 20,000 rows checked row by row, compared in the same run with the spreadsheet library alone reading the same file into
// arrays. To run it on its own: `node tools/run.js bench/p3-reading.ts`.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import * as XLSX from '@e965/xlsx'
import { readRegister } from '../server/rooms/permits/permit-import/actions/read.ts'
import { longestTurn } from '../tests/books.ts'
import { makeRegister } from './make-register.ts'

const PEER = 'p3-reading: the peer'

/**
 * Medians in seconds; `ratio` is the peer's time divided by ours. `worst_stall_ms` is the longest time that our event loop was blocked in any of our runs, and
 * `worst_turn_ms` the most processor time of one turn. The difference is other work on the machine.
 */
export type ReadingBench = {
  rows: number
  seconds: number
  peer_seconds: number
  ratio: number
  worst_stall_ms: number
  worst_turn_ms: number
}

const TYPES = ['GEN', 'HW', 'CSE', 'WAH', 'EXC', 'ELE', 'CRO', 'PRT', 'RAD', 'LIFT'].map(code => ({ code, name: code }))
const RESOLUTION = 1

/** Reads a register of this many rows in alternating runs, after one run of each that is not counted. */
export async function readingBench(rows = 20_000, runs = 5): Promise<ReadingBench> {
  const folder = await mkdtemp(join(tmpdir(), 'walkdown-p3-'))
  // The peer has its own thread, so that its garbage collection does not affect ours. The thread is kept, so that its code is as warm as ours.
  const peer = new Worker(new URL(import.meta.url), { workerData: PEER })
  try {
    const path = join(folder, 'register.xlsx')
    await writeFile(path, makeRegister(rows))
    const ours: number[] = []
    const theirs: number[] = []
    let worst_stall_ms = 0
    let worst_turn_ms = 0
    for (let run = 0; run <= runs; run++) {
      peer.postMessage(path)
      const [reported] = (await once(peer, 'message')) as [{ rows: number; seconds: number }] // the message that alone() posts
      if (reported.rows !== rows + 1) throw new Error('The peer did not read every row.')
      const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
      delay.enable()
      const began = performance.now()
      const own = await longestTurn(() => judged(path))
      const seconds = (performance.now() - began) / 1000
      delay.disable()
      if (own.result !== rows) throw new Error('We did not check every row.')
      if (run === 0) continue
      theirs.push(reported.seconds)
      ours.push(seconds)
      worst_stall_ms = Math.max(worst_stall_ms, delay.max / 1e6 - RESOLUTION)
      worst_turn_ms = Math.max(worst_turn_ms, own.milliseconds)
    }
    const seconds = median(ours)
    const peer_seconds = median(theirs)
    return { rows, seconds, peer_seconds, ratio: peer_seconds / seconds, worst_stall_ms, worst_turn_ms }
  } finally {
    await peer.terminate()
    await rm(folder, { recursive: true, force: true })
  }
}

async function judged(path: string): Promise<number> {
  let rows = 0
  for await (const piece of readRegister({ path, filename: 'register.xlsx', timezone: 'Europe/London', types: TYPES }))
    if (piece.kind === 'end') rows = piece.rows
  return rows
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

/** The peer: reads the file into arrays and checks nothing. */
function alone(path: string): { rows: number; seconds: number } {
  const began = performance.now()
  const book = XLSX.read(readFileSync(path), { dense: true })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  const rows = sheet === undefined ? 0 : XLSX.utils.sheet_to_json(sheet, { header: 1 }).length
  return { rows, seconds: (performance.now() - began) / 1000 }
}

if (workerData === PEER) parentPort?.on('message', (path: string) => parentPort?.postMessage(alone(path)))
else if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await readingBench())
