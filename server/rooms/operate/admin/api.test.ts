import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse, type World } from '../../../../tests/world.ts'
import { runJob, runSchedules } from '../../../kernel/jobs/door.ts'
import { SEEDED_ID } from '../../permits/kit/domain/seed.ts'

describe('admin', () => {
  const house = useHouse()
  const backtest = async (w: World) => {
    const asked = await w.as('hse').post(`/permits/workflow/${SEEDED_ID}/back-test?site_id=${w.site_id}`, {})
    assert.equal(asked.status, 202, asked.text)
    return asked.body.job_id as string
  }

  test('§10 GET /admin/job-runs: the person who requested a run finds it by its id; admins see those of their site; superadmins see all', async () => {
    const w = await house.world()
    const other = await house.world({ name: 'Elsewhere' })
    const [mine, theirs] = [await backtest(w), await backtest(other)]
    const list = async (who: ReturnType<World['as']>, query: string) => {
      const { status, body } = await who.get(`/admin/job-runs?${query}`)
      return status === 200 ? body.map((run: { id: string }) => run.id) : status
    }
    assert.deepEqual(await list(w.as('hse'), `id=${mine}`), [mine])
    assert.deepEqual(await list(w.as('coordinator'), `id=${mine}`), [])
    assert.deepEqual(await list(w.as('hse'), `id=${theirs}`), [])
    assert.deepEqual(await list(w.as('admin'), `site_id=${w.site_id}`), [mine])
    assert.deepEqual(await list(w.as('admin'), `site_id=${other.site_id}`), 404)
    assert.deepEqual(await list(w.as('hse'), `site_id=${w.site_id}`), 403)
    assert.deepEqual(await list(w.as('admin'), ''), 403)
    assert.deepEqual(await list(w.superadmin, 'kind=workflow_backtest'), [theirs, mine])
    assert.deepEqual(await list(w.superadmin, `kind=workflow_backtest&requested_by=${w.as('hse').user_id}`), [mine])
    assert.deepEqual(await list(w.as('admin'), `id=${mine}&requested_by=${w.as('hse').user_id}`), [])
    assert.deepEqual(await list(w.superadmin, 'state=unknown'), 422)
    assert.deepEqual(await list(house.nobody as ReturnType<World['as']>, ''), 401)
    await runJob(house.house, mine)
    const [run] = (await w.as('hse').get(`/admin/job-runs?id=${mine}`)).body
    assert.deepEqual([run.state, run.progress, run.attempts, run.error, run.site_id], ['succeeded', 1, 1, null, w.site_id])
    const first = await w.superadmin.get('/admin/job-runs?kind=workflow_backtest&limit=1')
    const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
    assert.deepEqual(await list(w.superadmin, `kind=workflow_backtest&limit=1&cursor=${cursor}`), [mine])
    const [{ membership_id }] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.as('hse').user_id}`)).body
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.deepEqual(await list(w.as('hse'), `id=${mine}`), [], '1098 a person who has left no longer reads what their job found')
  })

  test('§10 scheduled runs are listed too, once for each due time, and are deleted after 90 days', async () => {
    const w = await house.world()
    house.clock('2026-03-16T10:00:05.000Z')
    await Promise.all([runSchedules(house.house, 'permit_sweep'), runSchedules(house.house, 'permit_sweep')])
    const sweeps = async () => (await w.superadmin.get('/admin/job-runs?kind=permit_sweep')).body
    assert.deepEqual(
      (await sweeps()).map((run: { state: string; queued_at: string; site_id: null }) => [run.state, run.queued_at, run.site_id]),
      [['succeeded', '2026-03-16T10:00:00.000Z', null]],
    )
    house.clock('2026-06-20T00:00:05.000Z')
    await runSchedules(house.house, 'retention')
    assert.deepEqual(await sweeps(), [])
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
