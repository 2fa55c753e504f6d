// P3: an XLSX file of 20,000 rows, imported over HTTP the way the product does it: read, resolved and upserted, with errors and audit. Compared with the
// same file read by the spreadsheet library at once and inserted row by row, without places, contractors, errors or audit.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { longestTurn } from '../tests/books.ts'
import { type Bench, median } from './kit.ts'
import { makeRegister } from './make-register.ts'

/**
 * Medians in seconds; the longest stall, the most processor time of one turn and the largest memory of all runs. A stall that is longer than the longest turn is
 * other work on the machine.
 */
export type ImportBench = {
  rows: number
  new_seconds: number
  again_seconds: number
  peer_seconds: number
  ratio: number
  ratio_again: number
  worst_stall_ms: number
  worst_turn_ms: number
  rss_mb: number
}

const RESOLUTION = 1

/** Imports a register of this many rows into new sites, and then a second time into each. */
export async function importBench(bench: Bench, rows = 20_000, runs = 5): Promise<ImportBench> {
  const file = makeRegister(rows)
  const fresh: number[] = []
  const again: number[] = []
  const peers: number[] = []
  let worst_stall_ms = 0
  let worst_turn_ms = 0
  let rss = 0
  for (let run = 0; run <= runs; run++) {
    const w = await bench.house.world()
    for (const list of [fresh, again]) {
      const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
      delay.enable()
      const { result: seconds, milliseconds } = await longestTurn(() => upload(bench, w.site_id, w.as('admin').token ?? '', file))
      delay.disable()
      rss = Math.max(rss, process.memoryUsage().rss)
      if (run === 0) continue
      list.push(seconds)
      worst_stall_ms = Math.max(worst_stall_ms, delay.max / 1e6 - RESOLUTION)
      worst_turn_ms = Math.max(worst_turn_ms, milliseconds)
    }
    if (run > 0 && run <= 3) peers.push(await rowByRow(bench, file))
  }
  const [new_seconds, again_seconds, peer_seconds] = [median(fresh), median(again), median(peers)]
  return {
    rows,
    new_seconds,
    again_seconds,
    peer_seconds,
    ratio: peer_seconds / new_seconds,
    ratio_again: peer_seconds / again_seconds,
    worst_stall_ms,
    worst_turn_ms,
    rss_mb: rss / 1024 / 1024,
  }
}

/** Sent from a separate thread, so that sending the file does not block our event loop. */
function upload(bench: Bench, site_id: string, token: string, file: Buffer): Promise<number> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { address, site_id, token, file } = workerData
    const body = new FormData()
    body.append('file', new Blob([file]), 'register.xlsx')
    const began = performance.now()
    fetch(address + '/api/permits/upload?site_id=' + site_id, { method: 'POST', headers: { authorization: 'Bearer ' + token }, body })
      .then(async r => { const said = await r.json(); parentPort.postMessage({ seconds: (performance.now() - began) / 1000, status: r.status, said: { ...said, errors: said.errors?.length } }) })`
  return new Promise((done, failed) => {
    const worker = new Worker(code, { eval: true, workerData: { address: bench.address, site_id, token, file } })
    worker.once('error', failed)
    worker.once('message', ({ seconds, status, said }) => {
      if (status === 201) done(seconds)
      else failed(new Error(`The upload responded with ${status} ${JSON.stringify(said).slice(0, 500)}`))
    })
  })
}

/** The peer: what a simple script would do. */
async function rowByRow(bench: Bench, file: Buffer): Promise<number> {
  const { pool } = bench.house.house.database
  const client = await pool.connect()
  try {
    await client.query(
      'create table if not exists peer_permit (number text primary key, types text, contractor text, place text, level text, start_at text, end_at text, what text, controls text)',
    )
    await client.query('truncate peer_permit')
    const XLSX = await import('@e965/xlsx')
    const began = performance.now()
    const book = XLSX.read(file, { dense: true })
    const sheet = book.Sheets[book.SheetNames[0] ?? '']
    const cells =
      sheet === undefined ? [] : (XLSX.utils.sheet_to_json(sheet, { header: 1, raw: false, defval: null }) as (string | null)[][])
    for (const row of cells.slice(1)) {
      await client.query(
        `insert into peer_permit values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (number) do update set types = excluded.types, contractor = excluded.contractor,
          place = excluded.place, level = excluded.level, start_at = excluded.start_at, end_at = excluded.end_at, what = excluded.what, controls = excluded.controls`,
        row.slice(0, 9),
      )
    }
    return (performance.now() - began) / 1000
  } finally {
    client.release()
  }
}
