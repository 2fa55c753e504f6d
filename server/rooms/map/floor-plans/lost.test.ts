// Plans and site maps whose job no longer exists: it was cancelled when a backup was restored, or failed at every attempt (decision 985).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { controlPoints, laid, PLACED, planBuilding, readSheet, sheet, upload, uploadSheet, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { allSchedules, requeue, takeUpInterrupted } from '../../../kernel/jobs/door.ts'

describe('plans whose job is lost', () => {
  const house = useHouse()
  const plan = async (w: World, id: string) =>
    (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body.find((one: { id: string }) => one.id === id)
  const map = async (w: World, id: string) => (await w.as('viewer').get(`/site-maps/${id}`)).body
  const swept = async (kind: string) =>
    (
      await allSchedules()
        .find(one => one.kind === kind)
        ?.run(house.house)
    )?.ended

  test('§8 a plan whose job was cancelled by a restore has failed with a reason; the one before it is active again, and it can be uploaded again', async () => {
    const w = await house.world()
    const feature_id = await planBuilding(w)
    const first = await worked(house, await uploadSheet(w, feature_id, { start_at: '2026-03-10T06:00:00.000Z', placement: PLACED }))
    const lost = await uploadSheet(w, feature_id, {}, 1)
    assert.equal(await swept('lost_floor_plans'), 0, 'a job that waits is not lost')
    await requeue(house.house, true)
    assert.equal((await plan(w, lost.body.id)).status, 'processing')
    // The site may have been locked since: the plan must not wait for it.
    const lock = (locked: boolean) => w.as('admin').post(`/sites/${w.site_id}/lock`, { locked, reason: 'Handed over' })
    assert.equal((await lock(true)).status, 200)
    assert.equal(await swept('lost_floor_plans'), 1)
    const { status, status_reason } = await plan(w, lost.body.id)
    assert.deepEqual([status, status_reason], ['failed', 'The work on this file was stopped before it was read. Upload it again.'])
    await lock(false)
    const now = await w.as('viewer').get(`/floor-plans/at-time?site_id=${w.site_id}`)
    assert.deepEqual(
      now.body.map((one: { id: string }) => one.id),
      [first.body.id],
    )
    const events = await house.rows("select payload from event where site_id = $1 and kind = 'floor_plan.failed'", [w.site_id])
    assert.deepEqual(
      events.map(({ payload }) => [payload.floor_plan_id, payload.reason]),
      [[lost.body.id, status_reason]],
    )
    assert.equal(await swept('lost_floor_plans'), 0)
    const again = await worked(house, await uploadSheet(w, feature_id, {}, 1))
    assert.equal((await plan(w, again.body.id)).status, 'ready')
  })

  test('§8 the uploader of a plan whose job was killed at its last attempt gets one notification, which gives the reason of the plan', async () => {
    const w = await house.world()
    const lost = await uploadSheet(w, await planBuilding(w), {}, 4)
    await house.rows('delete from pgboss.job where id = $1', [lost.body.job_id])
    assert.equal(await takeUpInterrupted(house.house, { alone: false }), 1)
    assert.equal(await swept('lost_floor_plans'), 1)
    assert.equal((await plan(w, lost.body.id)).status, 'failed')
    const [{ created_by }] = await house.rows('select created_by from floor_plan where id = $1', [lost.body.id])
    await w.as('admin').get(`/notifications/?site_id=${w.site_id}`)
    const sent = await house.rows("select kind from notification where site_id = $1 and user_id = $2 and kind <> 'membership_decided'", [
      w.site_id,
      created_by,
    ])
    assert.deepEqual(sent, [{ kind: 'floor_plan_failed' }])
  })

  test('§8 a plan whose job failed at every attempt has failed, too; one that was placed but has no tiles can be placed again', async () => {
    const w = await house.world()
    const feature_id = await planBuilding(w)
    const broken = await uploadSheet(w, feature_id, {}, 2)
    await house.rows("update job_run set state = 'failed', finished_at = now() where id = $1", [broken.body.job_id])
    assert.equal(await swept('lost_floor_plans'), 1)
    assert.equal((await plan(w, broken.body.id)).status, 'failed')
    const { body } = await worked(house, await uploadSheet(w, feature_id, { inherit_placement: false }, 3))
    const place = () => w.as('coordinator').patch(`/floor-plans/${body.id}/placement`, PLACED)
    const placed = await place()
    assert.equal(placed.body.status, 'ready', placed.text)
    await requeue(house.house, true)
    assert.equal(await swept('lost_floor_plans'), 1)
    const waiting = await plan(w, body.id)
    assert.deepEqual(
      [waiting.status, waiting.status_reason, waiting.permissions === undefined],
      ['needs_placement', 'The work on its tiles was stopped before they were complete. Place it again.', false],
    )
    await worked(house, await place())
    const done = await plan(w, body.id)
    assert.deepEqual([done.status, done.status_reason, done.content_version], ['ready', null, 1])
    assert.equal(await swept('lost_floor_plans'), 0)
  })

  test('§7 a site map whose job was cancelled by a restore can be uploaded, or calibrated, again', async () => {
    const w = await house.world()
    const parts = upload(await sheet(), 'layout.png', { site_id: w.site_id, name: 'Layout' })
    const unread = await w.as('hse').send('POST', '/site-maps/upload', parts)
    const id = await readSheet(house, w, 'Calibrated', 4)
    const calibrate = () => w.as('hse').post(`/site-maps/${id}/calibrate`, { points: controlPoints(laid(0.1, 33)) })
    assert.equal((await calibrate()).body.status, 'tiling')
    assert.equal(await swept('lost_site_maps'), 0, 'a job that waits is not lost')
    await requeue(house.house, true)
    assert.equal(await swept('lost_site_maps'), 2)
    const failed = await map(w, unread.body.id)
    assert.deepEqual(
      [failed.status, failed.status_reason],
      ['failed', 'The work on this file was stopped before it was read. Upload it again.'],
    )
    const waiting = await map(w, id)
    assert.deepEqual(
      [waiting.status, waiting.status_reason],
      ['needs_calibration', 'The work on its tiles was stopped before they were complete. Make the tiles again.'],
    )
    await worked(house, await calibrate())
    const ready = await map(w, id)
    assert.deepEqual([ready.status, ready.status_reason], ['ready', null])
    assert.equal(await swept('lost_site_maps'), 0)
  })
})
