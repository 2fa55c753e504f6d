// Entry of the process that reads uploaded layers. A hostile file may keep it busy for long, use a lot of memory, or crash it, so it can be stopped.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { serveOrders } from '../../../base/child/serve.ts'
import { LIMITS } from '../domain/files.ts'
import type { GeoAnswer, GeoOrder } from '../domain/orders.ts'
import { readDocument } from './documents.ts'

const PIECE = 1024 * 1024

serveOrders<GeoOrder, GeoAnswer>(async ({ path, filename, crs, out }) => {
  const file = openSync(out, 'w', 0o600)
  const hash = createHash('sha256')
  let waiting: string[] = []
  let length = 0
  let total = 0
  const flush = () => {
    const bytes = Buffer.from(waiting.join(''))
    hash.update(bytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    waiting = []
    length = 0
  }
  try {
    const read = await readDocument(readFileSync(path), filename, crs, line => {
      const text = `${JSON.stringify(line)}\n`
      total += text.length
      if (total > LIMITS.written_bytes) return
      length += text.length
      waiting.push(text)
      if (length > PIECE) flush()
    })
    flush()
    if ('problem' in read) return read
    if (total > LIMITS.written_bytes) return { problem: 'too_much_text' }
    if (read.accepted + read.refused_count === 0) return { problem: 'no_features' }
    return { ...read, digest: hash.digest('hex') }
  } finally {
    closeSync(file)
  }
})
