// Jobs whose process was killed: another process runs them within a minute, and health reports them meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type PermitWorld, permitWorld } from '../../../tests/permits.ts'
import { spawnWorker } from '../../../tests/race/spawned.ts'
import { useHouse } from '../../../tests/world.ts'
import type { House } from '../../base/ctx.ts'
import { checksOf } from '../../rooms/operate/health/door.ts'
import { bossOf } from './actions/queue.ts'
import { startWorker, takeUpInterrupted } from './door.ts'

describe('interrupted jobs', () => {
  const house = useHouse({ CLOCK: 'system' }, { pool: 8 })

  /** Makes documents that a killed process had started: the queue shows them as running, with a last heartbeat some seconds ago. */
  const interrupt = async (seconds: number): Promise<number> => {
    const jobs = await house.rows(
      `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - $1 * interval '1 second'
       where name = 'make_paper' and state = 'created' returning id`,
      [seconds],
    )
    await house.rows(`update job_run set state = 'running', started_at = now(), attempts = 1 where id = any($1::uuid[])`, [
      jobs.map(job => job.id),
    ])
    return jobs.length
  }
  const queueCheck = async () => (await checksOf({ ...house.house })).queue
  const waiting = async () => (await house.rows(`select count(*)::int as n from paper_order`))[0].n as number

  test('10.9 a document that was interrupted by a kill is made again, and health reports it until then', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'] })
    const begun = await interrupt(1)
    assert.ok(begun > 0 && (await waiting()) > 0)
    assert.equal(await takeUpInterrupted(house.house, { alone: false }), 0, 'what a process spoke of a second ago is its own')
    assert.equal((await queueCheck())?.status, 'ok')

    await house.rows(`update pgboss.job set heartbeat_on = now() - interval '16 seconds' where state = 'active'`)
    const check = await queueCheck()
    assert.equal(check?.status, 'degraded')
    assert.match(check?.message ?? '', /interrupted jobs? starts? again within a minute/)
    assert.equal(await takeUpInterrupted(house.house, { alone: false }), 0, 'it may only be slow')

    await house.rows(`update pgboss.job set heartbeat_on = now() - interval '21 seconds' where state = 'active'`)
    const worker = await startWorker(house.house)
    for (let tries = 0; tries < 600 && (await waiting()) > 0; tries++) await wait(50)
    await worker.stop()
    assert.equal(await waiting(), 0)
    assert.equal((await queueCheck())?.status, 'ok')
    const runs = await house.rows(`select distinct state, attempts from job_run where kind = 'make_paper'`)
    assert.deepEqual(runs, [{ state: 'succeeded', attempts: 1 }], 'the attempt that was interrupted doesn’t count')
  })

  test('10.9 the only process of an installation runs interrupted jobs again at its start', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'] })
    const begun = await interrupt(0)
    assert.ok(begun > 0)
    assert.equal(await takeUpInterrupted(house.house, { alone: true }), begun)
    assert.equal((await house.rows(`select count(*)::int as n from pgboss.job where state = 'active'`))[0].n, 0)
  })

  const KIND = 'workflow_backtest'
  /** Queues a back-test that has one attempt left. `seconds`: how long it can take. */
  const lastAttempt = async (w: PermitWorld, seconds = 900): Promise<string> => {
    const hse = w.as('hse')
    const made = await hse.post('/permits/workflow/clone', { site_id: w.site_id, name: 'Draft' })
    const { body } = await hse.post(`/permits/workflow/${made.body.id ?? made.body.error.existing_id}/back-test`, {})
    await house.rows('update job_run set attempts = max_attempts - 1 where id = $1', [body.job_id])
    await house.rows('update pgboss.job set retry_limit = 0, expire_seconds = $2 where id = $1', [body.job_id, seconds])
    return body.job_id
  }
  const run = async (job_id: string) => (await house.rows('select state, attempts, error_code from job_run where id = $1', [job_id]))[0]
  const job = async (job_id: string) => (await house.rows('select state, heartbeat_on from pgboss.job where id = $1', [job_id]))[0]
  const until = async (what: string, is: () => Promise<boolean>) => {
    for (let tries = 0; tries < 600; tries++) {
      if (await is()) return
      await wait(50)
    }
    assert.fail(what)
  }
  /** Two processes look for interrupted jobs at the same time. */
  const both = async (work: (first: House, second: House) => Promise<void>) => {
    const second = await house.beside()
    await work(house.house, second.house).finally(() => second.close())
  }

  test('§0.5 a job killed at its last attempt has failed, and its person is notified once; never while its process is alive', async () => {
    const w = await permitWorld(house)
    await house.rows(`delete from pgboss.job where name = $1`, [KIND])
    const job_id = await lastAttempt(w, 1)
    const process = await spawnWorker(house, 'job', 0)
    try {
      await new Promise(started => process.stdout.once('data', started))
      await until('the queue hasn’t given up a job that took too long', async () => (await job(job_id)).state === 'failed')
      await until('its process says nothing', async () => (await job(job_id)).heartbeat_on !== null)
      await house.rows(`update pgboss.job set completed_on = now() - interval '1 hour' where id = $1`, [job_id])
      assert.equal(await takeUpInterrupted(house.house, { alone: false }), 0)
      assert.equal((await run(job_id)).state, 'running', 'its process is still at work')
    } finally {
      process.kill('SIGKILL')
      await new Promise(ended => process.once('close', ended))
    }
    assert.equal(await takeUpInterrupted(house.house, { alone: false }), 0, 'it may only be slow')
    await house.rows(`update pgboss.job set heartbeat_on = now() - interval '21 seconds' where id = $1`, [job_id])
    await both(async (first, second) => {
      const counts = await Promise.all([first, second, first].map(node => takeUpInterrupted(node, { alone: false })))
      assert.deepEqual(counts.sort(), [0, 0, 1])
    })
    assert.deepEqual(await run(job_id), { state: 'failed', attempts: 6, error_code: 'interrupted' })
    const reason = 'The work was interrupted at its last attempt. Try again. If it fails again, contact your administrator.'
    const events = await house.rows(`select kind, payload ->> 'reason' as reason from event where subject_id = $1`, [job_id])
    assert.deepEqual(events, [{ kind: 'job.failed', reason }])
    const inbox = await w.as('hse').get(`/notifications/?site_id=${w.site_id}&kind=your_job`)
    assert.deepEqual(
      inbox.body.map((row: { title: string; body: string }) => [row.title, row.body]),
      [['Back-test of a workflow has failed', reason]],
    )
  })

  test('§0.5 a job has also failed if the queue gave it up after a kill or no longer has it; one that it will run again has not', async () => {
    const w = await permitWorld(house)
    const [given_up, missing, again, waiting] = [await lastAttempt(w), await lastAttempt(w), await lastAttempt(w), await lastAttempt(w)]
    for (const id of [given_up, again]) {
      await house.rows(
        `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute' where id = $1`,
        [id],
      )
      await house.rows(`update job_run set state = 'running', started_at = now(), attempts = max_attempts where id = $1`, [id])
    }
    await house.rows('update pgboss.job set retry_limit = 1 where id = $1', [again])
    await house.rows('update pgboss.queue set monitor_claim_on = null, monitor_on = null')
    await both(async (_first, second) => (await bossOf(second)).supervise(KIND)) // the queue of the first process was closed with its worker
    assert.deepEqual([(await job(given_up)).state, (await job(again)).state], ['failed', 'retry'])
    await house.rows('delete from pgboss.job where id = $1', [missing])
    assert.equal(await takeUpInterrupted(house.house, { alone: false }), 1)
    assert.equal((await run(missing)).state, 'failed')
    assert.equal((await run(given_up)).state, 'running', 'its process could be slow')
    assert.equal(await takeUpInterrupted(house.house, { alone: true }), 1, 'no other process exists')
    const states = await Promise.all([given_up, again, waiting].map(async id => (await run(id)).state))
    assert.deepEqual(states, ['failed', 'running', 'queued'])
  })

  test('1077 a job whose process was killed five times has failed, so that it can’t stop the service at each start; its person is notified once', async () => {
    const w = await permitWorld(house)
    await house.rows(`delete from pgboss.job where name = $1`, [KIND])
    await takeUpInterrupted(house.house, { alone: true }) // what the tests before have left
    const hse = w.as('hse')
    const made = await hse.post('/permits/workflow/clone', { site_id: w.site_id, name: 'Draft' })
    const { body } = await hse.post(`/permits/workflow/${made.body.id ?? made.body.error.existing_id}/back-test`, {})
    const killed = async () => {
      await house.rows(
        `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '21 seconds' where id = $1`,
        [body.job_id],
      )
      await house.rows(`update job_run set state = 'running', started_at = now(), attempts = attempts + 1 where id = $1`, [body.job_id])
    }
    for (let kills = 1; kills < 5; kills++) {
      await killed()
      assert.equal(await takeUpInterrupted(house.house, { alone: kills % 2 === 0 }), 1)
      assert.deepEqual(await run(body.job_id), { state: 'queued', attempts: 0, error_code: null })
      assert.equal((await job(body.job_id)).state, 'retry')
    }
    await killed()
    await both(async (first, second) => {
      const counts = await Promise.all([first, second, first].map(node => takeUpInterrupted(node, { alone: false })))
      assert.deepEqual(counts.sort(), [0, 0, 1])
    })
    assert.deepEqual(await run(body.job_id), { state: 'failed', attempts: 1, error_code: 'interrupted' })
    assert.equal((await job(body.job_id)).state, 'failed')
    const reason = 'The work was interrupted 5 times, perhaps because it needs more memory than the server has. Contact your administrator.'
    const inbox = await hse.get(`/notifications/?site_id=${w.site_id}&kind=your_job`)
    assert.deepEqual(
      inbox.body.map((row: { body: string }) => row.body),
      [reason],
    )
  })

  test('1077 a scheduled run whose process was killed doesn’t stay “running”: it has failed at the next start, or after a day where other processes exist', async () => {
    const kind = 'lapsed'
    await house.rows(`insert into schedule_run (kind, last_due_at, last_run_at, last_state) values ($1, now(), now(), 'running')`, [kind])
    const begun = async (ago: string) => {
      const [{ id }] = await house.rows(
        `insert into job_run (site_id, id, kind, state, attempts, max_attempts, queued_at, run_after, started_at, input)
         values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, 'running', 1, 1, now(), now(), now() - $2::interval, '{}') returning id`,
        [kind, ago],
      )
      return id as string
    }
    const [old, young] = [await begun('25 hours'), await begun('23 hours')]
    await takeUpInterrupted(house.house, { alone: false })
    assert.deepEqual(
      [(await run(old)).error_code, (await run(young)).state],
      ['interrupted', 'running'],
      'another process may still be doing it',
    )
    await takeUpInterrupted(house.house, { alone: true })
    assert.deepEqual((await run(young)).error_code, 'interrupted')
  })

  test('10.9 two processes that look at the same time queue an interrupted job again once', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'] })
    const begun = await interrupt(30)
    assert.ok(begun > 0)
    const jobs = (await house.rows(`select id from pgboss.job where name = 'make_paper' and state = 'active'`)).map(row => row.id)
    const limits = () => house.rows('select id, state, retry_limit from pgboss.job where id = any($1::uuid[]) order by id', [jobs])
    const before = await limits()
    await both(async (first, second) => {
      const counts = await Promise.all([first, second, first, second].map(node => takeUpInterrupted(node, { alone: false })))
      assert.equal(
        counts.reduce((sum, n) => sum + n, 0),
        begun,
      )
    })
    assert.deepEqual(
      await limits(),
      before.map(row => ({ ...row, state: 'retry', retry_limit: row.retry_limit + 1 })),
    )
  })
})
