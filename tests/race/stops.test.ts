// A stop takes a limited time: whatever is running, the process ends, and the next one takes over its unfinished work immediately.
import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { House } from '../../server/base/ctx.ts'
import { embeddedEngine } from '../../server/base/engine.ts'
import { EngineError } from '../../server/base/engine-files.ts'
import { runSchedules, startWorker } from '../../server/kernel/jobs/door.ts'
import { manyDue } from '../many.ts'
import { permitWorld } from '../permits.ts'
import { openServed, type Served } from '../served.ts'
import { MONDAY, useHouse } from '../world.ts'

const REGISTER = readFileSync(fileURLToPath(new URL('../data/permits/register-2000.xlsx', import.meta.url)))
/** A stop can take 10 s, after which the test gives up. Earlier versions waited for the work to end, which here never happens. */
const GIVEN_UP_MS = 16_000

describe('a stop of the service', () => {
  const served: { it: Served | null } = { it: null }
  const service = (): Served => served.it ?? assert.fail('The service is there once the tests run.')
  before(async () => {
    served.it = await openServed()
    await service().start()
  })
  after(async () => {
    await served.it?.close()
  })

  test('9.11 SIGTERM ends the process while an import is blocked, and the next process takes over the job immediately', {
    timeout: 120_000,
  }, async () => {
    const token = await service().token({ subject: 'root', name: 'Sam Root', email: 'root@walkdown.test' })
    const call = async (path: string, body: string | FormData, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${service().url}/api${path}`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
      return { status: answer.status, body: (await answer.json()) as { id: string } }
    }
    const site = await call('/sites/', JSON.stringify({ name: 'Stopped Quarter', timezone: 'Europe/London' }), {
      'content-type': 'application/json',
    })
    const form = new FormData()
    form.append('file', new Blob([REGISTER]), 'register.xlsx')
    const runOf = async (house: House) =>
      (await house.database.pool.query("select state, attempts from job_run where kind = 'permit_import'")).rows[0] as {
        state: string
        attempts: number
      }

    await service().looking(async house => {
      // Another import on this site is running, and does not end.
      const client = await house.database.pool.connect()
      client.on('error', () => {})
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`permit import ${site.body.id}`])
      assert.equal((await call(`/permits/upload?site_id=${site.body.id}`, form, { prefer: 'respond-async' })).status, 202)
      for (let tries = 0; tries < 200 && (await runOf(house))?.state !== 'running'; tries++) await wait(50)
      assert.equal((await runOf(house)).state, 'running')
      await wait(500) // it has reached the point where it waits
      const ended = await Promise.race([service().stop(), wait(GIVEN_UP_MS, null)])
      client.release(true)
      assert.equal(ended?.code, 0, ended?.said)
    })
    await service().start()
    await service().looking(async house => {
      for (let tries = 0; tries < 400 && (await runOf(house)).state !== 'succeeded'; tries++) await wait(50)
      assert.deepEqual(await runOf(house), { state: 'succeeded', attempts: 1 }, 'the interrupted attempt does not count')
    })
  })
})

describe('a data directory whose process was killed', () => {
  test('the directory is taken over once the database has noticed; while the process runs, nobody can take it', async () => {
    const service = await openServed()
    await service.start()
    await assert.rejects(embeddedEngine({ data_dir: service.data_dir, own: true }), (error: unknown) => {
      assert.ok(error instanceof EngineError)
      assert.match(error.message, /is in use by another Walkdown/)
      return true
    })
    const holder = await service.looking(
      async house =>
        (await house.database.pool.query("select pid from pg_locks where locktype = 'advisory' and objid = 724001")).rows[0].pid as number,
    )
    process.kill(holder, 'SIGSTOP')
    await service.kill()
    const closed = service.close()
    await wait(500) // the new process has asked for the lock, and the old connection still has it
    process.kill(holder, 'SIGCONT')
    await closed
  })
})

describe('background work of a process that stops', () => {
  const house = useHouse({}, { pool: 8 })

  test('9.11 a sweep stops after its batch and is due again immediately for another process', async () => {
    const w = await permitWorld(house)
    await manyDue(house, w.site_id, 5000, { end_at: '2026-03-16T12:00:00.000Z' })
    const expired = async () =>
      (await house.rows("select count(*)::int as n from permit where site_id = $1 and status = 'expired'", [w.site_id]))[0].n as number
    house.clock('2026-03-16T12:00:00.000Z')
    const worker = await startWorker(house.house)
    for (let tries = 0; tries < 400 && (await expired()) === 0; tries++) await wait(20)
    await worker.stop(5000)
    const left = 5000 - (await expired())
    assert.ok(left > 0 && left < 5000, `${left} left`)
    const [run] = await house.rows("select state, error_code from job_run where kind = 'permit_sweep'")
    assert.deepEqual(run, { state: 'cancelled', error_code: 'handed_back' })

    const other = await house.beside()
    other.clock('2026-03-16T12:00:00.000Z')
    await runSchedules(other.house, 'permit_sweep')
    assert.equal(await expired(), 5000, 'in the same minute')
    await other.close()
    house.clock(MONDAY)
  })
})

describe('a log that can’t be written', () => {
  const served: { it: Served | null } = { it: null }
  after(async () => {
    await served.it?.close()
  })

  test('10.9 a service whose log is on a full disk starts, serves, says so in health, and stops', { timeout: 120_000 }, async () => {
    const it = await openServed({ LOG_LEVEL: 'info' })
    served.it = it
    await it.start()
    const token = await it.token({ subject: 'root', name: 'Sam Root', email: 'root@walkdown.test' })
    const log = async () => {
      const answer = await fetch(`${it.url}/api/health`, { headers: { authorization: `Bearer ${token}` } })
      return ((await answer.json()) as { checks: { log: { status: string; message: string } } }).checks.log
    }
    assert.equal((await log()).status, 'ok')
    assert.equal((await it.stop()).code, 0)

    const full = openSync('/dev/full', 'w') // each write fails, as on a full disk
    await it.start(full)
    closeSync(full)
    const said = await log()
    assert.deepEqual([said.status, said.message], ['degraded', 'The log can’t be written (ENOSPC).'])
    const stopped = it.stop().then(({ code }) => code)
    assert.equal(await Promise.race([stopped, wait(GIVEN_UP_MS, 'still running')]), 0)
  })
})
