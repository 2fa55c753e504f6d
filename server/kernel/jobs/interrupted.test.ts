// Jobs whose process was killed: another process runs them within a minute, and health reports them meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { permitWorld } from '../../../tests/permits.ts'
import { useHouse } from '../../../tests/world.ts'
import { checksOf } from '../../rooms/operate/health/door.ts'
import { startWorker, takeUpInterrupted } from './door.ts'

describe('interrupted jobs', () => {
  const house = useHouse({ CLOCK: 'system' })

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
})
