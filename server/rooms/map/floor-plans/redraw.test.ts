// Plans and site maps with older tiles whose new tiles were lost (decision 985).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aroundHere, controlPoints, HERE, laid, readySheet, sheet, upload, worked } from '../../../../tests/plans.ts'
import { useHouse } from '../../../../tests/world.ts'
import { allSchedules, requeue } from '../../../kernel/jobs/door.ts'

const PLACED = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 0 }, scale: 0.05 }

describe('plans with older tiles', () => {
  const house = useHouse()
  const swept = async (kind: string) =>
    (
      await allSchedules()
        .find(one => one.kind === kind)
        ?.run(house.house)
    )?.ended

  test('§8 a floor plan whose new tiles were lost stays on the map with its older ones, says so to everyone, and is started again by who can change it', async () => {
    const w = await house.world()
    const outline = aroundHere(50, 25)
    const block = { site_id: w.site_id, kind: 'building', name: 'Block', levels: [{ index: 0 }], outline }
    const building = await w.as('hse').post('/reference-features/zones', { ...block, effective_at: '2026-03-01T00:00:00.000Z' })
    const parts = upload(await sheet(undefined, 5), 'plan.png', {
      ...{ site_id: w.site_id, feature_id: building.body.id, placement: JSON.stringify(PLACED) },
    })
    const { body } = await worked(house, await w.as('coordinator').send('POST', '/floor-plans/upload-image', parts))
    const plan = async (by: 'viewer' | 'coordinator' = 'viewer') =>
      (await w.as(by).get(`/floor-plans/by-site?site_id=${w.site_id}`)).body.find((one: { id: string }) => one.id === body.id)
    const redraw = (by: 'viewer' | 'coordinator') => w.as(by).post(`/floor-plans/${body.id}/redraw`)
    assert.deepEqual([(await plan()).outdated, (await redraw('coordinator')).status], [false, 409])
    const placed = await w.as('coordinator').patch(`/floor-plans/${body.id}/placement`, { ...PLACED, scale: 0.06 })
    assert.equal(placed.status, 200, placed.text)
    assert.deepEqual([placed.body.outdated, placed.body.status_reason], [true, null])
    assert.equal((await redraw('coordinator')).status, 409, 'they are being made')
    await requeue(house.house, true)
    assert.equal(await swept('lost_floor_plans'), 1)
    const older = await plan()
    assert.deepEqual([older.status, older.outdated, older.content_version], ['ready', true, 1])
    assert.match(older.status_reason, /^The work on its new tiles was stopped\./)
    assert.equal(await swept('lost_floor_plans'), 0)
    assert.equal((await redraw('viewer')).status, 403)
    assert.equal((await plan('coordinator')).permissions.redraw.allowed, true)
    await worked(house, await redraw('coordinator'))
    const done = await plan()
    assert.deepEqual([done.status, done.status_reason, done.outdated, done.content_version], ['ready', null, false, 2])
  })

  test('§7 a site map whose new tiles were lost keeps its older ones, says so, and its tiles are made again by the newest calibration', async () => {
    const w = await house.world()
    const id = await readySheet(house, w, { tint: 6 })
    const map = async () => (await w.as('viewer').get(`/site-maps/${id}`)).body
    const redraw = (by: 'viewer' | 'hse') => w.as(by).post(`/site-maps/${id}/redraw`)
    assert.deepEqual([(await map()).outdated, (await redraw('hse')).status], [false, 409])
    const again = await w.as('hse').post(`/site-maps/${id}/calibrate`, { points: controlPoints(laid(0.1, 40)) })
    assert.deepEqual([again.body.status, again.body.outdated], ['tiling', true], again.text)
    await requeue(house.house, true)
    assert.equal(await swept('lost_site_maps'), 1)
    const older = await map()
    assert.deepEqual([older.status, older.outdated, older.content_version], ['needs_calibration', true, 1])
    assert.match(older.status_reason, /^The work on its new tiles was stopped\. Until they are made again, /)
    assert.equal((await redraw('viewer')).status, 403)
    await worked(house, await redraw('hse'))
    const done = await map()
    assert.deepEqual([done.status, done.status_reason, done.outdated, done.content_version], ['ready', null, false, 2])
    assert.equal(done.calibrations.length, 2)
  })
})
