// messages.md §0.5: the end of a job that a person asked for is an event, and that person is notified.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../tests/permits.ts'
import { is, useSockets } from '../../../tests/sockets.ts'
import { type Caller, useHouse } from '../../../tests/world.ts'
import { Refused } from '../../base/errors.ts'
import { erasePeople } from '../../commands/erase.ts'
import { endJob } from './actions/end.ts'
import { allJobs, allSchedules, type JobKind, plugJobs, requeue, runJob } from './door.ts'
import { runById } from './queries/runs.ts'

const KIND = 'workflow_backtest'

describe('jobs that people ask for', () => {
  const house = useHouse()
  const { enter, silent } = useSockets(house)

  /** Queues a back-test that `who` asked for. */
  const asked = async (w: PermitWorld, who: Caller = w.as('hse')): Promise<string> => {
    const made = await who.post('/permits/workflow/clone', { site_id: w.site_id, name: 'Draft' })
    const queued = await who.post(`/permits/workflow/${made.body.id ?? made.body.error.existing_id}/back-test`, {})
    assert.equal(queued.status, 202, queued.text)
    return queued.body.job_id
  }
  /** Runs something while every back-test does this instead. */
  const instead = async (run: JobKind['run'], work: () => Promise<void>) => {
    const jobs = allJobs()
    plugJobs(
      jobs.map(job => (job.kind === KIND ? { ...job, run } : job)),
      allSchedules(),
    )
    await work().finally(() => plugJobs(jobs, allSchedules()))
  }
  const eventsOf = (job_id: string) =>
    house.rows(`select kind, subject_kind, subject_label, actor_kind, payload from event where subject_id = $1 order by event_no`, [job_id])
  const inbox = async (who: Caller, w: PermitWorld): Promise<{ title: string; body: string; link: string; urgency: string }[]> =>
    (await who.get(`/notifications/?site_id=${w.site_id}&kind=your_job`)).body
  const runs = async (job_id: string, times: number) => {
    for (let n = 0; n < times; n++) await runJob(house.house, job_id).catch(() => {})
  }

  test('§0.5 a job that succeeded is one event, and only the person who asked for it is notified, with a link to the result', async () => {
    const w = await permitWorld(house)
    const job_id = await asked(w)
    await runs(job_id, 2) // the queue can deliver a job twice
    const link = `/sites/${w.site_id}/settings/workflow`
    assert.deepEqual(await eventsOf(job_id), [
      {
        kind: 'job.succeeded',
        subject_kind: 'job',
        subject_label: 'Back-test of a workflow',
        actor_kind: 'job',
        payload: { job_kind: KIND, requested_by_id: w.as('hse').user_id, link },
      },
    ])
    assert.deepEqual(
      (await inbox(w.as('hse'), w)).map(row => [row.title, row.link, row.urgency]),
      [['Back-test of a workflow has finished', link, 'info']],
    )
    for (const role of ['admin', 'site_manager', 'coordinator'] as const) assert.deepEqual(await inbox(w.as(role), w), [], role)
    const run = await runById(house.house.database.db, job_id)
    assert.ok(run)
    await endJob(house.house, run, { state: 'failed', error_code: 'internal_error' })
    assert.equal((await eventsOf(job_id)).length, 1, 'a run ends once')
  })

  test('1112 an open app receives the end of a job if its person asked for the job or can see the jobs of the site, and no other', async () => {
    const w = await permitWorld(house)
    const asker = await enter(w.as('hse'), w.site_id)
    const other = await enter(w.as('coordinator'), w.site_id)
    const admin = await enter(w.as('admin'), w.site_id)
    const job_id = await asked(w)
    await runs(job_id, 1)
    for (const app of [asker, admin]) assert.deepEqual((await app.ear.next(is('event', 'job.succeeded'))).ids, [job_id])
    await silent(other.ear, frame => frame.entity_type === 'job')
  })

  test('§0.5 a job that failed is an event only after its last attempt, or at once if another attempt would be refused too', async () => {
    const w = await permitWorld(house)
    const [tried, refused] = [await asked(w), await asked(w)]
    await instead(
      () => Promise.reject(new TypeError('secret detail')),
      async () => {
        await runs(tried, 5)
        assert.deepEqual(await eventsOf(tried), [], 'it is tried again')
        await runs(tried, 3)
      },
    )
    const [event, ...more] = await eventsOf(tried)
    assert.deepEqual([event.kind, event.payload.announced, more], ['job.failed', false, []])
    await instead(
      () => Promise.reject(new Refused({ status: 422, code: 'validation_failed', detail: 'file: The register is empty.', context: {} })),
      () => runs(refused, 1),
    )
    assert.deepEqual((await inbox(w.as('hse'), w)).map(row => [row.title, row.body]).sort(), [
      ['Back-test of a workflow has failed', 'Something went wrong on our side. Try again. If it fails again, contact your administrator.'],
      ['Back-test of a workflow has failed', 'The register is empty.'],
    ])
  })

  test('§0.5 a job that was cancelled is an event, and nobody is notified', async () => {
    const w = await permitWorld(house)
    const job_id = await asked(w)
    await requeue(house.house, true)
    await requeue(house.house, true)
    await runs(job_id, 1)
    const events = await eventsOf(job_id)
    assert.deepEqual(
      events.map(event => [event.kind, event.payload.reason]),
      [['job.cancelled', 'The job was cancelled when the backup was restored.']],
    )
    assert.deepEqual(await inbox(w.as('hse'), w), [])
  })

  test('§0.5 a person who has left the site or was erased is not notified, and the job still ends', async () => {
    const w = await permitWorld(house)
    const left = await w.join('hse', null, 'Lea Left')
    const erased = await w.join('hse', null, 'Ed Erased')
    const jobs = [await asked(w, left), await asked(w, erased)]
    const [membership] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, left.user_id])
    assert.equal((await w.as('admin').del(`/memberships/${membership.id}`)).status, 204)
    await erasePeople(house.house, String(erased.claims?.email), 'They asked')
    for (const job_id of jobs) {
      await runs(job_id, 1)
      assert.equal((await eventsOf(job_id))[0].kind, 'job.succeeded')
    }
    await w.as('hse').get(`/notifications/?site_id=${w.site_id}`)
    const made = await house.rows(`select user_id from notification where site_id = $1 and kind = 'your_job'`, [w.site_id])
    assert.deepEqual(made, [])
    const told = await house.rows(`select 1 from event where site_id = $1 and kind = 'notification.nobody_addressed'`, [w.site_id])
    assert.deepEqual(told, [], 'that nobody is left is no mistake in the set-up')
  })

  test('§0.5 the end of a job is recorded while its site is locked, and after its site was deleted', async () => {
    const w = await permitWorld(house)
    const [locked, deleted] = [await asked(w), await asked(w)]
    const lock = (body: object) => w.as('admin').post(`/sites/${w.site_id}/lock`, body)
    assert.equal((await lock({ locked: true, reason: 'Investigation' })).status, 200)
    await runs(locked, 1)
    assert.equal((await eventsOf(locked))[0]?.kind, 'job.succeeded')
    await lock({ locked: false })
    assert.equal((await w.as('admin').del(`/sites/${w.site_id}`)).status, 204)
    await runs(deleted, 1)
    assert.deepEqual(await eventsOf(deleted), [])
    assert.equal((await runById(house.house.database.db, deleted))?.state, 'succeeded')
  })

  test('§0.5 work that nobody asked for, such as an email or a document, is no event', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'] })
    const runs = await house.rows(`select id from job_run where site_id = $1 and kind = 'make_paper' and requested_by is not null`, [
      w.site_id,
    ])
    assert.ok(runs.length > 0)
    for (const { id } of runs) {
      await runJob(house.house, id)
      assert.deepEqual(await eventsOf(id), [])
    }
  })

  test('§0.5 people switch the notification off in their preferences', async () => {
    const w = await permitWorld(house)
    const listed = (await w.as('hse').get(`/notification-prefs/effective?site_id=${w.site_id}`)).text
    assert.match(listed, /"your_job"/)
    assert.match(listed, /Jobs that you asked for/)
  })
})
