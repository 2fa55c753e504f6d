import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bookOf, useFolder } from '../../../tests/books.ts'
import { linesFrom, type Reading } from './actions/process.ts'
import { LIMITS } from './domain/cells.ts'
import type { Line } from './domain/wire.ts'
import { piecesOf, problemOf, readWorkbook } from './door.ts'

/** Returns whether a process is running. */
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('imports: the reading process', () => {
  const folder = useFolder()
  let scripts = 0
  const reading = async (script: string, more: Partial<Reading> = {}): Promise<Reading> => {
    const entry = await folder.put(`reading-${++scripts}.mjs`, script)
    return { entry, args: [], may_read: [`${folder.path()}/*`], silence_ms: 10_000, heap_mb: 64, ...more }
  }
  const lines = async (from: Reading, signal?: AbortSignal) => {
    const all: Line[] = []
    let complaint = ''
    for await (const line of linesFrom(from, signal, said => {
      complaint += said
    }))
      all.push(line)
    return { all, complaint }
  }
  const problem = ({ all }: { all: Line[] }) => {
    const last = all.at(-1)
    return last !== undefined && 'problem' in last ? last.problem.problem : null
  }
  const SAY = `import { writeSync } from 'node:fs'\nconst say = line => writeSync(1, JSON.stringify(line) + '\\n')\n`

  test('a process that ends early, throws or is stopped causes a refusal, and its error is reported', async () => {
    assert.equal(problem(await lines(await reading(`${SAY} say({ sheet: 1 })`))), 'reader_died')
    const thrown = await lines(await reading(`${SAY} throw new Error('no such thing')`))
    assert.equal(problem(thrown), 'reader_died')
    assert.match(thrown.complaint, /no such thing/)
    assert.equal(problem(await lines(await reading(`process.kill(process.pid, 'SIGKILL') // killed from outside`))), 'reader_died')
  })

  test('a process that takes too much memory causes a refusal with that reason', async () => {
    const hungry = await reading(`const all = []; for (;;) all.push(new Array(100_000).fill({}).map(() => ({})))`)
    assert.equal(problem(await lines(hungry)), 'too_much_memory')
  })

  test('the watch stops a process that uses too much memory outside its scripts, takes too long, or has lost its service', async () => {
    const watched = (settings: string, work = 'for (;;) { /* the library loops */ }') =>
      reading(`import { Worker } from 'node:worker_threads'
        const reading = new Int32Array(new SharedArrayBuffer(4))
        const workerData = { reading, parent: process.ppid, memory_mb: 1e6, milliseconds: 1e6, silence_ms: 1e6, ...${settings} }
        new Worker(new URL(${JSON.stringify(new URL('./actions/watch.js', import.meta.url).href)}), { workerData })
        ${work}`)
    assert.equal(problem(await lines(await watched('{ memory_mb: 1 }'))), 'too_much_memory')
    assert.equal(problem(await lines(await watched('{ silence_ms: -5000 }'))), 'too_slow')
    assert.equal(problem(await lines(await watched('{ milliseconds: 500 }'))), 'too_slow', 'it counts processor time')
    assert.equal(problem(await lines(await watched('{ parent: 1234567 }'))), 'reader_died')
  })

  test('on a busy machine a sound workbook isn’t called damaged: what waits for a processor has time', async () => {
    const waiting = await reading(`import { Worker } from 'node:worker_threads'
      ${SAY}
      const reading = new Int32Array(new SharedArrayBuffer(4))
      const workerData = { reading, parent: process.ppid, memory_mb: 1e6, milliseconds: 3000, silence_ms: 1e6 }
      new Worker(new URL(${JSON.stringify(new URL('./actions/watch.js', import.meta.url).href)}), { workerData })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500)
      say({ end: true })
      process.exit(0)`)
    assert.deepEqual((await lines(waiting)).all, [{ end: true }])
    assert.ok(LIMITS.silence_ms >= 3 * LIMITS.milliseconds)
  })

  test('a process that sends nothing is stopped', async () => {
    assert.equal(problem(await lines(await reading(`for (;;) { /* it loops for ever */ }`, { silence_ms: 400 }))), 'too_slow')
    const half = await lines(await reading(`${SAY} say({ sheet: 3 }); for (;;) { /* after a line */ }`, { silence_ms: 1000 }))
    assert.deepEqual(half.all, [{ sheet: 3 }, { problem: { problem: 'too_slow' } }])
  })

  test('a caller that stops reading, or cancels it, leaves no process behind', async () => {
    const endless = await reading(`${SAY} say({ sheet: process.pid }); for (;;) say({ sheet: 0 })`)
    let pid = 0
    for await (const line of linesFrom(endless, undefined, () => {})) {
      pid = 'sheet' in line ? line.sheet : 0
      assert.ok(alive(pid))
      break
    }
    assert.ok(pid > 0 && !alive(pid))
    const off = new AbortController()
    pid = 0
    await assert.rejects(async () => {
      for await (const line of linesFrom(endless, off.signal, () => {})) {
        if (pid === 0 && 'sheet' in line) pid = line.sheet
        off.abort(new Error('cancelled'))
      }
    }, /cancelled/)
    assert.ok(pid > 0 && !alive(pid))
    await assert.rejects(lines(endless, off.signal), /cancelled/)
  })

  test('the process has an empty environment, can read only its code and the workbook, and can’t write or start anything', async () => {
    const script = `${SAY}
      import { readFileSync, writeFileSync } from 'node:fs'
      import { spawnSync } from 'node:child_process'
      const able = work => { try { work(); return true } catch { return false } }
      say({ formats: [Object.keys(process.env).filter(name => name !== 'TZ').join() || 'nothing'] })
      say({ formats: [String(able(() => readFileSync('/etc/hostname'))), String(able(() => writeFileSync(${JSON.stringify(`${folder.path()}`)} + '/x', ''))), String(able(() => { if (spawnSync('true').error) throw 0 }))] })
      say({ end: true })`
    const { all } = await lines(await reading(script))
    assert.deepEqual(all, [{ formats: ['nothing'] }, { formats: ['false', 'false', 'false'] }, { end: true }])
  })

  test('a reading that is cancelled while it waits for its turn gives up its turn', async () => {
    const path = await folder.put('a.xlsx', bookOf([['Permit No'], ['PTW-1']]))
    const off = new AbortController()
    const several = [1, 2, 3, 4, 5].map(() => readWorkbook({ path, filename: 'a.xlsx' }))
    const away = readWorkbook({ path, filename: 'a.xlsx', signal: off.signal })
    // The other readings have taken every turn by then.
    setImmediate(() => off.abort(new Error('cancelled')))
    await assert.rejects(away, /cancelled/)
    for (const book of await Promise.all(several)) assert.equal(book.sheets[0]?.rows.length, 2)
  })

  test('a caller can stop after the first piece, and the next workbook is still read', async () => {
    const path = await folder.put('b.xlsx', bookOf(Array.from({ length: 5000 }, (_, r) => [`PTW-${r}`, 'x'.repeat(50)])))
    for (let i = 0; i < 4; i++) {
      for await (const piece of piecesOf({ path, filename: 'b.xlsx' })) {
        assert.equal(piece.kind, 'book')
        break
      }
    }
    assert.equal((await readWorkbook({ path, filename: 'b.xlsx' })).sheets[0]?.rows.length, 5000)
    await assert.rejects(readWorkbook({ path: `${path}.gone`, filename: 'b.xlsx' }), { code: 'ENOENT' })
    assert.equal(problemOf(new Error('x')), null)
  })
})
