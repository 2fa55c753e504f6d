// Which plan is active after another one couldn't be read (`map.md` §8, decision 864): a level is never without its drawing because a file was damaged.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PLACED, planBuilding, uploadSheet, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { allSchedules, runJob } from '../../../kernel/jobs/door.ts'

describe('floor plans after one that failed', () => {
  const house = useHouse()
  const plans = async (w: World): Promise<{ id: string; status: string; start_at: string; end_at: string | null }[]> =>
    (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body
  const plan = async (w: World, id: string) => (await plans(w)).find(one => one.id === id)
  const shown = async (w: World, id: string) =>
    (await w.as('coordinator').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body.find((one: { id: string }) => one.id === id)
  const activeAt = async (w: World, at: string) =>
    (await w.as('viewer').get(`/floor-plans/at-time?site_id=${w.site_id}&at=${at}`)).body.map((one: { id: string }) => one.id)
  /** Ends the wait of plans whose job has failed at every attempt. */
  const fails = async (...made: readonly { body: { job_id: string } }[]) => {
    for (const { body } of made) await house.rows("update job_run set state = 'failed', finished_at = now() where id = $1", [body.job_id])
    await allSchedules()
      .find(one => one.kind === 'lost_floor_plans')
      ?.run(house.house)
  }
  const NOW = '2026-03-16T10:00:00.000Z'
  const LATER = '2026-03-20T10:00:00.000Z'

  /** A level with a plan that has been read, since the tenth. */
  const level = async () => {
    const w = await house.world()
    const feature_id = await planBuilding(w)
    const first = await worked(house, await uploadSheet(w, feature_id, { start_at: '2026-03-10T06:00:00.000Z', placement: PLACED }, 0))
    return { w, feature_id, first: first.body.id as string }
  }

  test('§8 a plan that fails after a later one was uploaded leaves the later one active, and gives the time between back to the one before', async () => {
    const { w, feature_id, first } = await level()
    const damaged = await uploadSheet(w, feature_id, { start_at: '2026-03-16T09:00:00.000Z' }, 1)
    const next = await uploadSheet(w, feature_id, { start_at: '2026-03-18T06:00:00.000Z' }, 2)
    await fails(damaged)
    assert.equal((await plan(w, damaged.body.id))?.status, 'failed')
    assert.equal((await plan(w, first))?.end_at, '2026-03-18T06:00:00.000Z')
    assert.deepEqual([await activeAt(w, NOW), await activeAt(w, LATER)], [[first], [next.body.id]])
  })

  test('§8 a plan that fails while another one is uploaded: both succeed in any order, and no two are active at once', async () => {
    for (const tint of [2, 3, 4, 5]) {
      const { w, feature_id, first } = await level()
      const damaged = await uploadSheet(w, feature_id, { start_at: '2026-03-16T09:00:00.000Z' }, 1)
      const [, next] = await Promise.all([fails(damaged), uploadSheet(w, feature_id, { start_at: '2026-03-18T06:00:00.000Z' }, tint)])
      assert.equal((await plan(w, damaged.body.id))?.status, 'failed')
      assert.equal((await plan(w, first))?.end_at, '2026-03-18T06:00:00.000Z')
      assert.deepEqual([await activeAt(w, NOW), await activeAt(w, LATER)], [[first], [next.body.id]])
    }
  })

  test('§8 if two plans fail one after the other, in either order, the one before both is active again', async () => {
    for (const order of [
      [1, 0],
      [0, 1],
    ]) {
      const { w, feature_id, first } = await level()
      const both = [
        await uploadSheet(w, feature_id, { start_at: '2026-03-16T09:00:00.000Z' }, 1),
        await uploadSheet(w, feature_id, { start_at: '2026-03-18T06:00:00.000Z' }, 2),
      ]
      for (const i of order) await fails(...both.slice(i, i + 1))
      assert.deepEqual([await activeAt(w, NOW), await activeAt(w, LATER)], [[first], [first]], `order ${order}`)
      assert.equal((await plan(w, first))?.end_at, null)
    }
  })

  test('§8 a plan that fails in place of one with the same start leaves that one active', async () => {
    const { w, feature_id, first } = await level()
    const planned = await uploadSheet(w, feature_id, { start_at: '2026-03-18T06:00:00.000Z' }, 1)
    const damaged = await uploadSheet(w, feature_id, { start_at: '2026-03-18T06:00:00.000Z' }, 2)
    await worked(house, planned)
    assert.equal(await plan(w, planned.body.id), undefined)
    await fails(damaged)
    assert.deepEqual([await activeAt(w, NOW), await activeAt(w, LATER)], [[first], [planned.body.id]])
    // Its own job may have found nothing to read while it was replaced.
    await worked(house, { ...planned, body: await shown(w, planned.body.id) })
    assert.equal((await plan(w, planned.body.id))?.status, 'ready')
  })

  test('§8 a plan whose new tiles can’t be made stays active with its older ones, says why, and doesn’t bring the revision before it back', async () => {
    const { w, feature_id, first } = await level()
    const current = await worked(house, await uploadSheet(w, feature_id, { start_at: '2026-03-16T08:00:00.000Z', revision: 'C02' }, 1))
    const placed = await w.as('coordinator').patch(`/floor-plans/${current.body.id}/placement`, { ...PLACED, scale: 0.06 })
    assert.equal(placed.status, 200, placed.text)
    const { sha256 } = current.body.file
    await writeFile(join(house.house.data_dir, 'files', sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'no picture')
    await runJob(house.house, placed.body.job_id)
    const { status, status_reason, content_version, outdated, permissions } = await shown(w, current.body.id)
    assert.deepEqual([status, content_version, outdated, permissions.can_redraw], ['ready', 1, true, true])
    assert.match(status_reason, /^The file .+\. Until its tiles are made again, the map shows it as it was placed before\.$/)
    assert.deepEqual([(await plan(w, first))?.end_at, await activeAt(w, NOW)], ['2026-03-16T08:00:00.000Z', [current.body.id]])
    const failed = await house.rows("select id from event where site_id = $1 and kind = 'floor_plan.failed'", [w.site_id])
    assert.deepEqual(failed, [])
  })

  test('§8 a plan that a person removed before it failed doesn’t bring the one before it back', async () => {
    const { w, feature_id, first } = await level()
    const damaged = await uploadSheet(w, feature_id, { start_at: '2026-03-16T08:00:00.000Z' }, 1)
    assert.equal((await w.as('coordinator').del(`/floor-plans/${damaged.body.id}`)).status, 204)
    await fails(damaged)
    assert.deepEqual([(await plan(w, first))?.end_at, await activeAt(w, NOW)], ['2026-03-16T08:00:00.000Z', []])
  })
})
