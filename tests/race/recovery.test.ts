// 10.5: processes of the database end while the service is running. The service survives: it restarts the embedded engine, reconnects everything,
// and has each acknowledged write exactly once.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import WebSocket from 'ws'
import { databaseGone } from '../../server/base/db.ts'
import { ids } from '../../server/base/ids.ts'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { times } from '../chance.ts'
import { openServed, type Served } from '../served.ts'

/** FAULTS repeats each proof of R13 (`tools/proofs.ts`). */
const FAULTS = times('FAULTS', 1)

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
type Said = { status: number; body: any; retry_after: string | null }

describe('a database that ends while the service is running', () => {
  const served: { it: Served | null } = { it: null }
  const service = (): Served => served.it ?? assert.fail('The service is there once the tests run.')
  const people = { root: '', site_id: '' }

  const call = async (method: string, path: string, body?: unknown, key?: string): Promise<Said> => {
    const answer = await fetch(`${service().url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${people.root}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json(), retry_after: answer.headers.get('retry-after') }
  }

  before(async () => {
    served.it = await openServed()
    await service().start()
    people.root = await service().token({ subject: 'root', name: 'Sam Root', email: 'root@walkdown.test' })
    people.site_id = (await call('POST', '/sites/', { name: 'Cut Quarter', timezone: 'Europe/London' })).body.id
  })
  after(async () => {
    await served.it?.close()
  })

  /** Returns the main process of the engine, and the processes that serve connections. */
  async function processes(): Promise<{ main: number; backends: number[] }> {
    let main = 0
    // After the round before, the service may still be starting a new one.
    await until('No main process of the database runs.', async () => {
      main = Number((await readFile(join(service().data_dir, 'pg', 'postmaster.pid'), 'utf8')).split('\n')[0])
      return process.kill(main, 0)
    })
    // While it recovers, there is a moment without any, of which `ps` says that it failed.
    const all = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(main)], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
    const backends = all.filter(line => /postgres: walkdown /.test(line)).map(line => Number(line.trim().split(/\s+/)[0]))
    return { main, backends }
  }

  /** Waits for a new main process: the backends of its predecessor still respond for a moment. */
  const anotherThan = (main: number) => until('The database wasn’t started again.', async () => (await processes()).main !== main)

  /** Pauses these processes until the service says that it isn't ready, and lets them continue. */
  async function stalled(which: () => Promise<number[]>): Promise<void> {
    const stopped = await which()
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    try {
      await until('The service goes on saying that it is ready.', async () => {
        const ready = await fetch(`${service().url}/api/health/ready`)
        const { error } = (await ready.json()) as { error?: { failing: string[] } } // a refusal has its reasons
        return ready.status === 503 && error?.failing.includes('database') === true
      })
      assert.equal((await fetch(`${service().url}/api/health/live`)).status, 200)
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    }
  }

  const WAYS: Record<string, () => Promise<void>> = {
    'kill -9 of one backend': async () => {
      const { backends } = await processes()
      process.kill(backends[Math.floor(backends.length / 2)] ?? assert.fail('Nothing serves connections.'), 'SIGKILL')
    },
    'the end of every backend': () =>
      service().looking(async house => {
        await house.database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        )
      }),
    'kill -9 of the main process': async () => {
      const { main } = await processes()
      process.kill(main, 'SIGKILL')
      await anotherThan(main)
    },
    'kill -9 of every process': async () => {
      const { main } = await processes()
      await service().killEngine()
      await anotherThan(main)
    },
    // The process doesn't end but pauses: connections stay open, and nothing responds. The second check in a row reports this at the latest.
    'SIGSTOP of every process': () => stalled(async () => Object.values(await processes()).flat()),
    'SIGSTOP of every backend': () => stalled(async () => (await processes()).backends),
  }

  /** Adds contractors one after another; each is repeated under its key until it is acknowledged. */
  async function write(stop: { now: boolean }, acked: Map<string, string>): Promise<void> {
    while (!stop.now) {
      const key = ids.next()
      const body = { site_id: people.site_id, name: `Contractor ${key}`, confirm_similar: true }
      for (;;) {
        const said = await call('POST', '/contractors/', body, key)
        if (said.status === 201) {
          acked.set(body.name, said.body.id)
          break
        }
        assert.equal(said.status, 503, JSON.stringify(said.body))
        assert.equal(said.body.error.code, 'unavailable')
        assert.ok(Number(said.retry_after) > 0, 'a 503 says when to come again')
        await wait(50)
      }
    }
  }

  /** Waits until the service works again; every response before that is a 503 that says when to retry. */
  async function back(): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      const said = await call('GET', `/contractors/?site_id=${people.site_id}&limit=1`)
      if (said.status === 200) return
      assert.equal(said.status, 503, JSON.stringify(said.body))
      assert.ok(Number(said.retry_after) > 0)
      await wait(50)
    }
    assert.fail('The service did not come back.')
  }

  const until = async (what: string, holds: () => Promise<boolean>) => {
    for (let tries = 0; tries < 400; tries++) {
      if (await holds().catch(() => false)) return
      await wait(50)
    }
    assert.fail(what)
  }

  async function lookAround(acked: Map<string, string>): Promise<void> {
    await service().looking(async house => {
      const { pool, db } = house.database
      const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
      const names = await rows('select name, id from contractor where site_id = $1 and name = any($2::text[])', [
        people.site_id,
        [...acked.keys()],
      ])
      assert.deepEqual(new Map(names.map(row => [row.name, row.id])), acked)
      assert.equal(names.length, acked.size, 'a write is there twice')
      const all = await rows('select count(*)::int as n, count(distinct name)::int as names from contractor where site_id = $1', [
        people.site_id,
      ])
      assert.equal(all[0]?.n, all[0]?.names)
      assert.equal((await verifyChain(db, people.site_id)).fault, null)
      // All are connected again: the two listeners (relay and live), and the owner of the data directory.
      await until('Nobody listens for news.', async () => {
        const ears = await rows(`select 1 from pg_stat_activity where datname = current_database() and query like 'listen %'`)
        return ears.length === 2
      })
      await until('Nobody has the lock of the data directory.', async () => {
        const locks = await rows(`select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = 724001 and granted`)
        return locks.length === 1
      })
      await until('Events are not delivered.', async () => {
        const open = await rows(
          `select 1 from event_cursor c join site_head h using (site_id) where c.consumer = 'notices' and c.event_no < h.event_no`,
        )
        return open.length === 0
      })
      // The queue's own connections fetch a job that is added now.
      const id = ids.next()
      await pool.query(`insert into pgboss.job (id, name, data) values ($1, 'mail', '{"run_id": "${ids.next()}"}')`, [id])
      await until('Jobs are not taken out of the queue.', async () => {
        const [job] = await rows('select state from pgboss.job where id = $1', [id])
        return job?.state === 'completed'
      })
    })
  }

  for (const [way, cut] of Object.entries(WAYS)) {
    for (const busy of [false, true]) {
      test(`10.5 ${way}, ${busy ? 'under writes' : 'idle'}: the process survives, recovers by itself, and has each acknowledged write exactly once`, async () => {
        for (let round = 0; round < FAULTS; round++) {
          const { pid } = service()
          const acked = new Map<string, string>()
          const stop = { now: false }
          const writers = busy ? Array.from({ length: 8 }, () => write(stop, acked)) : []
          try {
            if (busy) await until('Nothing was written.', async () => acked.size > 10)
            await cut()
            await back()
            const before_end = acked.size
            if (busy) await until('Nothing was written afterwards.', async () => acked.size > before_end + 10)
          } finally {
            stop.now = true
            await Promise.all(writers)
          }
          assert.equal(service().pid, pid)
          assert.equal((await fetch(`${service().url}/api/health/live`)).status, 200)
          await lookAround(acked)
        }
      })
    }
  }

  test('10.5 a command that begins while the database recovers joins the service’s database, and doesn’t end it', async () => {
    for (let round = 0; round < 3 * FAULTS; round++) {
      const { main, backends } = await processes()
      process.kill(backends.at(-1) ?? assert.fail('Nothing serves connections.'), 'SIGKILL')
      await wait(5 * (round % 4))
      const command = () => service().looking(house => house.database.pool.query('select 1'))
      // Its statement may be cut off, if the database hasn’t noticed yet that it has to recover.
      await command().catch(error => assert.ok(databaseGone(error), String(error)))
      assert.equal((await processes()).main, main)
      await back()
      await command()
      assert.equal((await processes()).main, main)
    }
  })

  test('10.5 an open app receives events that occur after the database has recovered', async () => {
    const socket = new WebSocket(`${service().url.replace('http', 'ws')}/api/ws`)
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
    const frames: any[] = []
    socket.on('message', data => frames.push(JSON.parse(String(data))))
    await new Promise(done => socket.once('open', done))
    socket.send(JSON.stringify({ type: 'auth', token: people.root }))
    await until('not ready', async () => frames.some(frame => frame.type === 'ready'))
    socket.send(JSON.stringify({ type: 'subscribe', site_id: people.site_id }))
    await until('not subscribed', async () => frames.some(frame => frame.type === 'subscribed'))
    await service().killEngine()
    await back()
    const made = await call('POST', '/contractors/', { site_id: people.site_id, name: 'Told Afterwards Ltd', confirm_similar: true })
    assert.equal(made.status, 201)
    await until('no event', async () => frames.some(frame => frame.type === 'event' && frame.ids?.includes(made.body.id)))
    socket.close()
  })
})
